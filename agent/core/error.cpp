#include "core/error.hpp"

#include <string_view>

namespace tunekeeper {
namespace {

/// A labelled line; further lines of the text stand below its first one.
void add_labelled(std::string& message, std::string_view label, std::string_view text) {
  constexpr std::size_t kLabelWidth = 8;
  message += "\n  ";
  message += label;
  message.append(kLabelWidth - label.size(), ' ');
  for (const char c : text) {
    message += c;
    if (c == '\n') message.append(kLabelWidth + 2, ' ');
  }
}

}  // namespace

std::string format_error(const Error& error) {
  std::string message = "tunekeeper: ";
  message += error.what();
  for (const std::string& frame : error.frames()) add_labelled(message, "while", frame);
  if (!error.state().empty()) add_labelled(message, "state", error.state());
  if (!error.next().empty()) add_labelled(message, "next", error.next());
  return message;
}

}  // namespace tunekeeper
