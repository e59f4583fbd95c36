// A metric that tests add: the number of results that are zero.
#include <algorithm>

#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

struct FakeZeros {
  std::uint64_t count = 0;
};

FakeZeros measure_zeros(const Measurement& m) {
  const auto& values = m.results.values;
  return {static_cast<std::uint64_t>(std::count_if(values.begin(), values.end(), [](const auto& v) { return v.value == 0; }))};
}

constexpr described::Field kFakeField =
    described::metric<&FakeZeros::count>("fake_zeros", described::kinds::kCount, "Number of results that are 0");
constexpr MetricColumn kFakeColumns[] = {{"fake_zeros", "zeros"}};

}  // namespace

extern const Metric kFakeMetric;
const Metric kFakeMetric{
    .name = kFakeField.name,
    .unit = "results",
    .summary = "results that are 0",
    .source = "exact count",
    .functions = kMeasuredBy<measure_zeros>,
    .of_samples = &kFakeField,
    .columns = kFakeColumns,
};

}  // namespace orderlab
