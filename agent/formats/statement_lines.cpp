#include "formats/statement_lines.hpp"

namespace tunekeeper {
std::vector<Splice> removed_lines(std::string_view bytes, const std::vector<LineSpan>& lines) {
  std::vector<LineSpan> runs;
  for (const LineSpan& line : lines) {
    if (!runs.empty() && runs.back().end == line.begin) {
      runs.back().end = line.end;
    } else {
      runs.push_back(line);
    }
  }
  if (!runs.empty() && runs.back().end == bytes.size() && lacks_final_line_end(bytes)) {
    auto& begin = runs.back().begin;
    if (begin > 0) begin -= line_end_before(bytes, begin).size();
  }
  std::vector<Splice> splices;
  for (const LineSpan& run : runs) splices.push_back({run.begin, run.end - run.begin, {}});
  return splices;
}

Splice appended_line(std::string_view bytes, std::string_view text) {
  const auto line_end = line_end_of(bytes);
  if (lacks_final_line_end(bytes)) return {bytes.size(), 0, std::string(line_end).append(text)};
  return {bytes.size(), 0, std::string(text).append(line_end)};
}

std::vector<Splice> restate_lines(std::string_view bytes, const std::vector<SystemdLine>& present,
                                  const std::vector<std::string>& statements) {
  std::vector<Splice> splices;
  const auto common = std::min(present.size(), statements.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto& line = present[i];
    if (bytes.substr(line.offset, line.text_length) == statements[i]) continue;
    splices.push_back({line.offset, line.text_length, statements[i]});
  }
  std::vector<LineSpan> left_over;
  for (std::size_t i = common; i < present.size(); ++i) {
    left_over.push_back({present[i].offset, present[i].offset + present[i].length});
  }
  for (Splice& removal : removed_lines(bytes, left_over)) splices.push_back(std::move(removal));
  if (statements.size() == common) return splices;

  const auto at = present.empty() ? bytes.size() : present.back().offset + present.back().length;
  const auto line_end = line_end_before(bytes, at);
  const bool open_end = at == bytes.size() && lacks_final_line_end(bytes);
  std::string text;
  for (std::size_t i = common; i < statements.size(); ++i) {
    if (open_end) {
      text.append(line_end).append(statements[i]);
    } else {
      text.append(statements[i]).append(line_end);
    }
  }
  splices.push_back({at, 0, std::move(text)});
  return splices;
}

bool only_comments(std::string_view bytes) {
  SystemdLines lines(bytes);
  for (SystemdLine line; lines.next(line);) {
    const auto text = stripped(lines.text(line));
    if (!text.empty() && text.front() != '#' && text.front() != ';') return false;
  }
  return true;
}

}  // namespace tunekeeper
