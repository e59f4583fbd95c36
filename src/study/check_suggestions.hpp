// What would explain a result that the order which was asked about does not.
#pragma once

#include <vector>

#include "orderlab/study/check.hpp"

namespace orderlab::study {

/// For `given`, which `finding` does not explain: cheapest first. Nothing for NaN and infinities, nor of more than 2^20
/// terms.
std::vector<Suggestion> suggestions(const Input& input, const CheckRequest& request, const CheckFinding& finding,
                                    const GivenResult& given, const Watch& watch);

}  // namespace orderlab::study
