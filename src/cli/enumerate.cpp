// orderlab enumerate: every result of an order, with its exact probability.
#include <optional>

#include "cli/enumerating.hpp"
#include "cli/sampling.hpp"
#include "study/enumerated_order.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kEnumerateMaxDistinct{.name = "--max-distinct",
                                     .kind = FlagKind::count,
                                     .value = "COUNT",
                                     .fallback = "2^20",
                                     .help = "distinct results in JSON before binning"};
constexpr auto kEnumerateFlags = joined(kOneOrderFlags, std::array{&kMemory, &kBaseline, &kEnumerateMaxDistinct});

int run_enumerate(const CommandLine& line, Session& session) {
  const Order order = order_of(line, session.files);
  const double memory = memory_budget(line);
  const int threads = threads_of(line);
  const std::uint64_t max_distinct = line.count(kEnumerateMaxDistinct, 2);
  const std::optional<Order> baseline = baseline_of(line, session.files);
  colored(line, session);
  OutputTargets targets(line);

  const study::Input input = load_input(line);
  if (baseline) baseline->check(input.facts.n, input.facts.products, input.facts.formats.accumulate);
  const std::uint64_t seed = line.count(kSeed);
  const auto evaluator = make_evaluator(order, input, seed, threads);
  auto enumeration = enumerate_orders(session, study::space_of(order, *evaluator), memory, threads, !line.has(kQuiet));
  if (!enumeration) {
    session.err << "orderlab: enumerate: interrupted before all orders were enumerated\n";
    return kInterrupted;
  }
  study::EnumerateFinding report;
  report.input = input.facts;
  const study::OrderRun asked{order, baseline ? &*baseline : nullptr, seed};
  report.order = measured(asked, *evaluator, input, *std::move(enumeration));
  if (baseline) report.baseline = baseline->expression();
  report.max_distinct = max_distinct;
  write_report(session, line, targets, report);
  return kDone;
}

}  // namespace

extern const Command kEnumerate;
const Command kEnumerate{
    .name = "enumerate",
    .summary = "every result that few partial sums can give, with its exact probability",
    .example = "orderlab enumerate --n 12 --dist 'normal(0,1)' --format fp32 --order random",
    .flags = kEnumerateFlags,
    .run = run_enumerate,
};

}  // namespace orderlab::cli
