#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"

namespace tunekeeper {
namespace {

Document scalar_json(const Scalar& scalar) {
  return std::visit([](const auto& value) { return Document(value); }, scalar);
}

std::string facts_json(const std::vector<HostFacts::Entry>& entries, const std::string& host) {
  Document json;
  json["schema"] = "tunekeeper.facts/1";
  json["host"] = host;
  json["facts"] = Document::object();
  for (const HostFacts::Entry& entry : entries) {
    Document fact;
    const bool has_value = entry.value.kind == FactValue::Kind::value;
    fact["value"] = has_value ? scalar_json(entry.value.value) : Document(nullptr);
    if (!has_value) fact["reason"] = entry.value.reason;
    if (!entry.note.empty()) fact["note"] = entry.note;
    json["facts"][entry.name] = std::move(fact);
  }
  return print(json);
}

std::string facts_text(const std::vector<HostFacts::Entry>& entries) {
  std::string text;
  for (const HostFacts::Entry& entry : entries) {
    const bool has_value = entry.value.kind == FactValue::Kind::value;
    text += fmt::format("{:<28} {}", entry.name,
                        has_value ? to_string(entry.value.value) : "- (" + entry.value.reason + ")");
    text += entry.note.empty() ? "\n" : "  (" + entry.note + ")\n";
  }
  return text;
}

ExitStatus facts(const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  const std::vector<HostFacts::Entry> entries = bench.facts().all();
  print_out(globals.json ? facts_json(entries, bench.host_name()) : facts_text(entries));
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_facts(CLI::App&, const Globals& globals) {
  return [&globals] { return facts(globals); };
}

}  // namespace tunekeeper
