#include "core/sealed_text.hpp"

#include <algorithm>
#include <cstdint>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kChecksum = "checksum ";
constexpr std::size_t kMostEntries = 1000;  // orderlab_capture writes some tens

// FNV-1a, 64 bits: every change of one byte changes it. http://www.isthe.com/chongo/tech/comp/fnv
std::uint64_t fnv_checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string entry_lines(std::string_view what, const std::vector<TextEntry>& entries) {
  std::string lines;
  for (const TextEntry& entry : entries) lines += std::string(what) + " " + entry.name + " = " + entry.value + "\n";
  return lines;
}

std::string checksum_line(std::string_view body) {
  return std::string(kChecksum) + bits_text(Format::fp64, fnv_checksum(body));
}

std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

std::string shown_word(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string line(text.substr(0, kLongest));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line + (text.size() > kLongest ? "..." : "");
}

SealedText::SealedText(const SealedKind& kind, std::string_view text, const std::string& file)
    : kind_(kind), file_(file) {
  line_ = 1;
  if (!text.starts_with(kind.first_words))
    refuse("is not " + std::string(kind.what) + "; one begins with '" + std::string(kind.first_words) +
           std::to_string(kind.oldest) + "'");
  rest_ = text;
  line_ = 0;
  std::string_view last;
  std::string_view body;
  while (!rest_.empty()) {
    body = text.substr(0, text.size() - rest_.size());
    last = next_line();
    check_characters(last);
    if (line_ == 1) check_version(last.substr(kind.first_words.size()));
  }
  if (!last.starts_with(kChecksum))
    refuse("is the last line and is not a checksum: the file was cut short; copy it again or record it again");
  if (last != checksum_line(body))
    refuse("the file was changed after it was written: its lines have the " + checksum_line(body) +
           "; take the original or record it again");
  rest_ = body.substr(body.find('\n') + 1);
  line_ = 1;
}

bool SealedText::next(std::string_view& line) {
  while (!rest_.empty()) {
    line = next_line();
    if (!line.empty() && line.front() != '#') return true;
  }
  return false;
}

void SealedText::refuse(const std::string& problem) const {
  throw Error(ErrorKind::input, file_ + ":" + std::to_string(line_) + ": " + problem);
}

void SealedText::read_entry(std::string_view what, std::string_view rest, std::vector<TextEntry>& entries) const {
  constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  const std::string_view name = take_word(rest);
  const std::string_view equals = take_word(rest);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (name.empty() || name.find_first_not_of(kNameCharacters) != std::string_view::npos || equals != "=" ||
      rest.empty() || rest.back() == ' ')
    refuse("must read '" + std::string(what) + " NAME = VALUE', the name in lower case letters, digits and _");
  if (entries.size() == kMostEntries) refuse("more than " + std::to_string(kMostEntries) + " lines of this kind");
  for (const TextEntry& entry : entries)
    if (entry.name == name)
      refuse(std::string(what) + " " + shown_word(name) + " is there a second time; keep one of them");
  entries.push_back({std::string(name), std::string(rest)});
}

std::string_view SealedText::next_line() {
  ++line_;
  const std::size_t length = std::min(rest_.find('\n'), rest_.size());
  const std::string_view line = rest_.substr(0, length);
  rest_.remove_prefix(std::min(length + 1, rest_.size()));
  return line;
}

void SealedText::check_characters(std::string_view line) const {
  for (const char c : line)
    if (c < ' ' || c > '~')
      refuse("holds the character " + std::to_string(static_cast<unsigned char>(c)) + "; " + std::string(kind_.what) +
             " is printable ASCII in lines that end with a line feed: copy it as it is");
}

void SealedText::check_version(std::string_view word) const {
  unsigned version = 0;
  if (!read_number(word, version) || version < kind_.oldest)
    refuse("version '" + shown_word(word) + "': must be a number from " + std::to_string(kind_.oldest));
  if (version > kind_.newest)
    refuse("version " + std::to_string(version) + " of the format: this orderlab reads up to " +
           std::to_string(kind_.newest) + "; a newer orderlab is needed");
}

}  // namespace orderlab
