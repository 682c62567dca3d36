#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/mycnf_tree.hpp"
#include "providers/provider.hpp"

namespace tunekeeper::mysql {

/// Name of our drop-in, in the include directory that is read last.
constexpr std::string_view drop_in_name = "zz-tunekeeper.cnf";
constexpr std::string_view drop_in_header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

/// Which server this host has, from the facts; MariaDB where they do not say.
struct Server {
  std::string flavor = "mariadb";  ///< mariadb | mysql
  std::string version;             ///< "10.11.19", or empty
  std::string unit;                ///< "mariadb.service"
  std::string service;             ///< "mariadb"

  static Server of(const Context& context);
  MyCnfDialect dialect() const { return MyCnfDialect::of(flavor, version); }
  /// "MariaDB 10.11.19", for people.
  std::string title() const;
};

/// Whether MySQL or MariaDB has its configuration on this host.
bool is_installed(const HostView& host);

/// A value that wins over every option file.
struct Override {
  std::string value;
  std::string
      decided_by;    ///< "var/lib/mysql/mysqld-auto.cnf", "etc/systemd/system/mariadb.service.d/x.conf:3"
  std::string told;  ///< who decides, as a subject: "the command line of mariadb.service"
  std::string cure;  ///< what a person can do about it, of "{name}" and "{service}"
};

/// The `--name=value` arguments with which the unit starts the server.
struct CommandLine {
  std::map<std::string, Override> options;  ///< by option name
  std::optional<std::string> defaults_file;
  std::optional<std::string> extra_file;
  bool no_defaults = false;
};

CommandLine read_command_line(const HostView& host, const Server& server);

/// Everything that decides what the server will read at its next start, each file read once.
class ServerFiles {
 public:
  /// `known` are names of variables in byte order, where the server was asked; else empty.
  ServerFiles(const HostView& host, Server server, std::vector<std::string> known);

  const Server& server() const { return server_; }
  const MyCnfTree& tree() const { return *tree_; }
  /// mysqld-auto.cnf or the unit's command line, where one of them states the option.
  const Override* override_of(std::string_view name) const;
  /// Why the option's value cannot be told: a file that we may not read; empty where it can.
  std::string unknown() const;
  /// Why the server would not start; empty where it would.
  const std::string& fatal() const { return tree_->fatal(); }
  /// The last value of an option in the files, as text; nothing where none states it.
  std::optional<std::string> text(std::string_view name) const;
  /// Path of our drop-in; nothing where no include directory is read.
  std::optional<std::string> drop_in() const;
  /// Whether a line in our drop-in would be read after this occurrence.
  bool drop_in_outranks(const MyCnfTree::Occurrence& found) const;

 private:
  void read_auto_cnf(const HostView& host);

  Server server_;
  CommandLine command_line_;
  std::unique_ptr<MyCnfTree> tree_;
  std::map<std::string, Override> persisted_;
  std::string auto_cnf_problem_;
};

}  // namespace tunekeeper::mysql
