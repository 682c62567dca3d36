#pragma once

#include <string>
#include <vector>

#include <systemd/sd-bus.h>

namespace tunekeeper {

/// Reads the next value of a message as text, as `systemctl show` prints it: yes and no, decimal numbers (the
/// greatest 64-bit one is "infinity"), lists with blanks between, masks of bits as ranges ("0-3 8"). A type
/// without a plain text (a struct, a dictionary) is "[unprintable]". Throws Error on a broken message.
std::string read_bus_value(sd_bus_message* message);

/// The set bits of a little-endian mask, as ranges: "0-3 8".
std::string render_bit_ranges(const std::vector<unsigned char>& mask);

}  // namespace tunekeeper
