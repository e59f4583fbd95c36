// How many values of one sample may exceed all values of another?
#pragma once

#include <cstdint>
#include <optional>

namespace orderlab {

/// Probability that, of `given` and `samples` independent draws of one distribution, the `beyond` largest are all among
/// the given ones: C(given, beyond) / C(given + samples, beyond). With ties, which count as not beyond, it is at most
/// that.
///
/// Shape:  beyond <= given.
/// Source: [Gumbel1950].
double exceedances_p(std::uint64_t given, std::uint64_t samples, std::uint64_t beyond);

/// The fewest beyond that have less than that probability; empty if not even all given ones have.
std::optional<std::uint64_t> fewest_exceedances(std::uint64_t given, std::uint64_t samples, double probability);

}  // namespace orderlab
