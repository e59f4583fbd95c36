// Terms for comparing an order with an emulation of what it stands for: in both their forms, and such that they tell
// one order from another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"

namespace orderlab::testing {

/// The same terms as an evaluator reads them and as an array.
template <class T>
struct Terms {
  static constexpr Format kFormat = kFormatOf<T>;
  std::vector<double> numbers;
  TypedTerms typed;
  std::vector<T> array;

  explicit Terms(const std::vector<double>& some) : numbers(some), typed(kFormat, numbers) {
    for (const double number : numbers) array.push_back(round_to<T>(number));
  }

  std::uint64_t sum(const std::string& order) const {
    return sum_bits_of(order, typed.view(), {kFormat, kFormat, kFormat});
  }
};

/// Terms that tell one order from another far from overflow in any format, and some that are hard in another way, which
/// depends on the seed.
template <class T>
std::array<Terms<T>, 2> draw_terms(std::uint64_t seed, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, 0, n), 0);
  std::vector<double> telling(n);
  for (double& term : telling) term = with_random_sign(draw, 1 + static_cast<double>(draw() >> 11) * 0x1p-53);
  const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
  return {Terms<T>(telling), Terms<T>(troublesome_numbers(seed, kFormatOf<T>, trouble, n))};
}

}  // namespace orderlab::testing
