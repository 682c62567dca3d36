// What every Host promises, asked of the one in memory and of the real one with both of its path resolvers.
#include <cerrno>

#include <sys/xattr.h>

#include "support/catch.hpp"
#include "twins.hpp"

namespace tunekeeper::test {

void RealTwin::set_xattr(std::string_view path, const std::string& name, const std::string& value) {
  if (::setxattr(dir_.inside(path).c_str(), name.c_str(), value.data(), value.size(), 0) != 0) {
    throw std::runtime_error("setxattr " + name);
  }
}

std::unique_ptr<Twin> make_twin(const std::string& kind) {
  if (kind == "memory") return std::make_unique<MemoryTwin>();
  return std::make_unique<RealTwin>(kind == "real: own walk" ? RealHost::Resolver::walk
                                                             : RealHost::Resolver::kernel);
}

}  // namespace tunekeeper::test

using namespace tunekeeper;
using namespace tunekeeper::test;
using Names = std::vector<std::string>;

namespace {

FileImage image_of(std::string bytes, std::uint32_t mode = 0644) {
  return {false, std::move(bytes), mode, ::geteuid(), ::getegid(), {}, false};
}

int error_of(const std::function<void()>& deed, std::string* words = nullptr) {
  try {
    deed();
  } catch (const HostError& error) {
    if (words != nullptr) *words = error.what();
    return error.error_number();
  }
  return 0;
}

}  // namespace

#define FOR_EACH_TWIN                                                             \
  const std::string kind = GENERATE("memory", "real: openat2", "real: own walk"); \
  INFO(kind);                                                                     \
  const auto twin = make_twin(kind);                                              \
  Host& host = twin->host();

