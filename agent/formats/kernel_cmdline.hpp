#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// One parameter of a kernel command line: `quiet`, `k=v`, `k="a b"`, `"k=a b"`.
struct KernelToken {
  std::string name;   ///< as it is written
  std::string value;  ///< without quotes
  bool has_value = false;

  /// "name=value", or the name of a bare flag; without quotes.
  std::string text() const { return has_value ? name + "=" + value : name; }
};

/// The parameters of a kernel command line up to ` -- ` (kernel: lib/cmdline.c, next_arg; what follows is
/// init's).
std::vector<KernelToken> kernel_tokens(std::string_view line);

/// One argument of a boot loader's `linux` command: GRUB keeps it one parameter, whatever blanks it has.
KernelToken kernel_token(std::string_view argument);

/// Whether two names are one parameter: the kernel takes `-` for `_`.
bool same_parameter(std::string_view left, std::string_view right);
/// Same parameter, same value.
bool operator==(const KernelToken& left, const KernelToken& right);

/// Parameters that mean something only side by side: "hugepagesz=2M hugepages=64", or a single one.
using KernelRun = std::vector<KernelToken>;

/// The parameter that belongs to the one before it: `hugepages` after a `hugepagesz` sets that size's pool.
bool belongs_to_previous(std::string_view previous, std::string_view name);

/// Every occurrence of a parameter, in order: (index of the first token, number of tokens). A run goes on
/// over tokens that belong to the one before, and over those named in `companions`.
std::vector<std::pair<std::size_t, std::size_t>> kernel_runs(const std::vector<KernelToken>& tokens,
                                                             std::string_view name,
                                                             std::span<const std::string> companions = {});

/// Whether a second occurrence does not simply replace the first: the kernel adds them up or refuses the
/// second
/// (`hugepages=8 hugepages=4` makes 8; `isolcpus`, `nohz_full`). Each occurrence then counts.
bool every_occurrence_counts(std::string_view name);

/// An item of a profile as tokens of parameter `name`: a run when it begins with `name=` itself, else the
/// value.
KernelRun kernel_run(std::string_view name, std::string_view item);

/// "hugepagesz=2M hugepages=64", values with blanks in double quotes as the kernel reads them.
std::string to_string(const KernelRun& run);

/// Why a parameter cannot be trusted to reach the kernel unharmed through shell and GRUB; empty when it can.
std::string cmdline_danger(const KernelToken& token);

}  // namespace tunekeeper
