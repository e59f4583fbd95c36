#include "report/experiment_csv.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/result_bins.hpp"

namespace orderlab {

std::string to_csv(const study::SampleFinding& report) {
  std::string csv = "order,bits,value,count,error_ulp,bin_ulp\n";
  for (const study::SampledOrder& order : report.orders) {
    const CountingFrame& frame = order.counts.frame();
    const double unit = std::ldexp(1.0, frame.ulp_exponent);
    if (order.counts.binned()) {
      const double width = std::ldexp(1.0, order.counts.bin_exponent());
      for (const ResultBin& bin : result_bins(order.counts, report.input.exact))
        csv += fmt::format("\"{}\",,{},{},{},{}\n", order.expression, bin.low_value, bin.count, bin.low, width);
    } else {
      for (const ResultCounts::Result& r : order.counts.results()) {
        const bool finite = std::isfinite(r.value) && report.input.exact.finite();
        csv += fmt::format("\"{}\",{},{},{},{},\n", order.expression, bits_text(frame.format, r.bits), r.value, r.count,
                           finite ? fmt::format("{}", report.input.exact.difference(r.value) / unit) : "");
      }
    }
  }
  return csv;
}

}  // namespace orderlab
