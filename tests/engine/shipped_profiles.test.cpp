#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/real_host.hpp"
#include "profile/evaluate.hpp"
#include "profile/loader.hpp"
#include "providers/provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t gib = 1 << 30;

/// A host described by its facts alone.
class GivenFacts : public FactSource {
 public:
  explicit GivenFacts(std::map<std::string, Scalar, std::less<>> facts) : facts_(std::move(facts)) {
    for (const auto& [name, value] : facts_) names_.push_back(name);
  }

  FactValue fact(std::string_view name) const override {
    const auto found = facts_.find(name);
    if (found == facts_.end()) return {};
    return {FactValue::Kind::value, found->second, {}};
  }
  const std::vector<std::string>& names() const override { return names_; }

 private:
  std::map<std::string, Scalar, std::less<>> facts_;
  std::vector<std::string> names_;
};

std::map<std::string, Scalar, std::less<>> database_server() {
  return {{"memory.total", 64 * gib},
          {"memory.available_to_service", 64 * gib},
          {"numa.nodes", std::int64_t{2}},
          {"mysql.flavor", std::string("mariadb")},
          {"mysql.version", std::string("10.11.19")},
          {"mysql.storage", std::string("nvme")},
          {"mysql.disks", std::vector<std::string>{"nvme0n1", "nvme1n1"}},
          {"mysql.mounted_device", std::string("dm-0")},
          {"mysql.free", 200 * gib}};
}

Sections all_sections() {
  Sections sections;
  for (const auto& provider : all_providers()) sections.push_back(&provider->section());
  return sections;
}

/// What a shipped profile asks of a host with these facts: values by id.
class Asked {
 public:
  Asked(const std::string& profile, const std::map<std::string, Scalar, std::less<>>& given,
        const Vars& vars = {})
      : facts_(given), profile_(load(profile, vars)) {
    const auto present = [](std::string_view) { return true; };
    for (const Desired& wish : evaluate(profile_, facts_, evaluator_, present).desired) {
      wishes_.emplace(wish.id, wish);
    }
  }

  const Profile& profile() const { return profile_; }
  bool has(const std::string& id) const { return wishes_.count(id) != 0; }
  std::string value(const std::string& id) const {
    const auto found = wishes_.find(id);
    return found == wishes_.end() ? "(not asked for)" : to_string(found->second.value);
  }

 private:
  Profile load(const std::string& profile, const Vars& vars) {
    RealHost machine("/");
    Loader loader({machine, machine, all_sections(), facts_, evaluator_, TUNEKEEPER_SOURCE_DIR "/profiles",
                   machine.info(TUNEKEEPER_SOURCE_DIR "/profiles")->uid});
    return loader.load(profile, vars);
  }

  GivenFacts facts_;
  Evaluator evaluator_;
  Profile profile_;
  std::map<std::string, Desired> wishes_;
};

std::map<std::string, Scalar, std::less<>> with(std::map<std::string, Scalar, std::less<>> facts,
                                                const std::string& name, Scalar value) {
  facts[name] = std::move(value);
  return facts;
}

}  // namespace

TEST_CASE("every setting of a shipped profile says why, and where that comes from") {
  for (const char* name : {"mysql-oltp", "web-frontend", "numa-memory", "flash-storage", "busy-tcp"}) {
    const Profile profile = Asked(name, database_server()).profile();
    CHECK(!profile.summary.empty());
    CHECK(!profile.settings.empty());
    for (const Setting& setting : profile.settings) {
      INFO(name << ": " << setting.raw_id());
      CHECK(!setting.why.empty());
      CHECK(setting.source.rfind("https://", 0) == 0);
    }
  }
}

TEST_CASE("the buffer pool is a share of what the service may have, less the connections, in whole 256 MiB") {
  const Asked asked("mysql-oltp", database_server());
  CHECK(asked.value("mysql:innodb_buffer_pool_size") == std::to_string(44288 * mib));
}

TEST_CASE("a small host gets a pool of 256 MiB") {
  const Asked asked("mysql-oltp", with(database_server(), "memory.available_to_service", gib));
  CHECK(asked.value("mysql:innodb_buffer_pool_size") == std::to_string(256 * mib));
}

TEST_CASE(
    "the redo log is a quarter of the pool, 1 to 16 GiB, and not more than a quarter of the free disk") {
  const auto host = database_server();
  CHECK(Asked("mysql-oltp", host).value("mysql:innodb_log_file_size") == std::to_string(11072 * mib));
  CHECK(Asked("mysql-oltp", with(host, "memory.available_to_service", 256 * gib))
            .value("mysql:innodb_log_file_size") == std::to_string(16 * gib));
  CHECK(Asked("mysql-oltp", with(host, "memory.available_to_service", 4 * gib))
            .value("mysql:innodb_log_file_size") == std::to_string(gib));
  CHECK(Asked("mysql-oltp", with(host, "mysql.free", 3 * gib)).value("mysql:innodb_log_file_size") ==
        std::to_string(512 * mib));
}

