#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/setting.hpp"
#include "core/splice.hpp"
#include "formats/kernel_cmdline.hpp"
#include "formats/shell_vars.hpp"

namespace tunekeeper::grub {

inline constexpr std::string_view main_file = "/etc/default/grub";
inline constexpr std::string_view drop_in_folder = "/etc/default/grub.d";
inline constexpr std::string_view own_file = "/etc/default/grub.d/zz-tunekeeper.cfg";
/// What recovery entries get as well; our own parameters never go there.
inline constexpr std::string_view every_entry = "GRUB_CMDLINE_LINUX";
inline constexpr std::string_view normal_entries = "GRUB_CMDLINE_LINUX_DEFAULT";

/// A kernel parameter as a shell file spells it.
struct Token {
  KernelToken parameter;
  std::size_t file = 0;
  std::size_t statement = 0;  ///< in that file
  std::size_t begin = 0;      ///< raw bytes in that file
  std::size_t end = 0;
  ShellQuote quote = ShellQuote::bare;
  bool editable = false;  ///< it stands in one piece in a value of the two variables
};

/// The parameters in a value as GRUB's script parser will see them. `cut` says why nothing after them counts.
std::vector<Token> tokens_in(const std::vector<ShellByte>& value, std::string* cut);

/// The parameters that one file alone states in its assignments of the two variables; those joined to an
/// expansion
/// (`a$B`) are not among them.
std::vector<Token> tokens_of_file(const ShellFile& file);

/// The parameters alone, for the functions of kernel_cmdline.
std::vector<KernelToken> parameters(const std::vector<Token>& tokens);

/// What a profile asks of one parameter.
struct Wish {
  std::string name;
  std::vector<KernelRun> runs;          ///< none: it must be absent
  std::vector<std::string> companions;  ///< other parameters in the runs
  bool whole = false;                   ///< every occurrence counts, not only the last
};

Wish wish_of(const Desired& desired);

/// How one run is spelt between these quotes, safe through shell, GRUB and kernel.
std::string spelt(const KernelRun& run, ShellQuote quote);

/// Gathers changes of parameters in one shell file, and keeps the blanks between the others as they are.
class ValueEdits {
 public:
  ValueEdits(std::string_view bytes, const ShellFile& file, bool own)
      : bytes_(bytes), file_(file), own_(own) {}

  void replace(std::size_t begin, std::size_t end, std::string text);
  void remove(std::size_t begin, std::size_t end) { removed_.emplace_back(begin, end); }
  bool empty() const { return replaced_.empty() && removed_.empty(); }
  /// A line of our own drop-in that states nothing any more goes as a whole.
  std::vector<Splice> splices() const;

 private:
  using Range = std::pair<std::size_t, std::size_t>;
  bool goes(const ShellStatement& statement) const;
  Range widened(Range range) const;

  std::string_view bytes_;
  const ShellFile& file_;
  bool own_;
  std::vector<Splice> replaced_;
  std::vector<Range> removed_;
};

}  // namespace tunekeeper::grub