TEST_CASE("a file is read whole, or up to a limit, absence and folders are values") {
  FOR_EACH_TWIN
  const std::string big(100'000, 'x');
  twin->add_file("/etc/big", big);
  twin->add_file("/etc/zero", std::string("a\0b", 3));
  CHECK(host.read("/etc/big").bytes == big);
  CHECK(host.read("/etc/big", 5).bytes == "xxxxx");
  CHECK(host.read("/etc/zero").bytes == std::string("a\0b", 3));
  CHECK(host.read("/etc/none").error == ENOENT);
  CHECK(host.read("/etc/none").absent());
  CHECK(host.read("/etc/big/below").error == ENOTDIR);
  CHECK(host.read("/etc/big/below").absent());
  CHECK(host.read("/etc").error == EISDIR);
}

TEST_CASE("a big file comes in pieces that make the whole, until one is enough") {
  FOR_EACH_TWIN
  const std::string big = std::string(200'000, 'x') + "end";
  twin->add_file("/etc/big", big);
  std::string whole;
  CHECK(host.read_pieces("/etc/big", [&](std::string_view piece) { return whole += piece, true; }) == 0);
  CHECK(whole == big);
  int pieces = 0;
  CHECK(host.read_pieces("/etc/big", [&](std::string_view) { return ++pieces, false; }) == 0);
  CHECK(pieces == 1);
  CHECK(host.read_pieces("/etc/none", [](std::string_view) { return true; }) == ENOENT);
}

TEST_CASE("F2: links resolve inside the root, absolute ones, chains and .. above the root too") {
  FOR_EACH_TWIN
  twin->add_file("/opt/real/file", "inside");
  twin->add_symlink("/etc/absolute", "/opt/real/file");
  twin->add_symlink("/etc/relative", "../opt/real/file");
  twin->add_symlink("/etc/escape", "../../../../opt/real/file");
  twin->add_symlink("/etc/chain", "absolute");
  twin->add_symlink("/etc/folder", "/opt/real");
  twin->add_symlink("/etc/loop", "loop");
  twin->add_symlink("/etc/dangling", "/opt/none");
  for (const char* path : {"/etc/absolute", "/etc/relative", "/etc/escape", "/etc/chain", "/etc/folder/file",
                           "/../etc/absolute", "/etc/folder/../real/file", "//etc/./absolute"}) {
    INFO(path);
    CHECK(host.read(path).bytes == "inside");
    CHECK(host.resolve(path) == "/opt/real/file");
  }
  CHECK(host.read("/etc/loop").error == ELOOP);
  CHECK(host.resolve("/etc/loop") == "/etc/loop");
  CHECK(host.resolve("/etc/dangling") == "/etc/dangling");
  CHECK(host.resolve("/nowhere/at/all") == "/nowhere/at/all");
  CHECK(host.read_link("/etc/chain") == "absolute");
  CHECK(host.read_link("/etc/folder/file") == std::nullopt);
  CHECK(host.read_link("/etc/none") == std::nullopt);
}

TEST_CASE("info tells kind, mode, owner and size, without following, those of the link") {
  FOR_EACH_TWIN
  twin->add_file("/etc/x", "four", 0640);
  twin->add_symlink("/etc/link", "x");
  const auto file = host.info("/etc/link");
  REQUIRE(file);
  CHECK(file->kind == FileKind::regular);
  CHECK(file->mode == 0640);
  CHECK(file->uid == ::geteuid());
  CHECK(file->size == 4);
  CHECK(file->mtime_ns > 1'500'000'000'000'000'000);
  CHECK(file->inode == host.info("/etc/x")->inode);
  CHECK(host.info("/etc/link", false)->kind == FileKind::symlink);
  CHECK(host.info("/etc")->kind == FileKind::directory);
  CHECK(host.info("/")->kind == FileKind::directory);
  CHECK_FALSE(host.info("/etc/none"));
  CHECK_FALSE(host.info("/etc/x/none"));
}

TEST_CASE("a folder lists its names in byte order, dotfiles too") {
  FOR_EACH_TWIN
  for (const char* name : {"b", "a", "_u", "B", "10", "9", ".hid", "a-b", "ab"}) {
    twin->add_file(std::string("/d/") + name, "");
  }
  twin->add_file("/d/a.d/below", "");
  CHECK(host.list("/d") == Names{".hid", "10", "9", "B", "_u", "a", "a-b", "a.d", "ab", "b"});
  CHECK(host.list("/none").empty());
  CHECK(host.list("/d/a").empty());
}

TEST_CASE("globs match within components, in byte order, and a dot only by a dot") {
  FOR_EACH_TWIN
  for (const char* path : {"/s/block/sda/queue/scheduler", "/s/block/sdb/queue/scheduler",
                           "/s/block/dm-0/queue/x", "/s/block/.hid/queue/scheduler", "/s/b[x]/f"}) {
    twin->add_file(path, "");
  }
  twin->add_symlink("/s/link", "block/sda");
  CHECK(host.glob("/s/block/*/queue/scheduler") ==
        Names{"/s/block/sda/queue/scheduler", "/s/block/sdb/queue/scheduler"});
  CHECK(host.glob("/s/block/sd[!a]/queue/*") == Names{"/s/block/sdb/queue/scheduler"});
  CHECK(host.glob("/s/block/.h*") == Names{"/s/block/.hid"});
  CHECK(host.glob("/s/li?k/queue/sch*r") == Names{"/s/link/queue/scheduler"});
  CHECK(host.glob("/s/block/sda") == Names{"/s/block/sda"});
  CHECK(host.glob("/s/b\\[x]/f") == Names{"/s/b[x]/f"});
  CHECK(host.glob("/s/none/*").empty());
}

TEST_CASE("put makes a file with its mode, and puts a present one in its place") {
  FOR_EACH_TWIN
  twin->add_directory("/etc");
  host.put("/etc/new", image_of("one", 0600));
  CHECK(host.image("/etc/new") == image_of("one", 0600));
  host.put("/etc/new", image_of("two", 0644));
  CHECK(host.image("/etc/new") == image_of("two", 0644));
  CHECK(host.list("/etc") == Names{"new"});
}

TEST_CASE("put of an absent image removes the file, absence of an absent one is no news") {
  FOR_EACH_TWIN
  twin->add_file("/etc/x", "1");
  host.put("/etc/x", FileImage{});
  CHECK_FALSE(host.exists("/etc/x"));
  CHECK(host.image("/etc/x") == FileImage{});
  CHECK(host.image("/etc/none/below").absent);
  host.put("/etc/x", FileImage{});
  host.put("/etc/none/below", FileImage{});
}

TEST_CASE("F2: a symlink stays one and its target is written, a dangling one too") {
  FOR_EACH_TWIN
  twin->add_file("/opt/target", "old");
  twin->add_symlink("/etc/link", "/opt/target");
  twin->add_symlink("/etc/dangling", "/opt/new");
  host.put("/etc/link", image_of("new"));
  host.put("/etc/dangling", image_of("made"));
  CHECK(host.read_link("/etc/link") == "/opt/target");
  CHECK(host.read("/opt/target").bytes == "new");
  CHECK(host.read("/opt/new").bytes == "made");
  CHECK(host.list("/etc") == Names{"dangling", "link"});
  CHECK(host.list("/opt") == Names{"new", "target"});
}

TEST_CASE("a path itself can be replaced: a link by a file, a file by a link, and its target stays") {
  FOR_EACH_TWIN
  twin->add_file("/opt/target", "old");
  twin->add_symlink("/etc/link", "/opt/target");
  twin->add_file("/etc/file", "bytes");
  const FileImage link = host.image("/etc/link", false);
  CHECK(link.is_link);
  CHECK(link.bytes == "/opt/target");
  CHECK_FALSE(host.image("/etc/link").is_link);
  host.put("/etc/link", image_of("own"), false);
  host.put("/etc/file", link, false);
  CHECK_FALSE(host.read_link("/etc/link"));
  CHECK(host.read("/etc/link").bytes == "own");
  CHECK(host.read_link("/etc/file") == "/opt/target");
  CHECK(host.image("/etc/file", false) == link);
  host.put("/etc/file", FileImage{}, false);
  CHECK(host.list("/etc") == Names{"link"});
  CHECK(host.read("/opt/target").bytes == "old");
}

TEST_CASE("F3: extended attributes are part of the image and come back with it") {
  FOR_EACH_TWIN
  twin->add_file("/etc/x", "old");
  twin->set_xattr("/etc/x", "user.note", std::string("a\0b", 3));
  auto image = host.image("/etc/x");
  CHECK(image.xattrs == std::map<std::string, std::string>{{"user.note", std::string("a\0b", 3)}});
  image.bytes = "new";
  host.put("/etc/x", image);
  CHECK(host.image("/etc/x") == image);
}

TEST_CASE("a write that cannot be says what, where and why") {
  FOR_EACH_TWIN
  twin->add_file("/etc/file", "");
  std::string words;
  CHECK(error_of([&] { host.put("/none/x", image_of("")); }, &words) == ENOENT);
  CHECK(words == "cannot write /none/x: No such file or directory");
  CHECK(error_of([&] { host.put("/etc/file/x", image_of("")); }) == ENOTDIR);
  CHECK(error_of([&] { host.put("/etc", image_of("")); }) == EISDIR);
  CHECK(error_of([&] { host.put("/etc", FileImage{}); }) == EISDIR);
  CHECK(error_of([&] { host.make_directory("/etc/file"); }) == EEXIST);
  CHECK(error_of([&] { host.make_directory("/etc/file/below"); }) == ENOTDIR);
  CHECK(error_of([&] { host.remove_directory("/etc/file"); }) == ENOTDIR);
  CHECK(error_of([&] { host.append_durably("/none/x", "1"); }) == ENOENT);
  CHECK(error_of([&] { host.image("/etc"); }, &words) == EISDIR);
  CHECK(words == "cannot read /etc: Is a directory");
}

TEST_CASE("folders are made with their parents and mode, and removed only when empty") {
  FOR_EACH_TWIN
  host.make_directory("/var/lib/tunekeeper/state", 0700);
  host.make_directory("/var/lib/tunekeeper/state", 0755);
  CHECK(host.info("/var/lib/tunekeeper/state")->mode == 0700);
  host.remove_directory("/var/lib/tunekeeper");
  CHECK(host.exists("/var/lib/tunekeeper/state"));
  host.remove_directory("/var/lib/tunekeeper/state");
  host.remove_directory("/var/lib/tunekeeper/state");
  CHECK(host.list("/var/lib/tunekeeper").empty());
}

TEST_CASE("appended records follow each other, a new journal is private") {
  FOR_EACH_TWIN
  twin->add_directory("/var");
  host.append_durably("/var/journal", "one\n");
  host.append_durably("/var/journal", "two\n");
  CHECK(host.read("/var/journal").bytes == "one\ntwo\n");
  CHECK(host.info("/var/journal")->mode == 0600);
}

TEST_CASE("F5: a lock is one holder's, says whose, and ends with its holder") {
  FOR_EACH_TWIN
  twin->add_directory("/run");
  auto first = host.lock("/run/lock", "pid 1\n");
  REQUIRE(first);
  CHECK(host.read("/run/lock").bytes == "pid 1\n");
  CHECK_FALSE(host.lock("/run/lock", "pid 2\n"));
  CHECK(host.read("/run/lock").bytes == "pid 1\n");
  first.reset();
  CHECK(host.lock("/run/lock", "2\n"));
  CHECK(host.read("/run/lock").bytes == "2\n");
}

TEST_CASE("a lock file that a dead process left is no lock") {
  FOR_EACH_TWIN
  twin->add_file("/run/lock", "pid 4711, long dead\n");
  CHECK(host.lock("/run/lock", "pid 1\n"));
  CHECK(host.read("/run/lock").bytes == "pid 1\n");
}

TEST_CASE("a staged kernel value is replaced whole by the value and one newline, and never made") {
  FOR_EACH_TWIN
  twin->add_file("/etc/value", "always [madvise] never\n", 0640);
  CHECK(host.is_staged("/etc/value"));
  CHECK_FALSE(host.is_staged("/etc/none"));
  CHECK(host.write_live("/etc/value", "never").error == 0);
  CHECK(host.read("/etc/value").bytes == "never\n");
  CHECK(host.info("/etc/value")->mode == 0640);
  CHECK(host.write_live("/etc/none", "1").error == ENOENT);
  CHECK_FALSE(host.exists("/etc/none"));
  CHECK(host.write_live("/etc", "1").error == EISDIR);
}

TEST_CASE("free space is told of a file system, and not of what is absent") {
  FOR_EACH_TWIN
  twin->add_directory("/var");
  CHECK(host.free_space("/var").value_or(0) > 0);
  CHECK_FALSE(host.free_space("/none"));
}

TEST_CASE("on another root no program of this machine runs") {
  FOR_EACH_TWIN
  CHECK(host.is_other_root());
  CHECK(host.probe({"true"}).status == -1);
  CHECK(host.run({"true"}).status == -1);
  CHECK(host.run({"true"}).err == "refused: this host is another root");
  // In the root it may run, but this one has no such program.
  CHECK(host.run({"true"}, {std::chrono::seconds(5), 100, true}).status == -1);
}
