#include "cli/arrival_rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "arrival/recording.hpp"
#include "core/input_file.hpp"
#include "cuda/capture_fields.hpp"
#include "cuda/capture_file.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

std::optional<ArrivalUnit> arrival_unit(const CommandLine& line) {
  if (!line.has(kArrivalUnit)) return std::nullopt;
  return line.word(kArrivalUnit) == kArrivalUnits[0] ? ArrivalUnit::thread_block : ArrivalUnit::warp;
}

std::shared_ptr<const Rows> read_arrivals(const std::string& path, std::optional<ArrivalUnit> unit) {
  std::string text = InputFile(path, "name a file of recorded arrival orders").rest();
  if (!text.starts_with(capture_text::kKind.first_words)) return parse_rows(std::move(text), path, unit);
  if (unit) throw Error(ErrorKind::usage, path + ": a capture records one unit for each kernel; leave out the unit");
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

}  // namespace orderlab::cli
