#include "cli/arrival_rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/input_file.hpp"
#include "cuda/capture_fields.hpp"
#include "cuda/capture_file.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

std::optional<ArrivalUnit> arrival_unit(const CommandLine& line) {
  if (!line.has(kArrivalUnit)) return std::nullopt;
  return line.word(kArrivalUnit) == kArrivalUnits[0] ? ArrivalUnit::thread_block : ArrivalUnit::warp;
}

namespace {

std::string text_of(const std::string& path) {
  return InputFile(path, "name a file of recorded arrival orders").rest();
}

bool is_capture(const std::string& text) { return text.starts_with(capture_text::kKind.first_words); }

std::shared_ptr<const Rows> captured_rows(const std::string& text, const std::string& path) {
  const Capture capture = read_capture(text, path);
  std::map<std::tuple<std::string, std::uint64_t, unsigned, unsigned, unsigned>, std::vector<const CapturedRun*>> alike;
  for (const CapturedRun& run : capture.runs)
    if (run.tickets.size() > 1)
      alike[{run.kernel, run.n, run.shape.threads, run.shape.items, run.shape.grid}].push_back(&run);
  if (alike.empty())
    throw Error(ErrorKind::input, path +
                                      ": is a capture without tickets; `orderlab_capture --tickets FILE` records "
                                      "arrival orders");
  const auto most = std::max_element(alike.begin(), alike.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  auto recording = std::make_shared<Rows>();
  recording->path = path;
  for (const CapturedRun* run : most->second) {
    recording->rows.push_back(run->tickets);
    recording->lines.push_back(run->line);
  }
  recording->hash = hash_rows(recording->rows);
  return recording;
}

}  // namespace

LaunchedRows read_arrivals(const std::string& path, std::optional<ArrivalUnit> unit) {
  std::string text = text_of(path);
  if (!is_capture(text)) return parse_launched_rows(std::move(text), path, unit);
  if (unit) throw Error(ErrorKind::usage, path + ": a capture records one unit for each kernel; leave out the unit");
  return {captured_rows(text, path)};
}

LaunchedRows read_block_arrivals(const std::string& path) {
  std::string text = text_of(path);
  if (is_capture(text)) return {captured_rows(text, path)};
  return parse_launched_rows(std::move(text), path, ArrivalUnit::thread_block);
}

}  // namespace orderlab::cli
