// The words of a probe.
#pragma once

#include <string>

#include "orderlab/study/probe.hpp"

namespace orderlab {

/// "named: numpy", "not a sum: term 3 is left out".
std::string verdict_text(const ProbedOrder& probed);

/// "fp32 (24 bits)", "24 to 53 bits", "no bit lost"; "" where it was not measured.
std::string precision_text(const ProbedOrder& probed);

/// "sums in fp32"; "additions with 64 bits" where no format has so many.
std::string additions_text(const ProbedOrder& probed);

/// "an order used in fewer than 1 of 50 calls may have been missed (95 %)"; "" where no calls were compared.
std::string missed_text(const ProbedOrder& probed);

/// The best name, as --order takes it; "" where there is none.
std::string order_text(const ProbedOrder& probed);

/// The tree in Newick format, its additions alone: no roundings and no starts from zero; "" where there is none.
std::string newick_text(const ProbedOrder& probed);

/// "0-15, 20": ascending numbers, runs shortened.
std::string ranges_text(const std::vector<std::size_t>& numbers);

}  // namespace orderlab
