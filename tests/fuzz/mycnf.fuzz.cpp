// my.cnf: what is read lies in the file, a value set is the value read, nothing else changes, and what an
// edit added is gone without a trace when it is removed. Parts of the input: file, group, key, value.

#include <optional>

#include "core/error.hpp"
#include "formats/mycnf_edit.hpp"
#include "formats/mycnf_names.hpp"
#include "fuzz/fuzz.hpp"

namespace tunekeeper::fuzz {
namespace {

struct Read {
  std::string group, key, value;
  bool has_value;
  bool operator==(const Read&) const = default;
};

std::vector<Read> readings(const MyCnf& file) {
  std::vector<Read> all;
  for (const MyCnfOption& o : file.options())
    all.push_back({std::string(o.group), std::string(o.key), o.value(), o.has_value});
  return all;
}

bool names(const Read& read, std::string_view group, std::string_view key, const MyCnfDialect& dialect) {
  const OptionName name = option_name(read.key, dialect);
  return same_group(read.group, group) && !name.maximum && name.name == option_name(key, dialect).name;
}

void check_spans(const MyCnf& file) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < file.size(); ++i) {
    require(file.begin(i) >= at && file.end(i) > file.begin(i), "statements stand in order and apart");
    at = file.end(i);
    require(at <= file.bytes().size(), "a statement lies in the file");
    if (file.kind(i) == MyCnf::Kind::group) {
      file.group_name(i);
    } else if (file.kind(i) != MyCnf::Kind::option) {
      file.include_path(i);
    } else {
      const MyCnfOption o = file.option(i);
      require(o.key_offset >= o.begin && o.value_offset >= o.key_offset + o.key.size() &&
                  o.value_offset + o.raw_value.size() <= o.end,
              "an option lies in its line");
    }
  }
  if (const auto& problem = file.problem()) {
    require(is_place(file.bytes(), problem->line, problem->column), "a problem has its place in the file");
  }
}

/// What was edited, read again; the other options as they were.
void check_edit(const MyCnf& file, const std::string& after, std::string_view group, std::string_view key,
                const MyCnfWish& wish) {
  const MyCnf read(after, file.dialect());
  require(!read.problem(), "an edited file reads well");
  std::vector<Read> before = readings(file), now = readings(read);
  std::optional<Read> last;
  for (const Read& r : now) {
    if (names(r, group, key, file.dialect())) last = r;
  }
  require(last.has_value(), "what was set is there");
  require(last->has_value == wish.has_value(), "a flag is a flag, and a value is a value");
  require_same(last->value, wish.value_or(""), "the value set is the value read");
  const auto of_it = [&](const Read& r) { return names(r, group, key, file.dialect()); };
  std::erase_if(before, of_it);
  std::erase_if(now, of_it);
  require(before == now, "other options stay as they were");
}

void edit(std::string_view bytes, const MyCnfDialect& dialect, std::string_view group, std::string_view key,
          const MyCnfWish& wish) {
  const MyCnf file(bytes, dialect);
  check_spans(file);
  if (file.problem()) return;
  const auto none = remove_option(file, group, key);
  std::string after;
  try {
    after = splice(bytes, set_option(file, group, key, wish));
  } catch (const Error& refused) {
    require(*refused.what() != '\0', "a refusal says why");
    return;
  }
  check_edit(file, after, group, key, wish);
  const MyCnf edited(after, dialect);
  require_same(splice(after, set_option(edited, group, key, wish)), after, "setting again changes nothing");
  const std::string without = splice(after, remove_option(edited, group, key));
  if (none.empty()) require_same(without, bytes, "removing restores the bytes from before adding");
  const MyCnf rest(without, dialect);
  for (const Read& r : readings(rest)) require(!names(r, group, key, dialect), "what was removed is gone");
}

/// A key that an editor may be asked for: a provider's names, which the fuzzer cannot choose freely.
bool is_key(std::string_view key) {
  return key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
             std::string_view::npos &&
         key.find_first_not_of("-_") != std::string_view::npos;
}

bool is_group(std::string_view group) {
  return group.find_first_of(std::string_view("]\n\r\t \0\xA0\v\f", 9)) == std::string_view::npos;
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  std::string group(input.part(1, "mysqld"));
  std::string key(input.part(2, "max_connections"));
  if (!fuzz::is_key(key)) key = "max_connections";
  if (!fuzz::is_group(group)) group = "mysqld";
  const OptionName name = option_name(key, {});
  if (name.negated || name.affirmed || name.maximum || name.loose) key = "max_connections";
  MyCnfWish wish;
  if (input.size() > 3) wish = std::string(input.part(3));
  for (const MyCnfDialect& dialect :
       {MyCnfDialect::of("mariadb", "10.11.19"), MyCnfDialect::of("mysql", "8.0.36"),
        MyCnfDialect::of("mysql", "9.1.0"), MyCnfDialect{true, 40}}) {
    fuzz::edit(input.part(0), dialect, group, key, wish);
  }
  const std::string_view value = input.part(3);
  if (value.find('\0') == std::string_view::npos) {
    for (char quote : {'\0', '"', '\''}) {
      fuzz::require_same(decode_mycnf_value(encode_mycnf_value(value, quote)), value,
                         "a value is read as it was meant");
    }
  }
  return 0;
}
