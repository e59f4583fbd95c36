// What a distribution is inside this layer: its parameters, what else must hold of them, and its generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/pass.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"
#include "terms/typed_terms.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {

/// The random streams of one input, and the loop that independent terms are drawn in.
struct TermStreams {
  std::uint64_t seed;
  std::uint64_t input;
  const Loop& loop;

  RandomStream draws() const { return {seed, streams::kTerms, input}; }
  RandomStream order() const { return {seed, streams::kTermOrder, input}; }
};

/// A distribution with what the public list does not show.
struct DistributionDefinition : TermDistribution {
  std::span<const Parameter> accepts;

  /// What is wrong with arguments that are in range one by one, and what would be right; null if nothing can be.
  std::optional<std::string> (*problem)(const Arguments& arguments);

  /// Fills `terms`. `text` is what the user wrote, for messages.
  void (*generate)(const Arguments& arguments, std::string_view text, const TermStreams& random, Terms& terms);
  /// No number before rounding is larger in magnitude; null where there is no such limit, or none is derived.
  double (*largest)(const Arguments& arguments) = nullptr;
};

/// All of them, in the order of distributions().
std::span<const DistributionDefinition* const> distribution_definitions();

/// A distribution with arguments that suit it.
struct DistributionCall {
  const DistributionDefinition* definition;
  Arguments arguments;
};

/// Reads "name(argument,...)". Error(usage) says what is wrong and what would be right.
DistributionCall parse_distribution(std::string_view text);

/// A required real parameter.
constexpr Parameter real_parameter(std::string_view name, double low = std::numeric_limits<double>::lowest(),
                                   double high = std::numeric_limits<double>::max()) {
  return {name, ParameterKind::real, "", low, high};
}

/// Term i is draw(generator of index i), rounded once: independent of n and of the order of generation. Parts are drawn
/// at once: calls of `draw` must not change it.
template <class Draw>
void fill(const TermStreams& random, Terms& terms, const Draw& draw) {
  const RandomStream stream = random.draws();
  with_type_of(terms.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T* const x = numbers<T>(terms);
    const Format format = terms.format();
    Pass pass(terms.size());
    loop_over(terms.size(), random.loop, [&](std::size_t first, std::size_t count) {
      visit_philox_blocks(stream, first, count, [=](std::size_t begin, auto low, auto high) {
        for (std::size_t i = 0; i < low.size(); ++i) {
          IndexGenerator generator(stream, first + begin + i, low[i], high[i]);
          x[first + begin + i] = rounded_term<T>(format, draw(generator));
        }
      });
      pass.did(count);
    });
  });
}

}  // namespace orderlab
