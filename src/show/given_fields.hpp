// Results that were given to `check`, as "config" has them.
#pragma once

#include <cstdint>
#include <string_view>

#include "describe/table.hpp"
#include "orderlab/format.hpp"

namespace orderlab::described {

struct GivenRow {
  Format format;  ///< the results' one
  std::uint64_t bits;
  std::uint64_t count;
  int digits;  ///< digits of a decimal that had fewer than the format needs; else 0
};

extern const TableOf<GivenRow> kGivenRow;

inline constexpr std::string_view kRoundedHelp =
    "Number of given results that the result format does not hold, which were rounded to it";
inline constexpr std::string_view kMeansHelp =
    "The format of the means that were given; `values` are sums that have them, in the accumulate format";

}  // namespace orderlab::described
