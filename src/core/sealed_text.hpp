// Text files of lines with a version in front and a checksum at the end: captures, recorded arrivals. Plain C++ that
// nvcc compiles, too.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// A kind of such files.
struct SealedKind {
  std::string_view what;         ///< for messages: "a capture"
  std::string_view first_words;  ///< in front of the version: "orderlab capture "
  unsigned oldest;               ///< versions that are read
  unsigned newest;
};

/// Something that holds for a whole file: a fact ("driver", "580.65") or what a probe of the hardware gave.
struct TextEntry {
  std::string name;   ///< lower case letters, digits and _
  std::string value;  ///< printable ASCII without blanks at its ends

  friend bool operator==(const TextEntry&, const TextEntry&) = default;
};

/// The whole text as a number without a sign. N is unsigned.
template <class N>
bool read_number(std::string_view text, N& number, int base = 10) {
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, number, base);
  return code == std::errc{} && end == last;
}

/// "WHAT NAME = VALUE" and a line feed for each entry.
std::string entry_lines(std::string_view what, const std::vector<TextEntry>& entries);

/// The last line of a file, without its line feed: a checksum of all bytes before it.
std::string checksum_line(std::string_view body);

/// Reads such a file line by line.
///
/// Errors: input, "FILE:LINE: what is wrong, what would be right": another or a newer format, a file that was cut or
///         changed (its checksum tells), a character that is not printable ASCII.
class SealedText {
 public:
  /// `text` and `file` must outlive the reader. Error(input) unless the text is of this kind and whole.
  SealedText(const SealedKind& kind, std::string_view text, const std::string& file);

  /// The next line that is neither blank nor a comment, between the first line and the last; false at the end.
  bool next(std::string_view& line);

  /// Number of the line that `next` gave last, from 1.
  std::size_t line() const { return line_; }

  /// Error(input, "FILE:LINE: PROBLEM") of that line.
  [[noreturn]] void refuse(const std::string& problem) const;

  /// Reads "NAME = VALUE", the rest of a line that began with `what`, into `entries`. Error(input) for anything else
  /// and for a name that is there already.
  void read_entry(std::string_view what, std::string_view rest, std::vector<TextEntry>& entries) const;

 private:
  std::string_view next_line();
  void check_characters(std::string_view line) const;
  void check_version(std::string_view word) const;

  const SealedKind& kind_;
  const std::string& file_;
  std::string_view rest_;
  std::size_t line_ = 0;
};

/// Takes the first word off `rest`; empty where there is none.
std::string_view take_word(std::string_view& rest);

/// `text` for a message: cut where it is long, what does not print replaced.
std::string shown_word(std::string_view text);

}  // namespace orderlab
