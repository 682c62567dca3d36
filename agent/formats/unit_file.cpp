#include "formats/unit_file.hpp"

#include <algorithm>
#include <array>

#include "formats/statement_lines.hpp"

namespace tunekeeper {
namespace {

/// Keys whose assignments add up until an empty one starts anew.
constexpr std::array<std::string_view, 51> list_keys = {"After",
                                                        "AllowedCPUs",
                                                        "AllowedMemoryNodes",
                                                        "AmbientCapabilities",
                                                        "Before",
                                                        "BindPaths",
                                                        "BindReadOnlyPaths",
                                                        "BindsTo",
                                                        "CapabilityBoundingSet",
                                                        "Conflicts",
                                                        "CPUAffinity",
                                                        "DeviceAllow",
                                                        "Environment",
                                                        "EnvironmentFile",
                                                        "ExecCondition",
                                                        "ExecPaths",
                                                        "ExecReload",
                                                        "ExecStart",
                                                        "ExecStartPost",
                                                        "ExecStartPre",
                                                        "ExecStop",
                                                        "ExecStopPost",
                                                        "InaccessiblePaths",
                                                        "IODeviceLatencyTargetSec",
                                                        "IODeviceWeight",
                                                        "IOReadBandwidthMax",
                                                        "IOReadIOPSMax",
                                                        "IOWriteBandwidthMax",
                                                        "IOWriteIOPSMax",
                                                        "IPAddressAllow",
                                                        "IPAddressDeny",
                                                        "LoadCredential",
                                                        "NoExecPaths",
                                                        "NUMAMask",
                                                        "OnFailure",
                                                        "PartOf",
                                                        "PassEnvironment",
                                                        "ReadOnlyPaths",
                                                        "ReadWritePaths",
                                                        "Requires",
                                                        "Requisite",
                                                        "RequiresMountsFor",
                                                        "RestrictAddressFamilies",
                                                        "RestrictFileSystems",
                                                        "RestrictNamespaces",
                                                        "SupplementaryGroups",
                                                        "SystemCallFilter",
                                                        "SystemCallLog",
                                                        "TemporaryFileSystem",
                                                        "UnsetEnvironment",
                                                        "Wants"};

/// Whether a line goes on: it ends with an odd number of backslashes.
bool goes_on(std::string_view text) {
  const auto last = text.find_last_not_of('\\');
  return (text.size() - (last == std::string_view::npos ? 0 : last + 1)) % 2 == 1;
}

/// One logical line: a line with its continuations, comments among them passed over.
struct LogicalLine {
  std::string text;
  std::size_t offset = 0, text_length = 0, length = 0;
  int number = 0;
};

/// `open` tells whether the last one would go on in a further line.
std::vector<LogicalLine> logical_lines(std::string_view bytes, bool& open) {
  std::vector<LogicalLine> found;
  open = false;
  SystemdLines lines(bytes);
  for (SystemdLine line; lines.next(line);) {
    auto text = lines.text(line);
    if (line.number == 1 && text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (!text.empty() && (text.front() == '#' || text.front() == ';')) continue;
    if (!open) found.push_back({{}, line.offset, 0, 0, line.number});
    auto& logical = found.back();
    open = goes_on(text);
    logical.text.append(open ? text.substr(0, text.size() - 1) : text);
    if (open) logical.text += ' ';
    logical.text_length = line.offset + line.text_length - logical.offset;
    logical.length = line.offset + line.length - logical.offset;
  }
  return found;
}

/// Where a section's header is, and where its last assignment ends.
struct SectionSpan {
  std::string name;
  std::size_t header = 0;
  std::size_t header_end = 0;
  std::size_t end = 0;
  std::size_t assignments = 0;
};

struct Parsed {
  std::vector<UnitAssignment> assignments;
  std::vector<SectionSpan> sections;
  bool open = false;  ///< the file ends within a line that goes on
  std::size_t last_line_end = 0;
};

Parsed parse(std::string_view bytes) {
  Parsed parsed;
  for (const auto& line : logical_lines(bytes, parsed.open)) {
    parsed.last_line_end = line.offset + line.length;
    const auto text = stripped(line.text);
    if (text.empty()) continue;
    if (text.front() == '[') {
      const bool closed = text.back() == ']';
      parsed.sections.push_back({closed ? std::string(text.substr(1, text.size() - 2)) : std::string(),
                                 line.offset, line.offset + line.length, line.offset + line.length, 0});
      continue;
    }
    if (parsed.sections.empty()) continue;
    auto& section = parsed.sections.back();
    section.end = line.offset + line.length;
    ++section.assignments;
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    parsed.assignments.push_back({line.offset, line.text_length, line.length, line.number, section.name,
                                  std::string(stripped(text.substr(0, equals))),
                                  std::string(stripped(text.substr(equals + 1)))});
  }
  return parsed;
}

bool is_of(const UnitAssignment& assignment, std::string_view section, std::string_view key) {
  return assignment.section == section && assignment.key == key;
}

std::vector<UnitAssignment> assignments_of(const Parsed& parsed, std::string_view section,
                                           std::string_view key) {
  std::vector<UnitAssignment> found;
  for (const auto& assignment : parsed.assignments) {
    if (is_of(assignment, section, key)) found.push_back(assignment);
  }
  return found;
}

/// Further statements after the last present one, at the end of the section, or in a section of their own.
/// Where the file ends without a line end, or in a line that goes on, they stand behind a line end instead of
/// before one.
Splice added(std::string_view bytes, const Parsed& parsed, std::string_view section,
             const std::vector<UnitAssignment>& present, const std::vector<std::string>& statements) {
  std::size_t at = bytes.size();
  std::vector<std::string> lines(statements.begin() + static_cast<long>(present.size()), statements.end());
  const auto named = [&](const SectionSpan& span) { return span.name == section; };
  const auto last = std::find_if(parsed.sections.rbegin(), parsed.sections.rend(), named);
  if (!present.empty()) {
    at = present.back().offset + present.back().length;
  } else if (last == parsed.sections.rend()) {
    lines.insert(lines.begin(), "[" + std::string(section) + "]");
  } else {
    at = last->end;
    // A section that was empty must not look like one that was made: a blank line tells them apart.
    if (last->assignments == 0) lines.insert(lines.begin(), "");
  }
  // Comments do not end a line that goes on.
  if (parsed.open && at == parsed.last_line_end) at = bytes.size();
  const bool open_end = at == bytes.size() && (lacks_final_line_end(bytes) || parsed.open);
  const auto line_end = line_end_before(bytes, at);
  std::string text(lacks_final_line_end(bytes) && parsed.open ? line_end : "");
  for (const std::string& line : lines) {
    if (open_end) {
      text.append(line_end).append(line);
    } else {
      text.append(line).append(line_end);
    }
  }
  return {at, 0, std::move(text)};
}

/// What goes with a section's last assignments: the header right above them, or the blank line that `added`
/// puts between them and a header that was there before.
std::vector<LineSpan> with_empty_section(std::string_view bytes, const Parsed& parsed,
                                         const std::vector<UnitAssignment>& removed) {
  std::vector<LineSpan> spans;
  for (const auto& assignment : removed) {
    const LineSpan span{assignment.offset, assignment.offset + assignment.length};
    for (const auto& section : parsed.sections) {
      const auto inside = [&](const UnitAssignment& a) {
        return a.offset > section.header && a.offset < section.end;
      };
      if (!inside(assignment) || (!spans.empty() && spans.back().begin >= section.header)) continue;
      const auto count = std::count_if(removed.begin(), removed.end(), inside);
      if (static_cast<std::size_t>(count) != section.assignments) continue;
      const auto between = bytes.substr(section.header_end, span.begin - section.header_end);
      if (between.empty()) spans.push_back({section.header, section.header_end});
      const bool blank = between == line_end_before(bytes, section.header_end);
      if (blank && !between.empty()) spans.push_back({section.header_end, span.begin});
    }
    spans.push_back(span);
  }
  return spans;
}

}  // namespace

std::vector<UnitAssignment> read_unit(std::string_view bytes) {
  return parse(bytes).assignments;
}

bool is_unit_list(std::string_view section, std::string_view key) {
  if (section == "Install" || section == "Timer" || section == "Socket") return false;
  return std::find(list_keys.begin(), list_keys.end(), key) != list_keys.end();
}

UnitDecision decide_unit(std::span<const std::string_view> files, std::string_view section,
                         std::string_view key) {
  UnitDecision decision;
  const bool list = is_unit_list(section, key);
  for (std::size_t file = 0; file < files.size(); ++file) {
    for (const auto& assignment : read_unit(files[file])) {
      if (!is_of(assignment, section, key)) continue;
      decision.mentioned = true;
      decision.stated = !assignment.value.empty();
      decision.file = file;
      decision.line = assignment.line;
      const bool adds = list && !assignment.value.empty() && !decision.value.empty();
      decision.value = adds ? decision.value + " " + assignment.value : assignment.value;
    }
  }
  return decision;
}

std::vector<std::string> unit_statements(std::string_view bytes, std::string_view section,
                                         std::string_view key) {
  std::vector<std::string> statements;
  for (const auto& assignment : assignments_of(parse(bytes), section, key)) {
    statements.emplace_back(bytes.substr(assignment.offset, assignment.text_length));
  }
  return statements;
}

std::vector<Splice> restate_unit(std::string_view bytes, std::string_view section, std::string_view key,
                                 const std::vector<std::string>& statements) {
  const auto parsed = parse(bytes);
  auto present = assignments_of(parsed, section, key);
  std::vector<Splice> splices;
  const auto common = std::min(present.size(), statements.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (bytes.substr(present[i].offset, present[i].text_length) == statements[i]) continue;
    splices.push_back({present[i].offset, present[i].text_length, statements[i]});
  }
  std::vector<LineSpan> gone;
  if (statements.empty()) {
    gone = with_empty_section(bytes, parsed, present);
  } else {
    for (std::size_t i = common; i < present.size(); ++i) {
      gone.push_back({present[i].offset, present[i].offset + present[i].length});
    }
  }
  for (Splice& removal : removed_lines(bytes, gone)) splices.push_back(std::move(removal));
  if (statements.size() > common) splices.push_back(added(bytes, parsed, section, present, statements));
  return splices;
}

}  // namespace tunekeeper
