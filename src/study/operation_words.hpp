// The names of what findings on operations say.
#pragma once

#include <string_view>

namespace orderlab::study {

/// In the order of OutputBaseline.
inline constexpr std::string_view kOutputBaselineNames[] = {"deterministic", "launch", "exact", "run"};

/// In the order of OutputVerdict.
inline constexpr std::string_view kOutputVerdictNames[] = {"explained", "outside the model", "unlikely", "impossible"};

}  // namespace orderlab::study
