#include "sweep/point_run.hpp"

#include <chrono>
#include <utility>

#include "core/float_environment.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/study/operation.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "show/shared_fields.hpp"
#include "study/enumerated_order.hpp"
#include "sweep/counts_blob.hpp"

namespace orderlab {

namespace {

/// What a row says of the order and its results.
struct Measured {
  Json summation;
  std::uint64_t samples = 0;
  Metrics metrics;
  std::string counts;
};

study::Input input_of(const SweepPoint& point) {
  const PointConfig& config = point.config;
  if (point.terms != nullptr) {  // the same numbers, where they lie
    const std::shared_ptr<const std::byte> numbers(point.terms, std::as_const(*point.terms).bytes().data());
    Terms terms(point.terms->format(), point.terms->size(), numbers);
    terms.count_inexact(point.terms->inexact_conversions());
    return study::given_input(std::move(terms), config.formats, kLoopThreads);
  }
  return study::generated_input({.n = config.n,
                                 .distribution = config.terms,
                                 .formats = config.formats,
                                 .seed = config.input_seed,
                                 .number = config.input,
                                 .threads = kLoopThreads});
}

study::OrderRun run_of(const SweepPoint& point) {
  const PointConfig& config = point.config;
  return {*point.order, point.baseline.get(), config.seed, config.all_orders ? 1 : config.asked, config.max_distinct};
}

std::optional<Measured> draw(const SweepPoint& point, const study::Input& input, const PointRunOptions& options) {
  SampleOptions sampling;
  sampling.end = point.config.asked;
  sampling.threads = kLoopThreads;
  sampling.stop = options.stop;
  sampling.progress = options.progress;
  study::SampledOrder sampled = study::run_order(run_of(point), input, sampling);
  if (sampled.counts.samples() < point.draws()) return {};
  sampled.name.clear();  // a name is the plan's; other configs may write the same order in another way
  return Measured{to_json(described::kMeasuredOrder, described::measured_order(sampled)), sampled.counts.samples(),
                  std::move(sampled.metrics), to_blob(sampled.counts)};
}

std::uint64_t count_within_limit(const BigCount& orders, const SweepPoint& point) {
  if (orders.bits() <= 64) return orders.low_word();
  throw Error(ErrorKind::unsupported, "point " + point.config_text() + ": has " + orders.str() +
                                          " orders, more than a store counts (2^64 - 1); `orderlab enumerate` does");
}

std::optional<Measured> walk(const SweepPoint& point, const study::Input& input, const PointRunOptions& options) {
  const auto evaluator = Evaluator::make(*point.order, input.terms.view(), input.facts.formats, point.config.seed);
  WalkOptions walking;
  walking.memory_bytes = options.memory_bytes;
  walking.threads = kLoopThreads;
  walking.stop = options.stop;
  auto enumeration = enumerate(study::space_of(*point.order, *evaluator), walking);
  if (!enumeration) return {};
  study::EnumeratedOrder all = measured(run_of(point), *evaluator, input, *std::move(enumeration));
  all.name.clear();
  const std::uint64_t orders = count_within_limit(all.enumeration.orders, point);
  if (options.progress) options.progress(1, 1);
  return Measured{to_json(described::kMeasuredOrder, described::measured_order(all)), orders, std::move(all.metrics),
                  to_blob(all.enumeration.results, input.facts.formats.result)};
}

}  // namespace

namespace {

study::OperationInput operation_input_of(const SweepPoint& point) {
  const PlannedOperation& planned = *point.operation;
  if (planned.given != nullptr)
    return study::operation_input(planned.call, *planned.given, planned.device, point.order.get());
  return study::operation_input(planned.call, generated_inputs_of(point.config), planned.device, point.order.get());
}

/// What a row says of an operation: what it did it with, and the numbers.
struct MeasuredOperation {
  Json facts;
  Json measures;
};

std::optional<MeasuredOperation> sample_point(const SweepPoint& point, const PointRunOptions& options) try {
  const PointConfig& config = point.config;
  study::OperationSampleRequest request;
  if (point.operation->arrival) request.arrival = *point.operation->arrival;
  if (!config.baseline.empty()) request.baseline = study::output_baseline_of(config.baseline);
  request.samples = config.asked;
  request.seed = config.seed;
  request.threads = kLoopThreads;
  study::Watch watch;
  watch.stop = options.stop;
  if (options.progress)
    watch.advances = [&](const study::Progress& now) {
      const FloatEnvironment environment;
      options.progress(now.done * config.asked / now.total, config.asked);
    };
  const auto finding = sample_operation(operation_input_of(point), request, watch);
  if (!finding || finding->partial) return {};
  const study::OperationMeasures& measures = *finding;
  return MeasuredOperation{to_json(described::kOperation, finding->input),
                           to_json(described::kOperationMeasures, measures)};
} catch (const Error& error) {
  throw Error(error.kind(), "point " + point.config_text() + ": " + error.what());
}

}  // namespace

std::optional<StoredPoint> run_point(const SweepPoint& point, const Provenance& made_by,
                                     const PointRunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto timed = [&](StoredPoint stored) {
    stored.wall_ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    return stored;
  };
  if (point.operation != nullptr) {
    const auto measured = sample_point(point, options);
    if (!measured) return {};
    return timed({.hash = point.hash().text(),
                  .config = point.config_text(),
                  .terms = measured->facts.dump(),
                  .summation = "{}",
                  .metrics = measured->measures.dump(),
                  .counts = {},
                  .made_by = made_by});
  }
  const study::Input input = input_of(point);
  auto measured = point.config.all_orders ? walk(point, input, options) : draw(point, input, options);
  if (!measured) return {};
  Json metrics{{"samples", measured->samples}};
  add_metrics(metrics, measured->metrics);
  return timed({.hash = point.hash().text(),
                .config = point.config_text(),
                .terms = to_json(described::kInput, input.facts).dump(),
                .summation = measured->summation.dump(),
                .metrics = metrics.dump(),
                .counts = std::move(measured->counts),
                .made_by = made_by});
}

}  // namespace orderlab
