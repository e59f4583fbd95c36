#include "vectors/slices.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <vector>

#include "doubles.hpp"
#include "orderlab/format.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

template <class T>
void copy_some(std::size_t n) {
  constexpr T kQuiet = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> numbers{T(1.5),
                               -kQuiet,
                               T(0.0),
                               -T(0.0),
                               std::numeric_limits<T>::infinity(),
                               kQuiet,
                               std::numeric_limits<T>::denorm_min()};
  std::vector<T> from;
  for (std::size_t i = 0; i < n; ++i) from.push_back(numbers[i % numbers.size()]);
  std::vector<T> to(n + 1, T(7));
  copy_canonical(to.data(), from.data(), n);
  for (std::size_t i = 0; i < n; ++i)
    REQUIRE(bits(static_cast<double>(to[i])) == round_to_bits(Format::fp64, static_cast<double>(from[i])));
  CHECK(to[n] == T(7));
}

}  // namespace

TEST_CASE("a copy has the same bits, but one NaN") {
  on_each_target([] {
    for (std::size_t n = 0; n < 70; ++n) {
      copy_some<float>(n);
      copy_some<double>(n);
    }
  });
}
