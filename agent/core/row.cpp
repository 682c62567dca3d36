#include "core/row.hpp"

namespace tunekeeper {

std::string_view to_string(State state) {
  switch (state) {
    case State::in_sync:
      return "in_sync";
    case State::differs:
      return "differs";
    case State::pending:
      return "pending";
    case State::unsupported:
      return "unsupported";
    case State::failed:
      return "failed";
  }
  return "failed";
}

std::string to_string(const Effect& effect) {
  switch (effect.kind) {
    case Effect::Kind::now:
      return "now";
    case Effect::Kind::reload:
      return "reload " + effect.service;
    case Effect::Kind::restart:
      return "restart " + effect.service;
    case Effect::Kind::reboot:
      return "reboot";
    case Effect::Kind::by_hand:
      return "by hand";
  }
  return "now";
}

}  // namespace tunekeeper
