#include "cuda/capture_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kFirstWords = "orderlab capture ";
constexpr unsigned kVersion = 1;
constexpr std::string_view kChecksum = "checksum ";

// FNV-1a, 64 bits: every change of one byte changes it. http://www.isthe.com/chongo/tech/comp/fnv
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string checksum_line(std::string_view body) {
  return std::string(kChecksum) + bits_text(Format::fp64, checksum(body));
}

template <class N>
bool read_number(std::string_view text, N& number, int base = 10) {
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, number, base);
  return !text.empty() && text.front() != '-' && code == std::errc{} && end == last;
}

bool read_bits(std::string_view text, Format format, std::uint64_t& bits) {
  return text.starts_with("0x") && text.size() == static_cast<std::size_t>(info(format).bits) / 4 + 2 &&
         read_number(text.substr(2), bits, 16);
}

bool read_text(std::string_view text, std::string& value) {
  value = text;
  return !text.empty();
}

constexpr std::string_view kCountWanted = "a whole number in digits";

/// One key=value of a run. Values are read in the order of this table: the format comes before its bits.
struct Field {
  std::string_view key;
  bool required;
  bool (*read)(std::string_view text, CapturedRun& run);
  std::string (*write)(const CapturedRun& run);  ///< empty: left out
  std::string_view wanted;
};

template <auto kMember>
constexpr Field number_field(std::string_view key, bool required) {
  return {key, required, [](std::string_view text, CapturedRun& run) { return read_number(text, run.*kMember); },
          [](const CapturedRun& run) { return std::to_string(run.*kMember); }, kCountWanted};
}

template <auto kMember>
constexpr Field shape_field(std::string_view key) {
  return {key, true, [](std::string_view text, CapturedRun& run) { return read_number(text, run.shape.*kMember); },
          [](const CapturedRun& run) { return std::to_string(run.shape.*kMember); }, kCountWanted};
}

template <auto kMember>
constexpr Field optional_field(std::string_view key) {
  return {
      key, false, [](std::string_view text, CapturedRun& run) { return read_number(text, (run.*kMember).emplace()); },
      [](const CapturedRun& run) { return run.*kMember ? std::to_string(*(run.*kMember)) : std::string(); }, kCountWanted};
}

template <auto kMember>
constexpr Field text_field(std::string_view key, std::string_view wanted) {
  return {key, true, [](std::string_view text, CapturedRun& run) { return read_text(text, run.*kMember); },
          [](const CapturedRun& run) { return run.*kMember; }, wanted};
}

constexpr Field kFields[] = {
    text_field<&CapturedRun::kernel>("kernel", "a name"),
    {"format", true,
     [](std::string_view text, CapturedRun& run) {
       const auto format = find_format(text);
       if (format) run.format = *format;
       return format.has_value();
     },
     [](const CapturedRun& run) { return std::string(info(run.format).name); }, "fp64, fp32, fp16 or bf16"},
    number_field<&CapturedRun::n>("n", true),
    shape_field<&LaunchShape::threads>("threads"),
    shape_field<&LaunchShape::items>("items"),
    shape_field<&LaunchShape::grid>("grid"),
    text_field<&CapturedRun::input>("input", "a distribution such as dyadic(24,-23,0)"),
    number_field<&CapturedRun::seed>("seed", true),
    optional_field<&CapturedRun::with_seed>("with_seed"),
    optional_field<&CapturedRun::aligned>("aligned"),
    optional_field<&CapturedRun::temporary_bytes>("temporary_bytes"),
    optional_field<&CapturedRun::blocks>("blocks"),
    number_field<&CapturedRun::repeat>("repeat", false),
    {"bits", true, [](std::string_view text, CapturedRun& run) { return read_bits(text, run.format, run.bits); },
     [](const CapturedRun& run) { return bits_text(run.format, run.bits); },
     "0x and all hexadecimal digits of the format"},
};

std::string write_run(const CapturedRun& run) {
  std::string text = "run";
  for (const Field& field : kFields)
    if (const std::string value = field.write(run); !value.empty() || field.required)
      text += " " + std::string(field.key) + "=" + value;
  text += "\n";
  if (!run.returned.empty()) {
    text += "returned";
    for (const std::uint64_t bits : run.returned) text += " " + bits_text(run.format, bits);
    text += "\n";
  }
  if (!run.tickets.empty()) {
    text += "tickets";
    for (const std::uint32_t unit : run.tickets) text += " " + std::to_string(unit);
    text += "\n";
  }
  return text;
}

