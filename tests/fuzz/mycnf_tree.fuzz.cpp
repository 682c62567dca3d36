// A tree of option files: reading ends, whatever includes what; each occurrence lies in its file, in order;
// why the server would not start is told with a file and a line. Parts of the input: files; the first is
// /etc/my.cnf, the others are named a.cnf, b.cnf, … in /etc/d and can be included from anywhere.

#include "formats/mycnf_tree.hpp"

#include <map>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  std::map<std::string, std::string> files = {{"/etc/my.cnf", std::string(input.part(0))}};
  std::vector<std::string> names;
  for (std::size_t i = 1; i < input.size() && i < 8; ++i) {
    names.push_back(std::string(1, static_cast<char>('a' + i - 1)) + ".cnf");
    files["/etc/d/" + names.back()] = input.part(i);
  }
  MyCnfDoor door;
  door.read = [&](const std::string& path) -> MyCnfAnswer {
    const auto found = files.find(path);
    if (found != files.end()) return {MyCnfAnswer::Status::read, found->second, {}};
    if (path == "/etc/d/secret") return {MyCnfAnswer::Status::unreadable, {}, "permission denied"};
    return {};
  };
  door.list = [&](const std::string& directory) -> std::optional<std::vector<std::string>> {
    if (directory != "/etc/d") return std::nullopt;
    return names;
  };
  for (const char* flavor : {"mariadb", "mysql"}) {
    const MyCnfTree tree(
        {{"/etc/my.cnf"}, server_groups(flavor, "10.11.19"), MyCnfDialect::of(flavor, "8.0.36"), {}}, door);
    std::size_t order = 0;
    for (const MyCnfTree::Occurrence& found : tree.occurrences()) {
      fuzz::require(found.order == order++, "occurrences are numbered in order");
      const auto& bytes = found.file->bytes;
      fuzz::require(found.option.end <= bytes.size() && found.option.begin < found.option.end,
                    "an occurrence lies in its file");
      fuzz::require(found.option.line >= 1 && fuzz::is_place(bytes, found.option.line, 1),
                    "an occurrence has its line");
    }
    if (!tree.fatal().empty()) {
      fuzz::require(tree.fatal().find("/etc/") != std::string::npos, "a fatal fault names its file");
    }
    for (const auto& slot : tree.slots()) {
      fuzz::require(slot.position <= tree.occurrences().size(), "a slot lies among the occurrences");
    }
  }
  return 0;
}
