#pragma once

#include <string>
#include <vector>

#include "core/judge.hpp"
#include "core/splice.hpp"
#include "host/memory_host.hpp"
#include "providers/provider.hpp"
#include "support/facts.hpp"

namespace tunekeeper {

/// A provider on a host in memory, taken through observe, judge and plan as the engine does.
struct Bench {
  explicit Bench(std::unique_ptr<Provider> tested) : provider(std::move(tested)) {}

  std::unique_ptr<Provider> provider;
  MemoryHost host;
  test::StatedFacts facts;
  Context context{host, facts, nullptr, nullptr};

  static Desired want(const std::string& id, const std::string& value, Want kind = Want::equals) {
    Desired desired;
    desired.id = id;
    desired.path = {std::string(desired.key())};
    desired.want = kind;
    if (kind != Want::absent) desired.value = Value::of(value);
    return desired;
  }

  std::vector<Row> rows(const std::vector<Desired>& wanted, PlaneSet planes = {}) const {
    const auto seen = provider->observe(context, wanted);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < wanted.size(); ++i) rows.push_back(judge(wanted[i], seen[i], planes));
    return rows;
  }

  Row row(const Desired& desired) const { return rows({desired}).front(); }

  std::vector<Action> plan(const std::vector<Desired>& wanted) const {
    return provider->plan(context, rows(wanted));
  }

  /// Performs file edits and live writes; the rows as they are then.
  std::vector<Row> apply(const std::vector<Desired>& wanted) {
    for (const auto& action : plan(wanted)) perform(action);
    return rows(wanted);
  }

  void perform(const Action& action) {
    if (const auto* live = std::get_if<WriteLive>(&action.deed)) host.write_live(live->path, live->value);
    const auto* edit = std::get_if<EditFile>(&action.deed);
    if (edit == nullptr) return;
    auto image = host.image(edit->path);
    image.bytes = splice(image.bytes, edit->splices);
    image.absent = edit->remove;
    image.mode = image.mode == 0 ? edit->mode : image.mode;
    host.make_directory(edit->path.substr(0, edit->path.rfind('/')));
    host.put(edit->path, image);
  }

  std::string bytes(const std::string& path) const { return host.read(path).bytes; }
};

}  // namespace tunekeeper
