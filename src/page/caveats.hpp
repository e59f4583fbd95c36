// What a reader must know before any sentence of a page.
#pragma once

#include <string>
#include <vector>

#include "page/sweep_content.hpp"

namespace orderlab {

/// How many points are finished, where some are not; else empty.
std::string unfinished_of(std::size_t finished, std::size_t planned);

/// That sums are near 0, and where sums are inf or NaN; empty where there is nothing of the kind.
std::vector<std::string> caveats_of(const SweepContent& content);

}  // namespace orderlab
