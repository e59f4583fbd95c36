// Look-back distances that are all equally likely.
#include <algorithm>

#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {
namespace {

constexpr Parameter kUniformLookbackParameters[] = {
    {.name = "least", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    {.name = "greatest", .kind = ParameterKind::count, .default_text = "32", .low = 1}};

void check_uniform_lookback(const Arguments& arguments) {
  if (arguments.count(1) < arguments.count(0))
    throw Error(ErrorKind::usage, "uniform(" + std::to_string(arguments.count(0)) + "," +
                                      std::to_string(arguments.count(1)) +
                                      "): the greatest distance must be at least the least");
}

// The fixed form is the least distance.
void draw_uniform_lookback(const Arguments& arguments, const std::optional<RandomStream>& stream,
                           std::span<const std::uint32_t>, std::span<std::uint32_t> distances) {
  const std::uint64_t least = arguments.count(0);
  const std::uint64_t greatest = arguments.count(1);
  constexpr std::uint64_t kMost = 0xFFFFFFFE;  // more than any scan has tiles
  const auto bound = static_cast<std::uint32_t>(std::min(greatest - least, kMost)) + 1;
  std::optional<WordReader> words;
  if (stream) words.emplace(*stream);
  for (std::size_t t = 0; t < distances.size(); ++t) {
    const std::uint64_t distance = least + (words ? words->below(bound, t) : 0);
    distances[t] = static_cast<std::uint32_t>(std::min<std::uint64_t>(t, distance));
  }
}

}  // namespace

extern const LookbackModel kUniformLookback;
const LookbackModel kUniformLookback{
    .name = "uniform",
    .summary = "each tile's distance is any from least to greatest, equally likely; at most to the first tile",
    .source = "definition: no measurement",
    .parameters = kUniformLookbackParameters,
    .random = true,
    .by_arrival = false,
    .check = check_uniform_lookback,
    .draw = draw_uniform_lookback,
};

}  // namespace orderlab
