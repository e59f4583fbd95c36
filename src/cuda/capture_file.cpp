// Writing a capture.
#include "cuda/capture_file.hpp"

#include <algorithm>

#include "cuda/capture_fields.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

using namespace capture_text;

std::string write_run(const CapturedRun& run) {
  std::string text = "run" + write_fields(kFields, run) + "\n";
  const auto write_bits = [&](std::string_view what, const std::vector<std::uint64_t>& list) {
    if (list.empty()) return;
    text += what;
    for (const std::uint64_t bits : list) text += " " + bits_text(run.formats().result, bits);
    text += "\n";
  };
  write_bits("outputs", run.outputs);
  write_bits("returned", run.returned);
  const auto write_numbers = [&](std::string_view what, const std::vector<std::uint32_t>& list) {
    if (list.empty()) return;
    text += what;
    for (const std::uint32_t number : list) text += " " + std::to_string(number);
    text += "\n";
  };
  write_numbers("looked_back", run.looked_back);
  write_numbers("tickets", run.tickets);
  return text;
}

}  // namespace

std::string write_capture(const Capture& capture) {
  const bool many = std::any_of(capture.runs.begin(), capture.runs.end(),
                                [](const CapturedRun& run) { return run.rows.has_value(); });
  std::string body = std::string(kKind.first_words) + std::to_string(many ? kVersion : kVersionOfSums) + "\n" +
                     entry_lines("fact", capture.facts) + entry_lines("probe", capture.probes);
  for (const CapturedRun& run : capture.runs) body += write_run(run);
  const std::string text = body + checksum_line(body) + "\n";

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

}  // namespace orderlab
