#include "host/bus/bus_value.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/error.hpp"
#include "host/bus/systemd_library.hpp"

namespace tunekeeper {

namespace {

constexpr std::string_view unprintable = "[unprintable]";

void check(int result, std::string_view call) {
  if (result < 0) throw Error(fmt::format("sd_bus_{}: {}", call, std::strerror(-result)));
}

template <typename T>
T read_basic(sd_bus_message* message, char type) {
  T value{};
  check(systemd().bus_message_read_basic(message, type, &value), "message_read_basic");
  return value;
}

template <typename T>
std::string read_number(sd_bus_message* message, char type) {
  return std::to_string(read_basic<T>(message, type));
}

std::string read_unsigned(sd_bus_message* message) {
  const auto value = read_basic<std::uint64_t>(message, 't');
  return value == std::numeric_limits<std::uint64_t>::max() ? "infinity" : std::to_string(value);
}

bool more_in(sd_bus_message* message) {
  const int at_end = systemd().bus_message_at_end(message, 0);
  check(at_end, "message_at_end");
  return at_end == 0;
}

std::string read_mask(sd_bus_message* message) {
  std::vector<unsigned char> mask;
  while (more_in(message)) mask.push_back(read_basic<unsigned char>(message, 'y'));
  return render_bit_ranges(mask);
}

std::string read_list(sd_bus_message* message) {
  std::string text;
  while (more_in(message)) {
    std::string item = read_bus_value(message);
    if (item == unprintable) return item;
    text += (text.empty() ? "" : " ") + item;
  }
  return text;
}

std::string read_container(sd_bus_message* message, char type, const std::string& contents) {
  if (type == SD_BUS_TYPE_ARRAY && (contents.front() == '(' || contents.front() == '{')) {
    return std::string(unprintable);
  }
  check(systemd().bus_message_enter_container(message, type, contents.c_str()), "message_enter_container");
  std::string text = type == SD_BUS_TYPE_VARIANT ? read_bus_value(message)
                     : contents == "y"           ? read_mask(message)
                                                 : read_list(message);
  if (text != unprintable) check(systemd().bus_message_exit_container(message), "message_exit_container");
  return text;
}

}  // namespace

std::string read_bus_value(sd_bus_message* message) {
  char type = 0;
  const char* contents = nullptr;
  check(systemd().bus_message_peek_type(message, &type, &contents), "message_peek_type");
  switch (type) {
    case 's':
    case 'o':
    case 'g':
      return read_basic<const char*>(message, type);
    case 'b':
      return read_basic<int>(message, type) != 0 ? "yes" : "no";
    case 'y':
      return read_number<std::uint8_t>(message, type);
    case 'n':
      return read_number<std::int16_t>(message, type);
    case 'q':
      return read_number<std::uint16_t>(message, type);
    case 'i':
      return read_number<std::int32_t>(message, type);
    case 'u':
      return read_number<std::uint32_t>(message, type);
    case 'x':
      return read_number<std::int64_t>(message, type);
    case 't':
      return read_unsigned(message);
    case 'd':
      return fmt::format("{:g}", read_basic<double>(message, type));
    case 'v':
    case 'a':
      return read_container(message, type, contents);
    default:
      return std::string(unprintable);
  }
}

std::string render_bit_ranges(const std::vector<unsigned char>& mask) {
  const auto is_set = [&](std::size_t bit) {
    return bit < 8 * mask.size() && (mask[bit / 8] >> (bit % 8) & 1) != 0;
  };
  std::string text;
  for (std::size_t bit = 0; bit < 8 * mask.size(); ++bit) {
    if (!is_set(bit)) continue;
    const std::size_t first = bit;
    while (is_set(bit + 1)) ++bit;
    text += text.empty() ? "" : " ";
    text += first == bit ? std::to_string(first) : fmt::format("{}-{}", first, bit);
  }
  return text;
}

}  // namespace tunekeeper
