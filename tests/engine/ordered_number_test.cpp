// Numbers as ordered integers: the keys inside the loops are those of format.hpp.
#include "core/ordered_number.hpp"

#include <doctest/doctest.h>

#include <type_traits>

#include "engine/term_groups.hpp"
#include "orderlab/format.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// The T with these bits, as they stand.
template <class T>
T from_bits(std::uint64_t pattern) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(pattern);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
  } else {
    T value;
    value.bits = static_cast<std::uint16_t>(pattern);
    return value;
  }
}

template <class T>
void check_pattern(std::uint64_t pattern) {
  CAPTURE(pattern);
  constexpr Format kFormat = kFormatOf<T>;
  const T value = from_bits<T>(pattern);
  const std::uint64_t canonical = bits_of(value);
  CHECK(any_key(value) == ordered_key(kFormat, canonical));
  CHECK(any_key(value) != kNoKey<KeyOf<T>>);
  CHECK(bits_of(number_of<T>(any_key(value))) == canonical);
  if (std::isnan(static_cast<double>(value))) {
    CHECK(any_key(value) > number_key(round_to<T>(std::numeric_limits<double>::infinity())));
    return;
  }
  CHECK(number_key(value) == ordered_key(kFormat, pattern));
  CHECK(bits_of(number_of<T>(number_key(value))) == pattern);
}

}  // namespace

TEST_CASE_TEMPLATE("keys of all 16-bit patterns are those of format.hpp, and back", T, Half, Bfloat16) {
  for (std::uint64_t pattern = 0; pattern < 0x10000; ++pattern) check_pattern<T>(pattern);
}

TEST_CASE_TEMPLATE("keys of 32 and 64 bits are those of format.hpp, and back", T, float, double) {
  IndexGenerator draw(RandomStream(2, 2, 2), 0);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - info(kFormatOf<T>).bits);
  for (std::uint64_t i = 0; i < trials(20'000); ++i) check_pattern<T>(draw() & mask);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 1.0, -1.0}) {
    const std::uint64_t pattern = round_to_bits(kFormatOf<T>, x);
    for (const std::uint64_t near : {pattern - 1, pattern, pattern + 1}) check_pattern<T>(near & mask);
  }
}

TEST_CASE("groups collect bit-identical numbers, ascending, NaN last") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const TermGroups groups(std::vector<double>{1, 0.0, nan, -0.0, -infinity, 1, infinity, -nan, 0.0, 1});
  const std::vector<double> values{-infinity, -0.0, 0.0, 1, infinity, nan};
  const std::vector<std::vector<std::uint32_t>> members{{4}, {3}, {1, 8}, {0, 5, 9}, {6}, {2, 7}};
  REQUIRE(groups.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(bits_of(groups.values[i]) == bits_of(values[i]));
  CHECK(groups.members == members);
  CHECK(groups.multiplicities() == std::vector<std::uint32_t>{1, 1, 2, 3, 1, 2});
}
