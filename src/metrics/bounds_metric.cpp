// The metric `bounds`: the list of bounds as JSON has it.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

Record running_record(const ResultCounts& counts) {
  const auto range = counts.running_bounds();
  Record running;
  running.set("min", range ? std::optional(range->min) : std::nullopt);
  running.set("max", range ? std::optional(range->max) : std::nullopt);
  return running;
}

Field measure_bounds(const Measurement& m) {
  Record bounds;
  for (const Bound& bound : all_bounds(m.evaluator, m.counts, m.sum_abs)) {
    if (bound.key.empty()) continue;
    const std::string key(bound.key);
    if (key == "running") {
      bounds.set(key, running_record(m.counts));
    } else if (bound.probability) {
      Record probabilistic;
      probabilistic.set("value", bound.value);
      probabilistic.set("probability", bound.probability);
      bounds.set(key, std::move(probabilistic));
    } else {
      bounds.set(key, bound.value);
    }
  }
  return std::vector<Record>{std::move(bounds)};
}

}  // namespace

extern const Metric kBounds;
const Metric kBounds{
    .name = "bounds",
    .unit = "as the sum",
    .summary =
        "proven bounds on |computed - exact|: D1 running, D2 gamma_h, D3 any order; P3 and P1 assume random roundings",
    .source = "[Higham1993], [Higham2002], [Rump2012], [JeannerodRump2013], [HallmanIpsen2023], [HighamMary2019]",
    .measure = measure_bounds,
};

}  // namespace orderlab
