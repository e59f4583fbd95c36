// From a plan to a report: what `sample` and `sum` share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/input_flags.hpp"
#include "cli/order_flags.hpp"
#include "cli/output_options.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::cli {

inline constexpr Flag kThreads{.name = "--threads",
                               .kind = FlagKind::count,
                               .value = "COUNT",
                               .fallback = "0",
                               .help = "threads, 0 for all; the results never depend on it"};

/// The flags of a command that works on terms and one order.
inline constexpr auto kOneOrderFlags = joined(kInputFlags, std::array{&kOrder, &kArrival, &kThreads}, kOutputFlags);

/// What is to be sampled.
struct SamplingPlan {
  std::vector<Order> orders;
  std::vector<std::string> typed;  ///< what each order was read from
  std::uint64_t seed = 1;
  std::uint64_t samples = 1;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
  std::optional<Order> baseline;
  int threads = 0;
  bool progress = false;
};

/// Error(usage) where an order of the plan cannot add `--n` terms: before they are made.
void check_orders(const SamplingPlan& plan, const CommandLine& line);

/// Samples every order of the plan; stops early with `partial` set when the session's stop token asks for it.
study::SampleFinding run_plan(Session& session, const SamplingPlan& plan, const study::Input& input);

/// --threads N: 0 is all.
int threads_of(const CommandLine& line);

/// The evaluator of an order on the terms, after a look at the memory it takes. Error(usage) where it cannot add them.
std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const study::Input& input, std::uint64_t seed,
                                                int threads);

/// More samples than this are drawn only if the user gives their number.
inline constexpr std::uint64_t kMostSamples = 1'000'000'000;

/// Counts of samples begin .. end-1 with a progress bar; fewer, from `begin` on, after an interrupt.
struct SampledRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 1;
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
  int threads = 0;
  bool progress = false;
  std::string label = "sampling";
};
ResultCounts sample_range(Session& session, const Evaluator& evaluator, const study::InputFacts& about,
                          const SampledRange& range);

/// Writes the report, or says that no sample was done. Returns the exit status: kInterrupted for a partial report.
template <class Finding>
int write_experiment(Session& session, const CommandLine& line, OutputTargets& targets, std::string_view command,
                     const Finding& finding) {
  if (finding.orders.empty()) {
    session.err << "orderlab: " << command << ": interrupted before the first sample was done\n";
    return kInterrupted;
  }
  write_report(session, line, targets, finding);
  return finding.partial ? kInterrupted : kDone;
}

}  // namespace orderlab::cli
