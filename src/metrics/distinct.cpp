// How many different results there are, and how many of them are no finite numbers.
#include "orderlab/metrics.hpp"

namespace orderlab {

extern const Metric kDistinct;
const Metric kDistinct{
    .name = "distinct",
    .unit = "results",
    .summary = "different bit patterns seen; null if more than --max-distinct",
    .source = "exact count",
    .measure = [](const Measurement& m) -> Field {
      if (m.counts.binned()) return {};
      return m.counts.distinct();
    },
};

extern const Metric kNonfinite;
const Metric kNonfinite{
    .name = "nonfinite",
    .unit = "samples",
    .summary = "samples that gave inf, -inf or NaN; excluded from moments",
    .source = "IEEE 754",
    .measure = [](const Measurement& m) -> Field {
      Record record;
      record.set("inf", Field(m.counts.infinities()));
      record.set("minus_inf", Field(m.counts.minus_infinities()));
      record.set("nan", Field(m.counts.nans()));
      return std::vector<Record>{std::move(record)};
    },
};

}  // namespace orderlab
