#include <fmt/format.h>

#include "formats/conf_dirs.hpp"
#include "formats/unit_file.hpp"
#include "providers/mysql/server_files.hpp"

namespace tunekeeper::mysql {
namespace {

struct UnitText {
  std::vector<std::string> paths, bytes;

  UnitDecision decide(std::string_view key) const {
    const std::vector<std::string_view> views(bytes.begin(), bytes.end());
    return decide_unit(views, "Service", key);
  }
};

/// The unit file that systemd takes, and its drop-ins in systemd's order.
UnitText read_unit_files(const HostView& host, const std::string& unit) {
  UnitText text;
  const auto add = [&](const std::string& path) {
    ReadResult read = host.read(path);
    if (!read.ok()) return false;
    text.paths.push_back(path);
    text.bytes.push_back(std::move(read.bytes));
    return true;
  };
  const std::vector<std::string> roots = conf_folders("systemd/system");
  for (const std::string& root : roots) {
    if (add(fmt::format("{}/{}", root, unit))) break;
  }
  std::vector<std::string> folders, drop_ins;
  for (const std::string& root : roots) {
    folders.push_back(fmt::format("{}/{}.d", root, unit));
    for (const std::string& name : host.list(folders.back())) {
      drop_ins.push_back(fmt::format("{}/{}", folders.back(), name));
    }
  }
  for (std::size_t index : conf_read_order(drop_ins, folders)) add(drop_ins[index]);
  return text;
}

/// Words at blanks; quotes group and go. Enough for what a unit passes on, also inside `sh -c "…"`.
std::vector<std::string> words_of(std::string_view text, bool quotes_group) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (char c : text) {
    const bool is_quote = c == '"' || c == '\'';
    if (is_quote && (quote == 0 || quote == c || !quotes_group)) {
      quote = quote == 0 ? c : '\0';
    } else if ((c == ' ' || c == '\t' || c == '\n' || c == ';') && (quote == 0 || !quotes_group)) {
      finish();
    } else {
      word += c;
    }
  }
  finish();
  return words;
}

void take(CommandLine& line, const Server& server, std::string_view word, const std::string& decided_by) {
  if (word.substr(0, 2) != "--" || word.size() < 3) return;
  if (word == "--no-defaults") line.no_defaults = true;
  const std::size_t equals = word.find('=');
  MyCnfOption option;
  option.key = word.substr(2, equals == std::string_view::npos ? equals : equals - 2);
  option.has_value = equals != std::string_view::npos;
  // A command line has no escapes: the value is read back from its encoded form.
  const std::string raw = option.has_value ? encode_mycnf_value(word.substr(equals + 1)) : std::string();
  option.raw_value = raw;
  const OptionName name = option_name(option.key, server.dialect());
  if (name.name == "defaults_file") line.defaults_file = option.value();
  if (name.name == "defaults_extra_file") line.extra_file = option.value();
  if (!name.maximum) {
    line.options[name.name] = {name.value(option), decided_by,
                               fmt::format("the command line of {}", server.unit),
                               "change it there, then: systemctl daemon-reload, and restart {service}"};
  }
}

}  // namespace

CommandLine read_command_line(const HostView& host, const Server& server) {
  CommandLine line;
  const UnitText unit = read_unit_files(host, server.unit);
  const UnitDecision start = unit.decide("ExecStart");
  if (!start.stated) return line;
  const auto place = [&](const UnitDecision& decision) {
    return fmt::format("{}:{}", unit.paths[decision.file].substr(1), decision.line);
  };
  std::string options;
  const UnitDecision environment = unit.decide("Environment");
  for (const std::string& word : words_of(environment.value, true)) {
    if (word.rfind("MYSQLD_OPTS=", 0) == 0) options = word.substr(12);
  }
  for (const std::string& word : words_of(start.value, false)) {
    if (word == "$MYSQLD_OPTS" || word == "${MYSQLD_OPTS}") {
      for (const std::string& option : words_of(options, true))
        take(line, server, option, place(environment));
    } else {
      take(line, server, word, place(start));
    }
  }
  return line;
}

}  // namespace tunekeeper::mysql
