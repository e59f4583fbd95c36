#include "crosscheck/case_inputs.hpp"

#include <array>
#include <string_view>

#include "orderlab/philox.hpp"

namespace orderlab {

std::string troubled_terms(Format format, std::uint64_t seed) {
  switch (seed % 5) {
    case 0: {
      const FormatInfo& f = info(format);
      const int least = f.e_min - f.precision + 1;
      return "logspread(" + std::to_string(least) + "," + std::to_string(f.e_min + 3) + ")";
    }
    case 1:
      return "uniform(0,10)";
    case 2:
      return "normal(0,1)";
    case 3:
      return "logspread(-12,12)";
    default:
      return "integers(3)";
  }
}

FactorTexts troubled_factors(Format format, std::uint64_t seed) {
  const FormatInfo& f = info(format);
  if (f.e_min > info(Format::fp32).e_min) {
    const auto spread = [](int low, int high) {
      return "logspread(" + std::to_string(low) + "," + std::to_string(high) + ")";
    };
    const int least = f.e_min - f.precision + 1;
    const int middle = f.e_max / 2;
    const FactorTexts all[] = {
        same_factors("uniform(0,10)"),
        same_factors("normal(0,1)"),
        same_factors(spread(-middle, middle)),
        same_factors("integers(3)"),
        same_factors(spread(0, 0)),
        {spread(-1, 0), spread(f.e_min, 0)},
        {spread(least, f.e_min + 1), spread(-3, 3)},
        same_factors(spread(least, f.e_min + 1)),
        same_factors(spread(f.e_min, f.e_min / 2)),
        same_factors(spread(f.e_max - 2, f.e_max - 1)),
        same_factors(spread(least, f.e_max - 1)),
    };
    return all[seed % std::size(all)];
  }
  constexpr std::array<std::array<std::string_view, 2>, 11> kFactors{{
      {"uniform(0,10)", "uniform(0,10)"},
      {"normal(0,1)", "normal(0,1)"},
      {"logspread(-12,12)", "logspread(-12,12)"},
      {"integers(3)", "integers(3)"},
      {"logspread(0,0)", "logspread(0,0)"},          // products of equal exponents
      {"logspread(-1,0)", "logspread(-24,0)"},       // what is lost shows when greater ones cancel
      {"logspread(-133,-123)", "logspread(-3,3)"},   // subnormal factors
      {"logspread(-66,-60)", "logspread(-66,-60)"},  // subnormal products and sums
      {"logspread(-76,-63)", "logspread(-76,-63)"},  // ... and what is lost below them
      {"logspread(60,64)", "logspread(60,64)"},      // overflow, infinity less infinity
      {"logspread(-133,126)", "logspread(-133,126)"},
  }};
  const auto& [x, y] = kFactors[seed % kFactors.size()];
  return {std::string(x), std::string(y)};
}

simt::Schedule drawn_schedule(std::size_t n, std::size_t shape, std::uint64_t seed, std::uint64_t sample) {
  constexpr std::array<std::string_view, 4> kArrivals{"uniform", "jitter(3)", "slots(8,0.2)", "launch"};
  constexpr std::array<std::size_t, 5> kResidents{1, 4, 2, 16, 8};
  // Each drawn for itself, so that sizes, shapes and schedules meet in all combinations.
  const std::uint64_t index = (std::uint64_t{shape} << 40) | n;
  const auto words = RandomStream(seed, streams::kCrossCheckChoices, sample).block(index);
  return {seed, sample, std::string(kArrivals[words[1] % kArrivals.size()]), kResidents[words[2] % kResidents.size()]};
}

}  // namespace orderlab
