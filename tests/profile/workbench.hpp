#pragma once

#include <string>
#include <vector>

#include "host/memory_host.hpp"
#include "profile/evaluate.hpp"
#include "profile/loader.hpp"
#include "support/facts.hpp"

namespace tunekeeper::test {

inline std::optional<std::string> sysfs_problem(std::span<const std::string> path) {
  if (path.front().find("..") != std::string::npos) return "cannot leave /sys";
  return std::nullopt;
}

inline std::optional<std::string> nginx_problem(std::span<const std::string> path) {
  if (path.back() == "worker_conections") return "no directive of nginx's events block";
  return std::nullopt;
}

/// Sections of every shape that providers have.
inline const Sections& test_sections() {
  static constexpr std::string_view nginx_keys[] = {"worker_processes", "worker_connections"};
  static const auto is_block = [](std::span<const std::string> path) {
    return path.size() == 1 && (path[0] == "events" || path[0] == "http");
  };
  static const auto is_unit = [](std::span<const std::string> path) { return path.size() < 3; };
  static const SectionSpec sysctl{.name = "sysctl", .id_prefix = "sysctl"};
  static const SectionSpec sysfs{.name = "sysfs", .id_prefix = "sysfs", .key_problem = sysfs_problem};
  static const SectionSpec grub{.name = "grub", .id_prefix = "grub", .lists = true, .flags = true};
  static const SectionSpec mysql{.name = "mysql", .id_prefix = "mysql", .fractions = false};
  static const SectionSpec nginx{.name = "nginx",
                                 .id_prefix = "nginx",
                                 .is_group = is_block,
                                 .fractions = true,
                                 .key_problem = nginx_problem,
                                 .known_keys = nginx_keys};
  static const SectionSpec units{.name = "units", .id_prefix = "unit", .is_group = is_unit};
  static const SectionSpec files{.name = "files", .id_prefix = "file", .templates = true};
  static const Sections all = {&sysctl, &sysfs, &grub, &mysql, &nginx, &units, &files};
  return all;
}

/// A host with profiles in memory, and what it takes to load and evaluate them.
struct Workbench {
  MemoryHost host;
  StatedFacts facts;
  Evaluator evaluator;
  std::string profile_path;
  std::uint32_t uid = 0;

  static constexpr const char* shipped = "/usr/share/tunekeeper/profiles/";

  Workbench() {
    facts.set("memory.total", std::int64_t{8} << 30);
    facts.set("numa.nodes", std::int64_t{2});
    facts.set("mysql.disks", std::vector<std::string>{"sda", "nvme0n1"});
    facts.set("mysql.storage", std::string("ssd"));
    facts.offer("mysql.storage", {"hdd", "ssd", "nvme", "virtual"});
    facts.set("mysql.version", std::string("10.11.19"));
    facts.set("mysql.flavor", std::string("mariadb"));
    facts.miss("mysql.role", "the server is not running");
  }

  Workbench& add(const std::string& name, std::string yaml) {
    host.add_file(shipped + name + ".yaml", std::move(yaml));
    return *this;
  }

  Loader loader() { return Loader({host, host, test_sections(), facts, evaluator, profile_path, uid}); }
  Profile load(std::string_view word, const Vars& host_vars = {}) { return loader().load(word, host_vars); }
  Evaluation evaluate(std::string_view word, const Vars& host_vars = {}) {
    const Profile profile = load(word, host_vars);
    return tunekeeper::evaluate(profile, facts, evaluator, [](std::string_view) { return true; });
  }
  /// Evaluates a profile of just this text.
  Evaluation of(std::string yaml) {
    add("p", std::move(yaml));
    return evaluate("p");
  }

  /// The faults of a profile, a line each, without the shipped folder; "" when it loads and evaluates.
  std::string faults(std::string_view word) {
    try {
      evaluate(word);
      return "";
    } catch (const InvalidProfile& invalid) {
      std::string lines = invalid.what();
      for (std::size_t at; (at = lines.find(shipped)) != std::string::npos;)
        lines.erase(at, std::string_view(shipped).size());
      return lines;
    }
  }
  std::string faults_of(std::string yaml) {
    add("p", std::move(yaml));
    return faults("p");
  }
};

/// "sysctl:vm.swappiness = 1", a line each, in order.
inline std::string lines(const Evaluation& evaluation) {
  std::string text;
  for (const auto& desired : evaluation.desired) text += desired.id + " = " + describe(desired) + "\n";
  for (const auto& unresolved : evaluation.unresolved)
    text += unresolved.wish.id + " ? " + (unresolved.section_absent ? "section absent" : unresolved.reason) +
            "\n";
  return text;
}

}  // namespace tunekeeper::test
