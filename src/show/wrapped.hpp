// Running text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// `text` with its lines broken at spaces so that none is longer than `width`, but for words that are. What is broken keeps
/// the indent of its line.
std::string wrapped(const std::string& text, int width);

/// `text`, one line without colors, in lines of at most `width` >= 1 columns: broken at spaces; in a word that is
/// longer behind '|', else ',' or '/', else '(', else anywhere. At least one line.
std::vector<std::string> broken(std::string_view text, std::size_t width);

}  // namespace orderlab
