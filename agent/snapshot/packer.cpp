#include "snapshot/packer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "host/fd.hpp"
#include "host/host.hpp"
#include "snapshot/durable_objects.hpp"

namespace tunekeeper {
namespace {

namespace fs = std::filesystem;

using PackBuilderHandle = std::unique_ptr<git_packbuilder, GitDeleter<&GitLibrary::packbuilder_free>>;
using OdbHandle = std::unique_ptr<git_odb, GitDeleter<&GitLibrary::odb_free>>;

constexpr int kLooseObjects = 2000;       ///< act on more than that
constexpr std::size_t kSmallPacks = 10;   ///< that many are merged into one
constexpr std::uint32_t kSmall = 10'000;  ///< objects: a larger pack is left as it is
constexpr const char* kList = "/tunekeeper.packs";
constexpr const char* kLock = "/gc.pid";

/// Names in a folder; none of one that is not there.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) names.push_back(entry.path().filename());
  return names;
}

bool is_hex(const std::string& name, std::size_t length) {
  return name.size() == length && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Ids of the loose objects whose folder is "17".
std::vector<std::string> loose_in(const std::string& objects, const std::string& folder) {
  std::vector<std::string> ids;
  for (const std::string& name : names_in(objects + folder)) {
    if (is_hex(name, GIT_OID_HEXSZ - 2)) ids.push_back(folder + name);
  }
  return ids;
}

std::vector<std::string> all_loose(const std::string& objects) {
  std::vector<std::string> ids;
  for (const std::string& folder : names_in(objects)) {
    if (!is_hex(folder, 2)) continue;
    for (std::string& id : loose_in(objects, folder)) ids.push_back(std::move(id));
  }
  return ids;
}

git_oid id_of(const std::string& hex) {
  git_oid id;
  check_git(git().oid_fromstr(&id, hex.c_str()), "oid_fromstr");
  return id;
}

/// How many objects a pack has: the last of its index's 256 running sums (gitformat-pack(5), version 2); none
/// where that cannot be read.
std::uint32_t object_count(const std::string& index) {
  std::array<unsigned char, 4> sum{};
  std::ifstream file(index, std::ios::binary);
  file.seekg(8 + 255 * 4);
  if (!file.read(reinterpret_cast<char*>(sum.data()), sum.size())) return 0;
  return std::uint32_t(sum[0]) << 24 | std::uint32_t(sum[1]) << 16 | std::uint32_t(sum[2]) << 8 | sum[3];
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// git's lock on this work: a file with a process id and a host's name. One of a process of this host that
/// has ended, git takes over, and so do we.
class CollectorLock {
 public:
  explicit CollectorLock(std::string path) : path_(std::move(path)) {
    if (is_left_by_the_dead()) unlink(path_.c_str());
    const Fd file(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return;
    const std::string text = fmt::format("{} {}", getpid(), host_name());
    taken_ = true;
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw HostError("write", path_, errno);
  }
  ~CollectorLock() {
    if (taken_) unlink(path_.c_str());
  }
  CollectorLock(const CollectorLock&) = delete;
  CollectorLock& operator=(const CollectorLock&) = delete;

  bool taken() const { return taken_; }

 private:
  bool is_left_by_the_dead() const {
    std::ifstream file(path_);
    pid_t pid = 0;
    std::string host;
    if (!(file >> pid >> host)) return fs::is_empty(path_, failure_);
    return pid > 0 && host == host_name() && kill(pid, 0) != 0 && errno == ESRCH;
  }

  std::string path_;
  bool taken_ = false;
  mutable std::error_code failure_;
};

int collect_id(const git_oid* id, void* ids) {
  static_cast<std::vector<git_oid>*>(ids)->push_back(*id);
  return 0;
}

/// Ids of all objects of a pack.
void add_ids(const std::string& index, std::vector<git_oid>& ids) {
  const auto odb = make_git<OdbHandle>("odb_new", git().odb_new);
  git_odb_backend* backend = nullptr;
  check_git(git().odb_backend_one_pack(&backend, index.c_str()), "odb_backend_one_pack");
  check_git(git().odb_add_backend(odb.get(), backend, 1), "odb_add_backend");
  check_git(git().odb_foreach(odb.get(), collect_id, &ids), "odb_foreach");
}

void sync_folder(const std::string& folder) {
  const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || fsync(fd.get()) != 0) throw HostError("sync", folder, errno);
}

}  // namespace

void Packer::pack_if_due() const {
  if (!is_due()) return;
  const CollectorLock lock(directory_ + kLock);
  if (!lock.taken()) return;  // git is at it
  pack_loose();
  merge_small();
}

void Packer::remove_leftovers(const std::string& git_directory) {
  const CollectorLock lock(git_directory + kLock);
  if (!lock.taken()) return;
  unlink((git_directory + kList + std::string("-tmp")).c_str());
  const std::string packs = git_directory + "/objects/pack/";
  for (const std::string& name : names_in(packs)) {
    if (name.starts_with("pack_git2_")) unlink((packs + name).c_str());
  }
}

int Packer::threshold() const {
  const auto config = make_git<ConfigHandle>("repository_config", git().repository_config, repository_);
  std::int32_t wanted = 0;
  const int found = git().config_get_int32(&wanted, config.get(), "gc.auto");
  return found == 0 ? wanted : kLooseObjects;
}

/// Ids are random, so that one folder of the 256 tells of all; a small threshold is counted out.
bool Packer::is_due() const {
  const int wanted = threshold();
  if (wanted <= 0) return false;
  const std::string objects = directory_ + "/objects/";
  if (wanted < 512) return all_loose(objects).size() > static_cast<std::size_t>(wanted);
  return loose_in(objects, "17").size() > static_cast<std::size_t>(wanted) / 256;
}

void Packer::pack_loose() const {
  const std::string objects = directory_ + "/objects/";
  const std::vector<std::string> loose = all_loose(objects);
  std::vector<git_oid> ids;
  for (const std::string& id : loose) ids.push_back(id_of(id));
  write(ids);
  for (const std::string& id : loose) {
    unlink((objects + id.substr(0, 2) + "/" + id.substr(2)).c_str());
    rmdir((objects + id.substr(0, 2)).c_str());  // where it was the last one
  }
}

void Packer::merge_small() const {
  // Such an index over all packs would miss those that go.
  if (fs::exists(packs_ + "multi-pack-index")) return;
  std::vector<std::string> small;
  for (const std::string& name : own_packs()) {
    if (object_count(packs_ + name + ".idx") <= kSmall) small.push_back(name);
  }
  if (small.size() < kSmallPacks) return;
  std::vector<git_oid> ids;
  for (const std::string& name : small) add_ids(packs_ + name + ".idx", ids);
  const std::vector<std::string> before = own_packs();
  write(ids);
  const std::vector<std::string> after = own_packs();
  if (after.size() <= before.size()) return;  // one of them held all
  for (const std::string& name : small) {
    // git knows a pack by its index, so that goes first.
    unlink((packs_ + name + ".idx").c_str());
    unlink((packs_ + name + ".pack").c_str());
  }
}

/// Writes a pack of these objects, durably, and notes it as ours.
void Packer::write(const std::vector<git_oid>& ids) const {
  const auto builder = make_git<PackBuilderHandle>("packbuilder_new", git().packbuilder_new, repository_);
  for (const git_oid& id : ids)
    check_git(git().packbuilder_insert(builder.get(), &id, nullptr), "packbuilder_insert");
  const std::vector<std::string> before = names_in(packs_);
  {
    const SyncEachFile durably;
    check_git(git().packbuilder_write(builder.get(), nullptr, 0444, nullptr, nullptr), "packbuilder_write");
  }
  sync_folder(packs_);
  note_own(before);
}

/// Names of the packs that are ours and still there, without their ending.
std::vector<std::string> Packer::own_packs() const {
  std::vector<std::string> names;
  std::ifstream list(directory_ + kList);
  for (std::string name; std::getline(list, name);) {
    const bool is_name = name.starts_with("pack-") && is_hex(name.substr(5), GIT_OID_HEXSZ);
    if (!is_name || !fs::exists(packs_ + name + ".idx") || !fs::exists(packs_ + name + ".pack")) continue;
    if (!fs::exists(packs_ + name + ".keep")) names.push_back(name);
  }
  return names;
}

/// A pack that is not on the list is never merged; that is all that a list which is lost does.
void Packer::note_own(const std::vector<std::string>& before) const {
  std::set<std::string> names;
  for (const std::string& name : own_packs()) names.insert(name);
  for (const std::string& name : names_in(packs_)) {
    const bool is_new = std::find(before.begin(), before.end(), name) == before.end();
    if (is_new && name.ends_with(".idx") && name.starts_with("pack-"))
      names.insert(name.substr(0, name.size() - 4));
  }
  const std::string path = directory_ + kList;
  const std::string temporary = path + "-tmp";
  std::ofstream file(temporary, std::ios::trunc);
  for (const std::string& name : names) file << name << "\n";
  if (!file.flush() || std::rename(temporary.c_str(), path.c_str()) != 0)
    throw HostError("write", path, errno);
}

}  // namespace tunekeeper
