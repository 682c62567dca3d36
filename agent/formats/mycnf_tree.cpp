#include "formats/mycnf_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

/// The deepest file whose includes are still followed is at depth 9.
constexpr int include_depth = 10;
/// Files that include each other are read again and again up to the depth; beyond this many we give up.
constexpr int most_visits = 5000;
/// Options that the server reads, over all files; beyond this many we give up, so that memory stays bounded.
constexpr std::size_t most_occurrences = 50'000;

/// A relative path hangs on the server's working directory; systemd starts services in /.
std::string absolute(std::string_view path) {
  return path.substr(0, 1) == "/" ? std::string(path) : fmt::format("/{}", path);
}

std::string without_last_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string join(std::string_view directory, std::string_view name) {
  return directory == "/" ? fmt::format("/{}", name) : fmt::format("{}/{}", directory, name);
}

bool is_option_file(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && name.substr(dot) == ".cnf";
}

}  // namespace

MyCnfTree::MyCnfTree(MyCnfQuery query, const MyCnfDoor& door) : query_(std::move(query)) {
  for (const std::string& path : query_.files) {
    if (visit(path, 0, door) == Outcome::read) continue;
    if (fatal_.empty()) fatal_ = stop_reason_;
    return;
  }
}

const MyCnfTree::File* MyCnfTree::file(std::string_view path) const {
  const auto found = by_path_.find(std::string(path));
  return found == by_path_.end() ? nullptr : found->second;
}

std::vector<const MyCnfTree::Occurrence*> MyCnfTree::of(std::string_view name) const {
  const auto found = by_name_.find(option_name(name, query_.dialect, query_.known).name);
  if (found == by_name_.end()) return {};
  return found->second;
}

void MyCnfTree::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

const MyCnfTree::File* MyCnfTree::load(const std::string& path, const MyCnfDoor& door) {
  const auto [at, is_new] = by_path_.try_emplace(path, nullptr);
  if (!is_new) return at->second;
  MyCnfAnswer answer = door.read(path);
  switch (answer.status) {
    case MyCnfAnswer::Status::read:
      at->second = &files_.emplace_back(path, std::move(answer.bytes), query_.dialect);
      break;
    case MyCnfAnswer::Status::absent:
      break;
    case MyCnfAnswer::Status::unreadable:
      unreadable_.push_back(fmt::format("cannot read {}: {}", path, answer.reason));
      break;
    case MyCnfAnswer::Status::world_writable:
      note(fmt::format("the server does not read {}: it is world-writable", path));
      break;
  }
  return at->second;
}

MyCnfTree::Outcome MyCnfTree::visit(const std::string& path, int depth, const MyCnfDoor& door) {
  const File* file = load(path, door);
  if (file == nullptr) return Outcome::read;
  if (++visits_ > most_visits) {
    fatal_ =
        fmt::format("option files include each other more than {} times, {} among them", most_visits, path);
    return Outcome::stopped;
  }
  const MyCnf& parsed = file->parsed;
  bool wanted = false;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    switch (parsed.kind(i)) {
      case MyCnf::Kind::group:
        wanted = std::any_of(query_.groups.begin(), query_.groups.end(), [&](const std::string& group) {
          return same_group(group, parsed.group_name(i));
        });
        break;
      case MyCnf::Kind::option:
        if (wanted && occurrences_.size() == most_occurrences) {
          fatal_ = fmt::format("{}:{}: more than {} options for the server", path, parsed.line(i),
                               most_occurrences);
          return Outcome::stopped;
        }
        if (wanted) take(*file, i);
        break;
      default:
        if (include(*file, i, depth, door) == Outcome::stopped) return Outcome::stopped;
    }
  }
  if (!parsed.problem()) return Outcome::read;
  stop_reason_ = fmt::format("{}:{}: {}", path, parsed.problem()->line, parsed.problem()->what);
  if (depth > 0) note(fmt::format("the server stops reading at {}", stop_reason_));
  return Outcome::stopped;
}

/// A file that the reader gives up on stops only itself, unless it is a first one.
MyCnfTree::Outcome MyCnfTree::include(const File& file, std::size_t statement, int depth,
                                      const MyCnfDoor& door) {
  if (depth >= include_depth) {
    note(fmt::format("{}:{}: not followed, includes are nested too deeply", file.path,
                     file.parsed.line(statement)));
    return Outcome::read;
  }
  if (file.parsed.kind(statement) == MyCnf::Kind::include_dir) {
    return include_directory(file, statement, depth, door);
  }
  visit(absolute(file.parsed.include_path(statement)), depth + 1, door);
  return fatal_.empty() ? Outcome::read : Outcome::stopped;
}

MyCnfTree::Outcome MyCnfTree::include_directory(const File& file, std::size_t statement, int depth,
                                                const MyCnfDoor& door) {
  const std::string directory = without_last_slash(absolute(file.parsed.include_path(statement)));
  const auto names = door.list(directory);
  if (!names) {
    stop_reason_ =
        fmt::format("{}:{}: there is no directory {}", file.path, file.parsed.line(statement), directory);
    if (depth > 0) note(fmt::format("the server stops reading at {}", stop_reason_));
    return Outcome::stopped;
  }
  const std::size_t slot = slots_.size();
  slots_.push_back({directory, occurrences_.size()});
  for (const std::string& name : *names) {
    if (!is_option_file(name)) continue;
    visit(join(directory, name), depth + 1, door);
    if (!fatal_.empty()) return Outcome::stopped;
    if (name <= query_.drop_in) slots_[slot].position = occurrences_.size();
  }
  return Outcome::read;
}

void MyCnfTree::take(const File& file, std::size_t statement) {
  const MyCnfOption option = file.parsed.option(statement);
  const Occurrence& found = occurrences_.emplace_back(
      Occurrence{&file, option, option_name(option.key, query_.dialect, query_.known), occurrences_.size()});
  if (!found.name.maximum) by_name_[found.name.name].push_back(&found);
}

}  // namespace tunekeeper
