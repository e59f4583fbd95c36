// Reading counts and reals, the nearest known name for a misspelt one, and text of others in words of ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// Why a text is no count; the message names what it was given.
struct CountResult {
  std::optional<std::uint64_t> value;
  std::string problem;  ///< empty when there is a value: "is negative", "is not a whole number", ...
};

/// Reads a count: digits with optional underscores, a decimal with an exponent that makes it whole (1e6, 2.5e3), or
/// A^B of two of these. A fraction, a sign, an overflow of 64 bits is a problem, never rounded away.
CountResult read_count(std::string_view text);

/// As read_count; Error(usage, "WHAT: ...") for a problem or a value outside [low, high].
std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t low = 0,
                          std::uint64_t high = ~std::uint64_t{0});

/// A finite decimal real, if the whole text is one.
std::optional<double> read_real(std::string_view text);

/// Reads a real between 0 and 1, both excluded; Error(usage, "WHAT: ...") for anything else.
double parse_fraction(std::string_view what, std::string_view text);

/// Shortest decimal text that reads back as the same double.
std::string shortest(double value);

/// The name closest to `name` (optimal string alignment), if one is close enough to be meant.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

/// A few known names that `name` may mean: the one that differs in case only; else those that begin with it, and the
/// nearest one. Case never matters.
std::vector<std::string> similar_names(std::string_view name, std::span<const std::string> known);

/// "a", "a or b", "a, b or c".
std::string alternatives(std::span<const std::string> names);

/// "NAME: no such WHAT; did you mean X or Y?": similar names, else those that are `related` in another way, else those
/// that `name` is a part of, else a list of all that are known.
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known,
                         const std::vector<std::string>& related = {});

/// `text` with the letters A to Z in lower case.
std::string lower_case(std::string_view text);

/// `text` for a message: cut where it is long.
std::string shortened(std::string_view text);

/// `text` in quotes for a message: cut to 40 characters, unprintable ones replaced by '?'.
std::string in_quotes(std::string_view text);

/// U+FFFD in UTF-8: replaces a character that cannot be shown.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the character that `text` begins with; 0 where that is no UTF-8, or nothing.
std::size_t utf8_length(std::string_view text);

/// `text` with U+FFFD for every byte that is no UTF-8, such as file names may hold.
std::string valid_utf8(std::string_view text);

/// Bytes in words: "7.5 GiB".
std::string bytes_in_words(double bytes);

}  // namespace orderlab
