#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "core/facts.hpp"
#include "core/row.hpp"
#include "core/section.hpp"
#include "host/bus/bus.hpp"
#include "host/host.hpp"
#include "host/mysql/server_conn.hpp"

namespace tunekeeper {

/// An answer of an owner's program that is too dear to ask for at each look: a file of our own state.
struct Lesson {
  std::string path;
  std::string bytes;
};

/// All that a provider may look at. It can look; it cannot write.
struct Context {
  const HostView& host;
  const FactSource& facts;
  /// Null on another root, and where systemd does not run.
  const Bus* bus = nullptr;
  /// Opens a connection to the server on first use; null where no server may be contacted.
  const ServerConnector* server = nullptr;
  /// Who runs this: files of our own state are believed when they are root's or theirs.
  std::uint32_t caller_uid = 0;
  /// What this run was taught; it counts before what is kept on disk.
  std::vector<Lesson> lessons = {};
};

/// What a setting's statement in one file was before tunekeeper touched it, raw.
struct FileOriginal {
  std::string path;
  /// The exact bytes of each statement of the setting in that file, in order; empty when it was not stated
  /// there.
  std::vector<std::string> statements;

  bool operator==(const FileOriginal&) const = default;
};

/// One owner of settings: reads every plane of them, and says as data what would change them.
class Provider {
 public:
  virtual ~Provider() = default;

  /// The shape of its section in a profile.
  virtual const SectionSpec& section() const = 0;

  /// Why the section's owner is not on this host ("nginx is not installed"); empty when it is. Expressions of
  /// an absent owner's section are not evaluated.
  virtual std::string absence(const Context& context) const;

  /// Globs and aliases to what this host has: `block/*/queue/scheduler` to one setting a disk, `units: mysql`
  /// to mariadb.service. A glob without a match stays as it is (and is observed as unsupported).
  virtual std::vector<Desired> expand(const Context& context, Desired desired) const;

  /// What each setting has on each plane; in the order of `wanted`. Reads each file once for all of them.
  /// Never throws for what a file holds: a file that does not parse makes the settings that hang on it
  /// failed.
  virtual std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const = 0;

  /// Actions that make these rows right on the planes that are wrong; rows in sync, unsupported and failed
  /// are not among them. Order within a phase is the order that the owner needs.
  virtual std::vector<Action> plan(const Context& context, std::span<const Row> rows) const = 0;

  /// Whether plan() is also given the rows in sync, because a change of one setting resets others (a disk's
  /// scheduler).
  virtual bool plans_around_settled_rows() const;

  /// The exact bytes with which this file states the setting, in order; empty when it does not. Pure.
  virtual std::vector<std::string> statements(const std::string& id, const std::string& path,
                                              std::string_view bytes) const = 0;
  /// Splices that make the file state the setting by exactly these bytes, each where a present statement
  /// stands, the rest where a new one goes; with none, all are removed. Pure. statements(restate(x)) == x.
  virtual std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                                      const std::vector<std::string>& statements) const = 0;

  /// The live value to record as an original, and the action that puts a recorded one back; nothing where
  /// this provider has no live plane that it writes.
  virtual std::optional<Action> restore_live(const Context& context, const std::string& id,
                                             const std::string& original) const;

  /// Actions that an owner needs after its files were put back (generate grub.cfg, check and reload nginx).
  virtual std::vector<Action> after_files(const Context& context, std::span<const std::string> paths) const;

  /// Why this wish must not be granted without --force (DESIGN's guard rails); empty when it may.
  virtual std::string guard(const Context& context, const Row& row) const;

  /// What observe() had to know of these rows and finds neither in the context nor on disk: asked of the
  /// owner's program. Only apply asks, of rows that it would write; nothing where nothing new can be learnt.
  virtual std::optional<Lesson> learn(const Context& context, std::span<const Row> rows) const;

  /// Whether a file of ours says nothing any more (only our header is left) and should be removed.
  virtual bool is_spent(const std::string& path, std::string_view bytes) const;
};

/// Every provider, in byte order of their folders. The registry is written by CMake: a folder providers/NAME
/// defines `std::unique_ptr<Provider> make_NAME_provider()` in this namespace, and needs no other line
/// anywhere.
const std::vector<std::unique_ptr<Provider>>& all_providers();

}  // namespace tunekeeper
