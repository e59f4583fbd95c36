// Texts of others, made fit for a message of one line.
#pragma once

#include <string>
#include <string_view>

namespace orderlab {

/// `text` in one line: UTF-8, blanks and control characters as one blank, cut where it is long.
std::string one_line(std::string_view text);

/// The last line of `text` that is not blank, as one_line has it; empty where there is none.
std::string last_line(std::string_view text);

}  // namespace orderlab