TEST_CASE("the redo log has the name that this flavour and version know") {
  const Asked mariadb("mysql-oltp", database_server());
  CHECK(mariadb.has("mysql:innodb_log_file_size"));
  CHECK_FALSE(mariadb.has("mysql:innodb_redo_log_capacity"));

  auto host = with(with(database_server(), "mysql.flavor", std::string("mysql")), "mysql.version",
                   std::string("8.0.36"));
  const Asked mysql("mysql-oltp", host);
  CHECK_FALSE(mysql.has("mysql:innodb_log_file_size"));
  CHECK(mysql.value("mysql:innodb_redo_log_capacity") == std::to_string(11072 * mib));

  const Asked older("mysql-oltp", with(host, "mysql.version", std::string("8.0.29")));
  CHECK_FALSE(older.has("mysql:innodb_redo_log_capacity"));
}

TEST_CASE("the query cache is turned off where it exists") {
  CHECK(Asked("mysql-oltp", database_server()).value("mysql:query_cache_size") == "0");
  const auto mysql = with(database_server(), "mysql.flavor", std::string("mysql"));
  CHECK(
      Asked("mysql-oltp", with(mysql, "mysql.version", std::string("5.7.44"))).has("mysql:query_cache_type"));
  CHECK_FALSE(
      Asked("mysql-oltp", with(mysql, "mysql.version", std::string("8.0.36"))).has("mysql:query_cache_type"));
}

TEST_CASE(
    "I/O capacity follows the storage, its ceiling is twice that, and neighbours are flushed on disks only") {
  const auto on = [](const char* storage) {
    return Asked("mysql-oltp", with(database_server(), "mysql.storage", std::string(storage)));
  };
  CHECK(on("hdd").value("mysql:innodb_io_capacity") == "200");
  CHECK(on("hdd").value("mysql:innodb_io_capacity_max") == "400");
  CHECK_FALSE(on("hdd").has("mysql:innodb_flush_neighbors"));
  CHECK(on("ssd").value("mysql:innodb_io_capacity") == "2000");
  CHECK(on("nvme").value("mysql:innodb_io_capacity") == "10000");
  CHECK(on("nvme").value("mysql:innodb_io_capacity_max") == "20000");
  CHECK(on("nvme").value("mysql:innodb_flush_neighbors") == "0");
  CHECK(on("virtual").value("mysql:innodb_io_capacity") == "1000");
}

TEST_CASE("each leaf disk gets its scheduler, and the mounted device its read-ahead") {
  const Asked asked("mysql-oltp", database_server());
  CHECK(asked.value("sysfs:block/nvme0n1/queue/scheduler") == "none");
  CHECK(asked.value("sysfs:block/nvme1n1/queue/scheduler") == "none");
  CHECK(asked.has("sysfs:block/dm-0/queue/read_ahead_kb"));
  CHECK_FALSE(asked.has("sysfs:block/nvme0n1/queue/read_ahead_kb"));
}

TEST_CASE("NUMA settings are asked for only where there are several nodes") {
  const Asked two("mysql-oltp", database_server());
  CHECK(two.has("grub:numa_balancing"));
  CHECK(two.value("unit:mysql.service:Service.NUMAPolicy") == "interleave");
  const Asked one("mysql-oltp", with(database_server(), "numa.nodes", std::int64_t{1}));
  CHECK_FALSE(one.has("grub:numa_balancing"));
  CHECK_FALSE(one.has("unit:mysql.service:Service.NUMAPolicy"));
}

TEST_CASE("what trades something is asked for only when its var is set") {
  for (const char* id :
       {"mysql:innodb_flush_log_at_trx_commit", "mysql:innodb_spin_wait_delay", "mysql:wait_timeout",
        "mysql:innodb_thread_concurrency", "mysql:skip_name_resolve"}) {
    INFO(id);
    CHECK_FALSE(Asked("mysql-oltp", database_server()).has(id));
  }
  CHECK_FALSE(Asked("web-frontend", database_server()).has("nginx:events.multi_accept"));
  CHECK_FALSE(Asked("web-frontend", database_server()).has("nginx:http.open_file_cache"));

  Vars vars;
  vars["flush_log_at_trx_commit"].value = Scalar(std::int64_t{2});
  CHECK(Asked("mysql-oltp", database_server(), vars).value("mysql:innodb_flush_log_at_trx_commit") == "2");
}

TEST_CASE("a worker may open at least twice the files that it has connections, and so may the unit") {
  const Asked asked("web-frontend", database_server());
  CHECK(asked.value("nginx:events.worker_connections") == "8192");
  CHECK(asked.value("nginx:worker_rlimit_nofile") == "16384");
  CHECK(asked.value("unit:nginx.service:Service.LimitNOFILE") == "16384");
}