std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Capture read() {
    check_frame();
    read_version(next_line());
    while (!rest_.empty()) read_line(next_line());
    return std::move(capture_);
  }

 private:
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

  // That it is a capture, and whole: what lies between the first line and the checksum is left in rest_.
  void check_frame() {
    line_ = 1;
    if (!text_.starts_with(kFirstWords))
      refuse("is no capture; one begins with '" + std::string(kFirstWords) + std::to_string(kVersion) + "'");
    rest_ = text_;
    line_ = 0;
    std::string_view line;
    std::string_view body;
    while (!rest_.empty()) {
      body = text_.substr(0, text_.size() - rest_.size());
      line = next_line();
      for (const char c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
          refuse("holds the control character " + std::to_string(static_cast<unsigned char>(c)) +
                 "; a capture is plain lines that end with a line feed: copy it as it is");
    }
    if (!line.starts_with(kChecksum))
      refuse("is the last line and no checksum: the file was cut short; copy it again or record it anew");
    if (line != checksum_line(body))
      refuse("the file was changed after it was written: its lines have the " + checksum_line(body) +
             "; take the original or record it anew");
    rest_ = body;
    line_ = 0;
  }

  void read_version(std::string_view line) const {
    unsigned version = 0;
    const std::string_view word = line.substr(kFirstWords.size());
    if (!read_number(word, version) || version == 0) refuse("version " + in_quotes(word) + ": must be a number from 1");
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
    if (word == "returned") return read_list(rest, word, &CapturedRun::returned);
    if (word == "tickets") return read_list(rest, word, &CapturedRun::tickets);
    refuse(unknown_name("line of a capture", word, {"fact", "probe", "run", "returned", "tickets"}));
  }

  void read_entry(std::string_view rest, std::vector<CaptureEntry>& entries, std::string_view what) {
    constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const std::string_view name = next_word(rest);
    const std::string_view equals = next_word(rest);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (name.empty() || name.find_first_not_of(kNameCharacters) != std::string_view::npos || equals != "=" ||
        rest.empty() || rest.back() == ' ')
      refuse("must read '" + std::string(what) + " NAME = VALUE', the name in lower case letters, digits and _");
    for (const CaptureEntry& entry : entries)
      if (entry.name == name)
        refuse(std::string(what) + " " + std::string(name) + " is there a second time; keep one of them");
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
        refuse(std::string(field.key) + "=" + std::string(*values[i]) + ": must be " + std::string(field.wanted));
      if (!values[i] && field.required)
        refuse("a run without " + std::string(field.key) + "=; it must be " + std::string(field.wanted));
    }
    if (run.n == 0) refuse("n=0: must be at least 1");
    capture_.runs.push_back(std::move(run));
  }

  [[noreturn]] void refuse_key(std::string_view key) const {
    std::vector<std::string> known;
    for (const Field& field : kFields) known.emplace_back(field.key);
    refuse(unknown_name("key of a run", key, known));
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
          refuse(in_quotes(word) + " is no bit pattern of " + std::string(info(run.format).name) +
                 "; write 0x and all " + std::to_string(info(run.format).bits / 4) + " hexadecimal digits");
      } else if (!read_number(word, number)) {
        refuse(in_quotes(word) + " is no number of a unit; it must be " + std::string(kCountWanted));
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

std::string with_checksum(std::string body) { return body + checksum_line(body) + "\n"; }

std::string write_capture(const Capture& capture) {
  std::string body = std::string(kFirstWords) + std::to_string(kVersion) + "\n";
  for (const CaptureEntry& fact : capture.facts) body += "fact " + fact.name + " = " + fact.value + "\n";
  for (const CaptureEntry& probe : capture.probes) body += "probe " + probe.name + " = " + probe.value + "\n";
  for (const CapturedRun& run : capture.runs) body += write_run(run);
  std::string text = with_checksum(std::move(body));

  // Reading it back finds whatever could not be written: blanks in a name, a line break in a value, bits too many.
  Capture same;
  try {
    same = read_capture(text, "capture");
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, std::string("a capture that could not be read back: ") + error.what());
  }
  for (std::size_t i = 0; i < same.runs.size() && i < capture.runs.size(); ++i)
    same.runs[i].line = capture.runs[i].line;
  if (!(same == capture))
    throw Error(
        ErrorKind::usage,
        "a capture that would not be read back as the same: a value holds a line break or blanks at its ends, or "
        "bits too many; write plain words");
  return text;
}

Capture read_capture(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace orderlab
