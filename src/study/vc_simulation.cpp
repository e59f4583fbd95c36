#include "study/vc_simulation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "operation/unit_orders.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab::study {

namespace {

constexpr std::size_t kMostOutputs = 6000;

/// The operation with some of its varying outputs, and no others.
LoweredOperation some_outputs(const LoweredOperation& whole, const std::vector<std::uint32_t>& chosen) {
  LoweredOperation part;
  part.text = whole.text;
  part.addition = whole.addition;
  part.formats = whole.formats;
  part.launch = whole.launch;
  part.shape = {chosen.size()};
  const Contributions& from = whole.rows;
  Contributions& to = part.rows;
  to.units = from.units;
  to.units_per_block = from.units_per_block;
  to.row_begin = {0};
  std::vector<double> values;
  for (const std::uint32_t r : chosen) {
    for (std::size_t c = from.row_begin[r]; c < from.row_begin[r + 1]; ++c) {
      values.push_back(from.values.view().left(c));
      to.unit.push_back(from.unit[c]);
    }
    to.row_begin.push_back(static_cast<std::uint32_t>(values.size()));
    if (!whole.divide_by.empty()) part.divide_by.push_back(whole.divide_by[r]);
  }
  to.values = Terms(from.values.format(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) to.values.set(i, values[i]);
  if (from.initial) {
    to.initial = Terms(from.initial->format(), chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) to.initial->set(i, from.initial->view().left(chosen[i]));
  }
  return part;
}

Terms in_launch_order(const LoweredOperation& operation) {
  auto copy = std::make_shared<const LoweredOperation>(operation);
  return OutputSums::make(std::move(copy), parse_arrival("launch"), {})->launch();
}

/// Outputs that do not vary and are not what the baseline has.
double count_fixed_differences(const LoweredOperation& operation, const std::vector<std::uint32_t>& varying,
                               const Terms& baseline) {
  const Terms launch = in_launch_order(operation);
  double count = 0;
  std::size_t next = 0;
  for (std::size_t r = 0; r < baseline.size(); ++r) {
    if (next < varying.size() && varying[next] == r)
      ++next;
    else if (std::bit_cast<std::uint64_t>(launch.view().left(r)) !=
             std::bit_cast<std::uint64_t>(baseline.view().left(r)))
      ++count;
  }
  return count;
}

}  // namespace

VcSimulation::VcSimulation(const OperationCall& call, const VcPoint& point, const OperationFitRequest& request) {
  for (std::uint64_t number = 0; number < request.inputs; ++number) {
    const GeneratedInputs what{
        .shape = {point.n, point.n}, .ratio = point.ratio, .seed = request.seed, .number = number};
    const LoweredOperation whole = lower(call, generated_inputs(call, what), request.device);
    outputs_ = static_cast<double>(whole.outputs());
    grid_ = std::max<std::uint64_t>(1, whole.launch.grid);
    if (!whole.addition.arrives) return;
    std::vector<std::uint32_t> varying;
    for (std::size_t r = 0; r < whole.rows.outputs(); ++r)
      if (fate_of(whole, r) == OutputFate::varies) varying.push_back(static_cast<std::uint32_t>(r));
    if (varying.empty()) continue;
    Part part;
    const Terms baseline = whole.deterministic ? whole.deterministic->results(whole) : in_launch_order(whole);
    part.always = count_fixed_differences(whole, varying, baseline);
    const std::size_t most = std::min(kMostOutputs, varying.size());
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < most; ++i) chosen.push_back(varying[i * varying.size() / most]);
    for (const std::uint32_t r : chosen) part.baseline.push_back(baseline.view().left(r));
    auto operation = std::make_shared<const LoweredOperation>(some_outputs(whole, chosen));
    part.sums = OutputSums::make(std::move(operation), parse_arrival("launch"), {});
    part.weight = static_cast<double>(varying.size()) / static_cast<double>(most);
    parts_.push_back(std::move(part));
  }
}

bool VcSimulation::varies() const { return !parts_.empty(); }

// Outputs are some of all, so their number that differs has a variance of its own, which neighbours chosen in turn do
// not share: the covariance of two halves is that of all outputs.
VcPrediction VcSimulation::predict_part(const Part& part, std::uint64_t number, const ArrivalCall& arrival,
                                        const OperationFitRequest& request) const {
  const OutputSums& sums = *part.sums;
  const auto varying = sums.varying();
  const std::uint64_t key = DrawPath{.seed = request.seed, .step = number}.key();
  const auto scratch = sums.make_scratch();
  std::vector<std::byte> results(sums.result_bytes());
  std::vector<std::uint32_t> order(sums.operation().rows.units);
  const TermView view{sums.result_format(), varying.size(), results.data(), nullptr};
  const UnitOrders orders(sums.operation(), arrival, key);
  std::vector<std::array<double, 2>> shares;
  for (std::uint64_t sample = 0; sample < request.samples; ++sample) {
    orders.draw(sample, order);
    sums.evaluate_arranged(order, results, *scratch);
    std::array<double, 2> differ{};
    for (std::size_t i = 0; i < varying.size(); ++i)
      if (std::bit_cast<std::uint64_t>(view.left(i)) != std::bit_cast<std::uint64_t>(part.baseline[varying[i]]))
        differ[i % 2] += 1;
    shares.push_back(differ);
  }
  std::array<double, 2> mean{};
  for (const auto& share : shares)
    for (std::size_t h = 0; h < 2; ++h) mean[h] += share[h] / static_cast<double>(shares.size());
  double covariance = 0;
  for (const auto& share : shares) covariance += (share[0] - mean[0]) * (share[1] - mean[1]);
  covariance /= static_cast<double>(std::max<std::size_t>(1, shares.size() - 1));
  const double scale = part.weight / outputs_;
  return {part.always / outputs_ + scale * (mean[0] + mean[1]), scale * scale * 4 * covariance};
}

VcPrediction VcSimulation::predict(const ArrivalCall& arrival, const OperationFitRequest& request) const {
  VcPrediction all;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const VcPrediction one = predict_part(parts_[i], i, arrival, request);
    all.mean += one.mean / static_cast<double>(request.inputs);
    all.sd += one.sd / static_cast<double>(request.inputs);  // a variance so far
  }
  all.sd = std::sqrt(std::max(0.0, all.sd));
  return all;
}

}  // namespace orderlab::study
