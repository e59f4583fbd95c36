// Stages run on parts of their input against the same stages run on the whole.
#include "order/in_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/order.hpp"
#include "trouble.hpp"

namespace orderlab {
namespace {

using testing::Trouble;
using testing::TypedTerms;

std::vector<StageCall> stages_of(const std::string& text) { return parse_order(text + " | seq").stages(); }

template <class A>
std::vector<std::uint64_t> bits_left(const Input<A>& left) {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < left.size(); ++i) bits.push_back(bits_of(A::number(left[i])));
  return bits;
}

/// The stage on consecutive parts of `size` partial sums.
template <class T>
std::vector<std::uint64_t> bits_by_parts(const StageCall& call, std::span<const T> terms, std::size_t size) {
  std::vector<std::uint64_t> bits;
  Floats<T> arith;
  Buffers<Floats<T>> buffers;
  for (std::size_t begin = 0; begin < terms.size(); begin += size) {
    const Input<Floats<T>> part(terms.subspan(begin, std::min(size, terms.size() - begin)));
    const auto some = bits_left<Floats<T>>(run_stages({&call, 1}, arith, part, buffers, {}));
    bits.insert(bits.end(), some.begin(), some.end());
  }
  return bits;
}

template <class T>
void check_stages(std::uint64_t seed) {
  for (const std::size_t n : {1u, 300u, 1024u, 5000u, 40'009u}) {
    const TypedTerms terms(kFormatOf<T>, testing::troublesome_numbers(seed, kFormatOf<T>, testing::kTroubles[0], n));
    const std::span numbers(static_cast<const T*>(terms.view().x), n);
    for (const char* text : {"halving(32)", "halving(512)", "adjacent(32)", "adjacent(7)", "seq(5)",
                             "seq(40,from=zero)", "seq(9,acc=kahan)", "tile(256,4)", "tile(33,3)",
                             "tile(64,2,grid=700)", "cub_tile(9)", "cub_rake(256)", "cub_rake(256,commutative_only)"}) {
      CAPTURE(text);
      CAPTURE(n);
      const StageCall call = stages_of(text)[0];
      Floats<T> arith;
      Buffers<Floats<T>> buffers;
      const auto whole = bits_left<Floats<T>>(run_stages({&call, 1}, arith, Input<Floats<T>>(numbers), buffers, {}));
      REQUIRE((call.stage->code->unit != nullptr));
      const std::size_t unit = call.stage->code->unit(call.arguments, n, kFormatOf<T>);
      if (unit == 0) continue;
      CHECK(bits_by_parts<T>(call, numbers, unit) == whole);
      CHECK(bits_by_parts<T>(call, numbers, 3 * unit) == whole);
    }
  }
}

TEST_CASE("a stage that has a unit leaves of parts what it leaves of the whole") {
  check_stages<double>(1);
  check_stages<float>(2);
  check_stages<Half>(3);
  check_stages<Bfloat16>(4);
}

std::size_t unit_of(const std::string& text, std::size_t m) {
  const StageCall call = stages_of(text)[0];
  return call.stage->code->unit == nullptr ? 0 : call.stage->code->unit(call.arguments, m, Format::fp64);
}

TEST_CASE("units: runs and tiles have one, thread blocks that stride on have none") {
  CHECK(unit_of("halving(32)", 1000) == 32);
  CHECK(unit_of("seq", 1000) == 1000);
  CHECK(unit_of("tile(256,4)", 1'000'000) == 1024);
  CHECK(unit_of("tile(256,4,grid=9)", 9 * 1024) == 1024);
  CHECK(unit_of("tile(256,4,grid=9)", 9 * 1024 + 1) == 0);
  CHECK(unit_of("cub_tile(9)", 9 * 2048) == 2048);
  CHECK(unit_of("cub_tile(9)", 9 * 2048 + 1) == 0);
  CHECK(unit_of("strided(8)", 1000) == 0);
  CHECK(unit_of("chunks(8)", 1000) == 0);
  CHECK(unit_of("pairwise", 1000) == 0);
}

TEST_CASE("parts are of whole units of all their stages") {
  const auto parts_of = [](const std::string& text, std::size_t m) {
    return Parts::of(stages_of(text), m, Format::fp64);
  };
  const Parts spa = parts_of("tile(256,4) | halving(256)", 1'000'000);
  CHECK(spa.stages == 2);
  CHECK(spa.size == Parts::kMost);
  CHECK(spa.left == 977);
  const Parts odd = parts_of("seq(6) | seq(10) | halving(4)", 1'000'000);  // 240 is the least that all three divide
  CHECK(odd.stages == 3);
  CHECK(odd.size == Parts::kMost / 240 * 240);
  CHECK(odd.left == 4167);
  CHECK(parts_of("strided(8) | halving(8)", 1'000'000).stages == 0);
  CHECK(parts_of("halving(32) | pairwise", 1'000'000).stages == 1);
  CHECK(parts_of("seq(181) | seq(191)", 1'000'000).stages == 1);  // 34571 is above kMost
}

template <class T>
void check_chains() {
  for (const std::size_t n : {std::size_t{100}, Parts::kMost + 1, std::size_t{200'003}}) {
    const TypedTerms terms(kFormatOf<T>, testing::troublesome_numbers(5, kFormatOf<T>, testing::kTroubles[0], n));
    const std::span numbers(static_cast<const T*>(terms.view().x), n);
    for (const char* text : {"tile(256,4) | halving(256) | pairwise", "seq(6) | seq(10) | halving(4) | strided(3)",
                             "tile(64,4) | halving(64)", "halving(32) | adjacent(5) | numpy"}) {
      CAPTURE(text);
      CAPTURE(n);
      const std::vector<StageCall> stages = stages_of(text);
      Floats<T> in_parts, at_once;
      Buffers<Floats<T>> buffers, other;
      std::vector<T> joined;
      const auto left = run_in_parts(std::span(stages), in_parts, Input<Floats<T>>(numbers), buffers, joined);
      const auto expected = run_stages(std::span(stages), at_once, Input<Floats<T>>(numbers), other, {});
      CHECK(joined.empty() == (n == 100));
      CHECK(bits_left<Floats<T>>(left) == bits_left<Floats<T>>(expected));
      CHECK(in_parts.error().roundings == at_once.error().roundings);
    }
  }
}

TEST_CASE("chains of stages leave in parts what they leave at once") {
  check_chains<double>();
  check_chains<Half>();
}

}  // namespace
}  // namespace orderlab
