#include "show/experiment_csv.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orderlab {

std::string to_csv(const study::SampleFinding& report) {
  std::string csv = "order,bits,value,count,error_ulp,bin_ulp\n";
  for (const study::SampledOrder& order : report.orders) {
    const CountingFrame& frame = order.counts.frame();
    const double unit = std::ldexp(1.0, frame.ulp_exponent);
    if (order.counts.binned()) {
      const int exponent = order.counts.bin_exponent();
      const double width = std::ldexp(1.0, exponent);
      const Distribution bins = order.counts.bins();
      const Distribution errors = errors_of(order.counts, report.input.exact);
      for (std::size_t i = 0; i < bins.size(); ++i)
        csv += fmt::format("\"{}\",,{},{},{},{}\n", order.expression,
                           frame.center + std::ldexp(bins.values[i].value, exponent + frame.ulp_exponent),
                           static_cast<std::uint64_t>(bins.values[i].weight), errors.values[i].value / unit, width);
    } else {
      for (const Weighted& r : order.counts.results().values) {
        const bool finite = std::isfinite(r.value) && report.input.exact.finite();
        csv += fmt::format("\"{}\",{},{},{},{},\n", order.expression,
                           bits_text(frame.format, bits_of(frame.format, r.value)), r.value,
                           static_cast<std::uint64_t>(r.weight),
                           finite ? fmt::format("{}", report.input.exact.difference(r.value) / unit) : "");
      }
    }
  }
  return csv;
}

}  // namespace orderlab
