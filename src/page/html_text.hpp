// Text and tables as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// `text` with the characters that mean something to HTML escaped; what HTML cannot hold becomes U+FFFD.
std::string html_text(std::string_view text);

/// The same of a sentence: what stands between backticks is code.
std::string html_prose(std::string_view text);

/// A list; nothing without items.
std::string html_list(const std::vector<std::string>& items);

/// A table, its cells escaped. No columns: the first cell of a row is its heading.
std::string html_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows);

}  // namespace orderlab
