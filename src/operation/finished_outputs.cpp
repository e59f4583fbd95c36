#include "operation/finished_outputs.hpp"

#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/unit_orders.hpp"

namespace orderlab {

namespace {

/// Makes the outputs of one row.
template <class R>
void make_row(const FinishedRows& rows, std::size_t row, double sum, std::vector<double>& outputs, R* to) {
  outputs.resize(rows.elements);
  rows.finish->make(row, sum, outputs);
  for (std::size_t i = 0; i < rows.elements; ++i) to[i] = canonical(round_to<R>(outputs[i]));
}

struct FinishedScratch : OutputSums::Scratch {
  std::unique_ptr<OutputSums::Scratch> of_sums;
  std::vector<std::byte> sums;
  std::vector<double> outputs;
};

class FinishedOutputs : public OutputSums {
 public:
  FinishedOutputs(std::shared_ptr<const LoweredOperation> operation, std::unique_ptr<const OutputSums> sums)
      : OutputSums(operation, finished_outputs(*operation, sums->launch()), {}), sums_(std::move(sums)) {
    const std::size_t elements = operation->finished->elements;
    varying_.reserve(sums_->varying().size() * elements);
    for (const std::uint32_t row : sums_->varying())
      for (std::size_t i = 0; i < elements; ++i) varying_.push_back(static_cast<std::uint32_t>(row * elements + i));
  }

  std::unique_ptr<Scratch> make_scratch() const override {
    auto scratch = std::make_unique<FinishedScratch>();
    scratch->of_sums = sums_->make_scratch();
    scratch->sums.resize(sums_->result_bytes());
    return scratch;
  }

  void evaluate(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& mine = static_cast<FinishedScratch&>(scratch);
    sums_->evaluate(sample, mine.sums, *mine.of_sums);
    make_varying(results, mine);
  }

  void evaluate_arranged(std::span<const std::uint32_t> order, std::span<std::byte> results,
                         Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& mine = static_cast<FinishedScratch&>(scratch);
    sums_->evaluate_arranged(order, mine.sums, *mine.of_sums);
    make_varying(results, mine);
  }

 private:
  void make_varying(std::span<std::byte> results, FinishedScratch& scratch) const {
    const FinishedRows& rows = *operation_->finished;
    const auto varying = sums_->varying();
    const TermView sums{sums_->result_format(), varying.size(), scratch.sums.data(), nullptr};
    with_results(*operation_, results, [&](auto* to) {
      each_in_pass(varying.size(), [&](std::size_t k) {
        make_row(rows, varying[k], sums.left(k), scratch.outputs, to + k * rows.elements);
      });
    });
  }

  std::unique_ptr<const OutputSums> sums_;
};

}  // namespace

void set_finished(LoweredOperation& operation, const Order& order, std::shared_ptr<const LoweredOperation> sums,
                  std::size_t elements, std::shared_ptr<const RowFinish> finish) {
  operation.launch = sums->launch;
  if (!order.random()) operation.launch.unit = "none: the order is fixed";
  operation.addition.arrives = false;
  operation.rows.units = sums->rows.units;
  operation.arrival = sums->arrival;
  operation.finished = FinishedRows{std::move(sums), elements, std::move(finish)};
}

Terms finished_outputs(const LoweredOperation& operation, const Terms& sums, const Loop& loop) {
  const FinishedRows& rows = *operation.finished;
  Terms results(operation.formats.result, operation.outputs());
  Pass pass(sums.size());
  with_results(operation, results.bytes(), [&](auto* to) {
    loop_over(
        sums.size(), loop,
        [&](std::size_t begin, std::size_t count) {
          std::vector<double> outputs;
          for (std::size_t row = begin; row < begin + count; ++row)
            make_row(rows, row, sums.view().left(row), outputs, to + row * rows.elements);
          pass.did(count);
        },
        1);
  });
  return results;
}

std::unique_ptr<const OutputSums> make_finished_outputs(std::shared_ptr<const LoweredOperation> operation,
                                                        const ArrivalCall& arrival, const DrawPath& path) {
  auto sums = OutputSums::make(operation->finished->sums, arrival, path);
  return std::make_unique<FinishedOutputs>(std::move(operation), std::move(sums));
}

}  // namespace orderlab
