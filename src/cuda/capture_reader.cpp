// Reading a capture, with error messages for malformed ones.
#include <algorithm>
#include <array>
#include <utility>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "cuda/capture_fields.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

using namespace capture_text;

std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

// For a message: long text cut, what does not print replaced.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string line(text.substr(0, kLongest));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line + (text.size() > kLongest ? "..." : "");
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Capture read() {
    InputMemory(file_).take(kBytesPerCharacter * text_.size());
    check_frame();
    while (!rest_.empty()) read_line(next_line());
    return std::move(capture_);
  }

 private:
  // A ticket of one digit and a blank takes 4 bytes, and twice that while its list grows.
  static constexpr std::size_t kBytesPerCharacter = 4;
  static constexpr std::size_t kMostEntries = 1000;  // orderlab_capture writes some tens

  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error(ErrorKind::input, file_ + ":" + std::to_string(line_) + ": " + problem);
  }

  std::string_view next_line() {
    ++line_;
    const std::size_t length = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    return line;
  }

  // That it is a capture, of this version and whole. What lies between its first line and its last is left in rest_.
  void check_frame() {
    line_ = 1;
    if (!text_.starts_with(kFirstWords))
      refuse("is not a capture; one begins with '" + std::string(kFirstWords) + std::to_string(kVersionOfSums) + "'");
    rest_ = text_;
    line_ = 0;
    std::string_view last;
    std::string_view body;
    while (!rest_.empty()) {
      body = text_.substr(0, text_.size() - rest_.size());
      last = next_line();
      check_characters(last);
      if (line_ == 1) check_version(last.substr(kFirstWords.size()));
    }
    if (!last.starts_with(kChecksum))
      refuse("is the last line and is not a checksum: the file was cut short; copy it again or record it again");
    if (last != checksum_line(body))
      refuse("the file was changed after it was written: its lines have the " + checksum_line(body) +
             "; take the original or record it again");
    rest_ = body.substr(body.find('\n') + 1);
    line_ = 1;
  }

  void check_characters(std::string_view line) const {
    for (const char c : line)
      if (c < ' ' || c > '~')
        refuse("holds the character " + std::to_string(static_cast<unsigned char>(c)) +
               "; a capture is printable ASCII in lines that end with a line feed: copy it as it is");
  }

  void check_version(std::string_view word) const {
    unsigned version = 0;
    if (!read_number(word, version) || version == 0) refuse("version '" + shown(word) + "': must be a number from 1");
    if (version > kVersion)
      refuse("version " + std::to_string(version) + " of the format: this orderlab reads up to " +
             std::to_string(kVersion) + "; a newer orderlab is needed");
  }

  void read_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    if (word == "fact") return read_entry(rest, capture_.facts, word);
    if (word == "probe") return read_entry(rest, capture_.probes, word);
    if (word == "run") return read_run(rest);
    if (word == "outputs") return read_outputs(rest);
    if (word == "returned") return read_list(rest, word, &CapturedRun::returned);
    if (word == "looked_back") return read_list(rest, word, &CapturedRun::looked_back);
    if (word == "tickets") return read_list(rest, word, &CapturedRun::tickets);
    refuse(unknown_name("line of a capture", shown(word),
                        {"fact", "probe", "run", "outputs", "returned", "looked_back", "tickets"}));
  }

  void read_entry(std::string_view rest, std::vector<CaptureEntry>& entries, std::string_view what) {
    constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const std::string_view name = next_word(rest);
    const std::string_view equals = next_word(rest);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (name.empty() || name.find_first_not_of(kNameCharacters) != std::string_view::npos || equals != "=" ||
        rest.empty() || rest.back() == ' ')
      refuse("must read '" + std::string(what) + " NAME = VALUE', the name in lower case letters, digits and _");
    if (entries.size() == kMostEntries) refuse("more than " + std::to_string(kMostEntries) + " lines of this kind");
    for (const CaptureEntry& entry : entries)
      if (entry.name == name)
        refuse(std::string(what) + " " + shown(name) + " is there a second time; keep one of them");
    entries.push_back({std::string(name), std::string(rest)});
  }

  void read_run(std::string_view rest) {
    constexpr std::size_t kCount = std::size(kFields);
    std::array<std::optional<std::string_view>, kCount> values;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      const std::string_view key = word.substr(0, word.find('='));
      const auto field =
          std::find_if(std::begin(kFields), std::end(kFields), [&](const Field& f) { return f.key == key; });
      if (field == std::end(kFields)) refuse_key(key);
      auto& value = values[static_cast<std::size_t>(field - std::begin(kFields))];
      if (value) refuse(std::string(key) + "= is there a second time; keep one of them");
      value = word.substr(std::min(key.size() + 1, word.size()));
    }
    CapturedRun run;
    run.line = line_;
    for (std::size_t i = 0; i < kCount; ++i) {
      const Field& field = kFields[i];
      if (values[i] && !field.read(*values[i], run))
        refuse(std::string(field.key) + "=" + shown(*values[i]) + ": must be " + std::string(field.wanted));
      if (!values[i] && field.required)
        refuse("a run without " + std::string(field.key) + "=; it must be " + std::string(field.wanted));
    }
    if (run.n == 0) refuse("n=0: must be at least 1");
    if (!values.back() && !run.rows)
      refuse("a run without bits=; it must be " + std::string(kFields[kCount - 1].wanted));
    if (run.rows) check_arrays(run, values.back().has_value());
    capture_.runs.push_back(std::move(run));
  }

  void check_arrays(const CapturedRun& run, bool has_bits) const {
    if (has_bits) refuse("rows= and bits=: a run with many outputs has a line of them; leave out bits=");
    if (!run.columns) refuse("rows= without columns=; a run with many outputs has both");
    if (run.bins.has_value() != run.self_seed.has_value() || run.bins.has_value() != run.index_seed.has_value())
      refuse("bins=, self_seed= and index_seed= belong together; give all or none");
    constexpr std::uint64_t kMost = 0x7FFFFFFF;
    const auto fits = [](std::uint64_t a, std::uint64_t b) { return a >= 1 && b >= 1 && a <= kMost / b; };
    if (!fits(*run.rows, *run.columns) || *run.rows * *run.columns != run.n)
      refuse("rows=" + std::to_string(*run.rows) + " times columns=" + std::to_string(*run.columns) +
             " must be n=" + std::to_string(run.n) + ", at most " + std::to_string(kMost));
    if (run.bins && !fits(*run.bins, *run.columns))
      refuse("bins=" + std::to_string(*run.bins) + " times columns=" + std::to_string(*run.columns) +
             ": must be 1 to " + std::to_string(kMost));
  }

  void read_outputs(std::string_view rest) {
    if (!capture_.runs.empty() && !capture_.runs.back().rows)
      refuse("outputs of a run without rows=, which has bits= only; leave the line out");
    read_list(rest, "outputs", &CapturedRun::outputs);
    const CapturedRun& run = capture_.runs.back();
    const std::uint64_t outputs = run.bins.value_or(*run.rows) * *run.columns;
    if (run.outputs.size() != outputs)
      refuse(std::to_string(run.outputs.size()) + " outputs; the run above has " + std::to_string(outputs));
  }

  [[noreturn]] void refuse_key(std::string_view key) const {
    std::vector<std::string> known;
    for (const Field& field : kFields) known.emplace_back(field.key);
    refuse(unknown_name("key of a run", shown(key), known));
  }

  template <class N>
  void read_list(std::string_view rest, std::string_view what, std::vector<N> CapturedRun::*member) {
    if (capture_.runs.empty()) refuse(std::string(what) + " before any run; it belongs to the run above it");
    CapturedRun& run = capture_.runs.back();
    std::vector<N>& list = run.*member;
    if (!list.empty()) refuse(std::string(what) + " is there a second time for one run; keep one of them");
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      N number = 0;
      if constexpr (std::is_same_v<N, std::uint64_t>) {
        if (!read_bits(word, run.format, number))
          refuse("'" + shown(word) + "' is not a bit pattern of " + std::string(info(run.format).name) +
                 "; write 0x and all " + std::to_string(info(run.format).bits / 4) + " hexadecimal digits");
      } else if (!read_number(word, number)) {
        refuse("'" + shown(word) + "' is not the number of a " + (what == "tickets" ? "unit" : "tile") +
               "; it must be " + std::string(kCountWanted));
      }
      list.push_back(number);
    }
    if (list.empty()) refuse(std::string(what) + " of nothing; leave the line out");
  }

  std::string_view text_;
  const std::string& file_;
  std::string_view rest_;
  std::size_t line_ = 0;
  Capture capture_;
};

}  // namespace

Capture read_capture(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace orderlab
