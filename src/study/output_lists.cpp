#include "study/output_lists.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/arena.hpp"
#include "engine/output_outcomes.hpp"
#include "order/resolve.hpp"
#include "orderlab/sample.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

ArrivalCall uniform_arrivals() { return parse_arrival("uniform"); }

void list_outcomes(const OutputSums& sums, int threads, const Watch& watch,
                   std::vector<std::vector<OutputResult>>& results, std::size_t sets) {
  constexpr std::size_t kOutputsAtOnce = 1024;
  struct Buffers {
    OutputOutcomeFinder finder;
    OutputResults results;
    Buffers(const OutputSums& of, std::size_t most) : finder(of, RowOutcomeFinder::kMemory, most) {}
  };
  const WatchedStage stage(watch, "outputs");
  SampleOptions options;
  stage.follow(options);
  const auto varying = sums.varying();
  results.assign(varying.size(), {});
  if (!sums.operation().has_rows()) return;
  PerThread<Buffers> buffers([&] { return std::make_shared<Buffers>(sums, sets); });
  std::mutex reporting;
  std::size_t done = 0;
  loop_over(
      varying.size(), loop_on(threads),
      [&](std::size_t begin, std::size_t count) {
        Buffers& mine = buffers.local();
        for (std::size_t i = begin; i < begin + count; ++i) {
          stop_point();
          if (mine.finder.find(varying[i], mine.results)) results[i] = mine.results;
        }
        const std::lock_guard lock(reporting);
        done += count;
        if (options.progress) options.progress(done, varying.size());
      },
      kOutputsAtOnce);
}

std::optional<double> quick_expected_share(const OutputSums& sums, const Terms& baseline, int threads,
                                           const Watch& watch) {
  constexpr std::size_t kLongestRow = 10;
  constexpr std::size_t kRowsOfPart = 1024;
  const LoweredOperation& operation = sums.operation();
  const auto varying = sums.varying();
  if (!operation.addition.arrives || operation.addition.tail != nullptr) return std::nullopt;
  for (const std::uint32_t r : varying)
    if (operation.rows.row_length(r) > kLongestRow) return std::nullopt;
  const Format format = sums.result_format();
  const TermView base = baseline.view();
  const TermView launch = sums.launch().view();
  std::vector<double> other(varying.size());
  std::atomic<bool> all_found = true;
  loop_over(
      varying.size(), loop_on(threads),
      [&](std::size_t begin, std::size_t count) {
        if (!all_found || watch.stop.stop_requested()) {
          all_found = false;
          return;
        }
        OutputOutcomeFinder finder(sums);
        OutputResults results;
        for (std::size_t i = begin; i < begin + count; ++i) {
          if (!finder.find(varying[i], results)) all_found = false;
          other[i] = probability_of_other(results, round_to_bits(format, base.left(varying[i])));
        }
      },
      kRowsOfPart);
  if (!all_found) return std::nullopt;
  double sum = 0;
  std::size_t next = 0;
  for (std::size_t r = 0; r < baseline.size(); ++r) {
    if (next < varying.size() && varying[next] == r)
      sum += other[next++];
    else if (round_to_bits(format, base.left(r)) != round_to_bits(format, launch.left(r)))
      sum += 1;
  }
  return sum / static_cast<double>(baseline.size());
}

double movement_ulp(const ExactRows& exact, std::size_t r, Format format, const std::vector<OutputResult>& results) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (const OutputResult& result : results) {
    const double value = value_of_bits(format, result.bits);
    if (std::isnan(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  return greatest > least ? (greatest - least) / exact.ulp[r] : 0;
}

}  // namespace orderlab::study
