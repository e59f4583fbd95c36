// From options to a report: what `sample` and `sum` share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/output_options.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "report/experiment_report.hpp"

namespace orderlab::cli {

/// ORDER: --order NAME|EXPRESSION [--arrival MODEL].
struct OrderOptions {
  std::vector<std::string> orders;
  std::string arrival;

  void add_to(CLI::App& app, bool several);

  /// The orders; --arrival goes to every one that can take it, and it is an error when none can.
  std::vector<Order> parse() const;
};

/// The flags that `sample`, `sum` and `tree` share.
struct CommonOptions {
  InputOptions input;
  OrderOptions order;
  OutputOptions output;
  std::string threads = "0";

  void add_to(CLI::App& app, bool several_orders);
};

/// What is to be sampled.
struct SamplingPlan {
  std::string command;
  std::vector<Order> orders;
  std::uint64_t seed = 1;
  std::uint64_t samples = 1;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
  std::optional<Order> baseline;
  int threads = 0;
  bool progress = false;
};

/// Reads --baseline; Error(usage) for a random order.
Order parse_baseline(const std::string& text);

/// Error(usage) where the order cannot add `--n` terms: before they are made. Nothing where only the input tells n.
void check_order(const Order& order, const InputOptions& input);

/// The same for all orders of the plan.
void check_orders(const SamplingPlan& plan, const InputOptions& input);

/// Samples every order of the plan; stops early with `partial` set when the session's stop token asks for it.
ExperimentReport run_plan(Session& session, const SamplingPlan& plan, const Input& input);

/// --confidence P, 0 < P < 1.
double parse_confidence(const std::string& text);

/// --threads N: 0 is all.
int parse_threads(const std::string& text);

/// The evaluator of an order on the terms, after a look at the memory it takes. Error(usage) where it cannot add them.
std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, std::uint64_t seed,
                                                int threads);

/// More samples than these are not started unless they are asked for by number.
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
ResultCounts sample_range(Session& session, const Evaluator& evaluator, const InputReport& about,
                          const SampledRange& range);

/// Writes the report, or says that no sample was done. Returns the exit status: kInterrupted for a partial report.
int write_experiment(Session& session, const OutputOptions& options, OutputTargets& targets,
                     const ExperimentReport& report);

}  // namespace orderlab::cli
