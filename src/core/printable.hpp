// Texts of others made fit for a terminal: names of files, arguments, what stores and black boxes say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orderlab {

/// Bytes of the character that `text` begins with where it does more than show itself: a control character (C0, DEL,
/// C1), a separator of lines or paragraphs, a mark that turns the direction of writing. 0 for any other.
std::size_t control_length(std::string_view text);

/// Line ends and tabs are what a text is made of; in a name they pretend to be text.
enum class LineEnds : std::uint8_t { kept, escaped };

/// `text` with such characters escaped as JSON has it ("\u001b", "\n"), and U+FFFD for every byte that is no UTF-8.
std::string printable(std::string_view text, LineEnds line_ends = LineEnds::escaped);

}  // namespace orderlab
