#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "core/row.hpp"
#include "providers/grub/defaults.hpp"

namespace tunekeeper::grub {

/// Why the files cannot be given this wish: a present occurrence that matters cannot be edited by us (and
/// where it stands), or our drop-in is masked; empty when they can.
std::string uneditable(const Defaults& defaults, const Wish& wish, bool has_drop_ins);

/// Edits that make the files state these wishes: nothing where the deciding place is right; a parameter with
/// another value is replaced where it stands, a new one goes into our drop-in, or into a file that overwrites
/// it. `has_drop_ins`: grub-mkconfig reads grub.d here.
std::vector<Action> edits(const Defaults& defaults, std::span<const Row* const> rows, bool has_drop_ins);

/// The line of our drop-in that adds raw parameters to normal entries.
std::string own_line(std::string_view raw);
/// The first line of our drop-in.
std::string_view own_header();

/// What adding raw parameters at the end of one file's own value takes; an assignment is made where there is
/// none.
Splice added_to(const ShellFile& shell, std::string_view bytes, const std::vector<KernelRun>& runs);
Splice added_raw(const ShellFile& shell, std::string_view raw);

}  // namespace tunekeeper::grub
