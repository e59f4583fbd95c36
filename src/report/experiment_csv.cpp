#include "report/experiment_csv.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orderlab {

std::string to_csv(const ExperimentReport& report) {
  std::string csv = "order,bits,value,count,error_ulp\n";
  for (const OrderReport& order : report.orders) {
    const CountingFrame& frame = order.counts.frame();
    const double unit = std::ldexp(1.0, frame.ulp_exponent);
    const auto row = [&](const std::string& bits, double value, std::uint64_t count) {
      const bool finite = std::isfinite(value) && report.input.exact.finite();
      csv += fmt::format("\"{}\",{},{},{},{}\n", order.expression, bits, value, count,
                         finite ? fmt::format("{}", report.input.exact.difference(value) / unit) : "");
    };
    if (order.counts.binned()) {
      for (const ResultCounts::Bin& bin : order.counts.bins())
        row("", frame.center + std::ldexp(bin.index, order.counts.bin_exponent() + frame.ulp_exponent), bin.count);
    } else {
      for (const ResultCounts::Result& r : order.counts.results())
        row(bits_text(frame.format, r.bits), r.value, r.count);
    }
  }
  return csv;
}

}  // namespace orderlab
