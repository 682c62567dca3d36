// Option files that administrators wrote; they lie beside the source tree, or where TUNEKEEPER_CORPUS says.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "formats/mycnf_edit.hpp"
#include "formats/mycnf_names.hpp"
#include "support/catch.hpp"
#include "support/mycnf_reader.hpp"

using namespace tunekeeper;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> corpus() {
  const char* named = std::getenv("TUNEKEEPER_CORPUS");
  const fs::path base =
      named != nullptr ? fs::path(named) : fs::path(TUNEKEEPER_SOURCE_DIR) / "../shared/corpus";
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(base / "mycnf", failed)) files.push_back(entry.path());
  if (files.empty()) WARN("no corpus at " << base << ": real files were not tested");
  return files;
}

std::string content(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// The bytes outside the one changed stretch are the same in both.
bool differ_in_one_stretch(std::string_view a, std::string_view b, std::size_t longest) {
  std::size_t front = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) ++front;
  std::size_t back = 0;
  while (back < a.size() - front && back < b.size() - front &&
         a[a.size() - 1 - back] == b[b.size() - 1 - back])
    ++back;
  return a.size() - front - back <= longest && b.size() - front - back <= longest;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("real files: every option's place holds exactly its key and value") {
  for (const fs::path& path : corpus()) {
    INFO(path);
    const std::string text = content(path);
    const MyCnf file(text);
    CHECK_FALSE(file.problem());
    const auto options = file.options();
    CHECK_FALSE(options.empty());
    for (const MyCnfOption& option : options) {
      CHECK(text.substr(option.key_offset, option.key.size()) == option.key);
      CHECK(text.substr(option.value_offset, option.raw_value.size()) == option.raw_value);
    }
  }
}

TEST_CASE("real files: setting each option to what it is changes no byte") {
  for (const fs::path& path : corpus()) {
    INFO(path);
    const std::string text = content(path);
    const MyCnf file(text);
    for (const MyCnfOption& option : file.options()) {
      if (!option.has_value || option.raw_value.find('\\') != std::string_view::npos) continue;
      MyCnfEditor editor(file);
      editor.assign(option.statement, option.key, option.value());
      CHECK(splice(text, editor.splices()) == text);
    }
  }
}

TEST_CASE(
    "real files: an option set and unset leaves the bytes as they were, one changed leaves all others") {
  for (const fs::path& path : corpus()) {
    INFO(path);
    const std::string text = content(path);
    const MyCnf file(text);
    const std::string added = splice(text, set_option(file, "mysqld", "tunekeeper_probe", "17"));
    CHECK(MyCnf(added).options().size() == file.options().size() + 1);
    CHECK(splice(added, remove_option(MyCnf(added), "mysqld", "tunekeeper-probe")) == text);
    for (const MyCnfOption& option : file.options()) {
      if (!option.has_value) continue;
      const std::string changed = splice(text, set_option(file, option.group, option.key, "4711"));
      CHECK(differ_in_one_stretch(text, changed, std::max<std::size_t>(option.raw_value.size(), 200)));
    }
  }
}

TEST_CASE("real files: the server's own reader sees one option change, and every other as before") {
  for (const test::MyCnfReader& reader : test::mycnf_readers()) {
    for (const fs::path& path : corpus()) {
      INFO(reader.flavor << " " << path);
      const test::OptionFiles folder;
      const auto lines_of = [&](const std::string& text) {
        folder.write("my.cnf", text);
        return lines_in(reader.theirs(folder / "my.cnf"));
      };
      const std::string text = content(path);
      const MyCnf file(text);
      const auto before = lines_of(text);
      for (const MyCnfOption& option : file.options()) {
        if (!option.has_value || option.group != "mysqld") continue;
        INFO(option.key);
        const std::string wanted = "--" + std::string(option.key) + "=4711";
        auto after = lines_of(splice(text, set_option(file, "mysqld", option.key, "4711")));
        REQUIRE(after.size() == before.size());
        std::size_t changed = 0;
        for (std::size_t i = 0; i < after.size(); ++i) {
          if (after[i] == before[i]) continue;
          ++changed;
          CHECK(after[i] == wanted);
        }
        CHECK(changed <= 1);
      }
      auto added = lines_of(splice(text, set_option(file, "mysqld", "tunekeeper_probe", "17")));
      CHECK(std::erase(added, "--tunekeeper_probe=17") == 1);
      CHECK(added == before);
    }
  }
}
