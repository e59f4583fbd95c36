// The orders of CUB and cooperative groups against their threads one by one (cub_emulation.hpp), bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "order/cub_emulation.hpp"
#include "order/pipelines.hpp"
#include "order/telling_terms.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// About every boundary of a tile, and of a grid of one to three thread blocks, with a partial tile first or later.
std::set<std::size_t> device_sizes(std::size_t tile) {
  std::set<std::size_t> sizes{1, 2, 31, 32, 33, 64, 255, 256, 257, 300, 511, 512, 513};
  for (const std::size_t tiles : {1u, 2u, 3u, 4u})
    for (const std::size_t rest : {std::size_t{1}, std::size_t{33}, std::size_t{256}, std::size_t{257}, tile - 1})
      sizes.insert({(tiles - 1) * tile + rest, tiles * tile});
  return sizes;
}

template <class T>
void compare_device_sums(std::size_t& loads_differ) {
  using Cub = CubEmulation<T>;
  std::uint64_t seed = 40'000;
  for (const std::size_t n : device_sizes(Cub::kTileItems)) {
    ++seed;
    for (const Terms<T>& terms : draw_terms<T>(seed, n)) {
      for (const std::size_t blocks : {1u, 2u, 3u, 5280u}) {
        CAPTURE(info(kFormatOf<T>).name);
        CAPTURE(n);
        CAPTURE(blocks);
        CAPTURE(seed);
        const std::string grid = "cub(blocks=" + std::to_string(blocks);
        const std::uint64_t aligned = terms.sum(grid + ")");
        const std::uint64_t striped = terms.sum(grid + ",load=striped)");
        CHECK(aligned == bits_of(Cub::device_sum(terms.array, blocks, true)));
        CHECK(striped == bits_of(Cub::device_sum(terms.array, blocks, false)));
        if (blocks == 2) CHECK(terms.sum("thrust(2)") == striped);
        if (aligned != striped) ++loads_differ;
      }
    }
  }
}

template <class T>
void compare_blocks(const Terms<T>& terms, std::size_t threads, std::size_t& algorithms_differ) {
  using Cub = CubEmulation<T>;
  std::size_t valid = 0;
  const std::vector<T> thread = Cub::strided(terms.array, threads, valid);
  const std::string b = "(" + std::to_string(threads) + ")";
  const std::uint64_t raking = terms.sum("cub_block_raking" + b);
  const std::uint64_t commutative = terms.sum("cub_block_raking_commutative" + b);
  CHECK(terms.sum("cub_block" + b) == bits_of(Cub::block_warp_reductions(thread, valid)));
  CHECK(raking == bits_of(Cub::block_raking(thread, valid)));
  CHECK(commutative == bits_of(Cub::block_raking_commutative_only(thread, valid)));
  if (raking != commutative) ++algorithms_differ;
  if (threads <= 32) CHECK(terms.sum("cub_warp" + b) == bits_of(Cub::warp_reduce(thread, valid)));
}

template <class T>
void compare_blocks(std::size_t& algorithms_differ) {
  std::uint64_t seed = 50'000;
  for (const std::size_t threads : {1u, 20u, 32u, 33u, 62u, 64u, 96u, 100u, 128u, 160u, 256u, 500u, 1024u})
    for (const std::size_t n : std::set<std::size_t>{1, 2, 31, 32, 33, 65, threads - 1, threads, threads + 1,
                                                     2 * threads, 2 * threads + 40, 3 * threads - 1}) {
      if (n == 0) continue;
      ++seed;
      CAPTURE(info(kFormatOf<T>).name);
      CAPTURE(n);
      CAPTURE(threads);
      CAPTURE(seed);
      for (const Terms<T>& terms : draw_terms<T>(seed, n)) compare_blocks(terms, threads, algorithms_differ);
    }
}

template <class T>
void compare_tiles() {
  std::uint64_t seed = 60'000;
  for (const std::size_t threads : {1u, 2u, 16u, 32u, 64u, 128u, 512u, 1024u})
    for (const std::size_t n : {1u, 3u, 17u, 32u, 33u, 200u, 1023u, 1024u, 1025u, 3000u}) {
      ++seed;
      CAPTURE(info(kFormatOf<T>).name);
      CAPTURE(n);
      CAPTURE(threads);
      CAPTURE(seed);
      for (const Terms<T>& terms : draw_terms<T>(seed, n))
        CHECK(terms.sum("cg(" + std::to_string(threads) + ")") ==
              bits_of(CubEmulation<T>::cooperative_groups(terms.array, threads)));
    }
}

std::string cub_shape(const std::string& order, Format format, std::size_t n) {
  const TypedTerms terms(format, std::vector<double>(n, 1));
  return text_of(Evaluator::make(parse_order(order), terms.view(), {format, format, format}, 1)->tree(0));
}

}  // namespace

TEST_CASE_TEMPLATE("cub and thrust add as the threads of cub::DeviceReduce do", T, double, float, Half, Bfloat16) {
  std::size_t loads_differ = 0;
  compare_device_sums<T>(loads_differ);
  CHECK(loads_differ > 50);  // else the terms do not tell one load from the other
}

TEST_CASE_TEMPLATE("the thread block orders of CUB add as its threads do", T, double, float, Half, Bfloat16) {
  std::size_t algorithms_differ = 0;
  compare_blocks<T>(algorithms_differ);
  CHECK(algorithms_differ > 10);
}

TEST_CASE_TEMPLATE("cg adds as the threads of a cooperative group do", T, double, float, Half, Bfloat16) {
  compare_tiles<T>();
}

TEST_CASE("cub takes its tile from the format of the sums, not of the terms") {
  // TransformReduce of fp16 terms with a conversion is a sum of the converted terms.
  const Terms<Half> narrow = draw_terms<Half>(1, 20'000)[0];
  const TypedTerms wide(Format::fp32, narrow.numbers);
  std::vector<float> converted;
  for (const Half term : narrow.array) converted.push_back(static_cast<float>(static_cast<double>(term)));
  const std::uint64_t sum = sum_bits_of("cub(3)", narrow.typed.view(), parse_formats("fp16:fp32"));
  CHECK(sum == bits_of(CubEmulation<float>::device_sum(converted, 3, true)));
}

TEST_CASE("a sum that fits one warp shows the tree of cub: neighbours first, from zero at the end") {
  CHECK(cub_shape("cub", Format::fp32, 1) == "0+0");
  CHECK(cub_shape("cub", Format::fp32, 5) == "0+(((0+1)+(2+3))+4)");
  CHECK(cub_shape("cub_warp(4)", Format::fp64, 6) == "(((0+4)+(1+5))+(2+3))");
  CHECK(cub_shape("cub_block(2)", Format::fp64, 3) == "((0+2)+1)");
  CHECK(cub_shape("cg(4)", Format::fp64, 4) == "((0+0+0+2)+(0+1+0+3))");
}

TEST_CASE("raking threads take segments, or their own and a segment of the others") {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(cub_shape("cub_rake(34) | seq", Format::fp64, 5) == "(((0+1)+(2+3))+4)");
  CHECK(has(cub_shape("cub_rake(96) | seq", Format::fp32, 96), "((3+4)+5)"));
  CHECK(has(cub_shape("cub_rake(96,commutative_only) | seq", Format::fp32, 96), "((1+34)+35)"));
  CHECK(has(cub_shape("cub_rake(128,commutative_only) | seq", Format::fp64, 128), "(((1+35)+36)+37)"));
  CHECK(has(cub_shape("cub_rake(128,commutative_only) | seq", Format::fp32, 128), "((1+35)+(36+37))"));
  CHECK(has(cub_shape("cub_rake(128,commutative_only) | seq", Format::fp16, 128), "((1+36)+(35+37))"));
}

TEST_CASE("cub_rake takes one thread block after another, the last one in part") {
  using Cub = CubEmulation<float>;
  for (const std::size_t n : {1u, 127u, 128u, 129u, 256u, 300u, 383u, 384u}) {
    CAPTURE(n);
    const Terms<float> terms = draw_terms<float>(n, n)[0];
    std::vector<float> raked;
    std::vector<float> gathered;
    for (std::size_t begin = 0; begin < n; begin += 128) {
      const std::size_t valid = std::min<std::size_t>(128, n - begin);
      std::vector<float> thread(128);
      std::copy_n(terms.array.begin() + static_cast<std::ptrdiff_t>(begin), valid, thread.begin());
      raked.push_back(Cub::block_raking(thread, valid));
      gathered.push_back(Cub::block_raking_commutative_only(thread, valid));
    }
    const auto total = [](const std::vector<float>& sums) {
      const TypedTerms typed(Format::fp32, std::vector<double>(sums.begin(), sums.end()));
      return sum_bits_of("seq", typed.view(), parse_formats("fp32"));
    };
    CHECK(terms.sum("cub_rake(128) | adjacent(32) | seq") == total(raked));
    CHECK(terms.sum("cub_rake(128,commutative_only) | adjacent(32) | seq") == total(gathered));
  }
}

TEST_CASE("whether cub_tile leaves one partial sum depends on the format of the sums") {
  const Order order = parse_order("cub_tile(8) | adjacent(256)");
  order.check(8192, false, Format::fp16);
  CHECK_THROWS_WITH_AS(
      order.check(8192, false, Format::fp32),
      "order cub_tile(8) | adjacent(256): leaves 2 partial sums of 8192 terms; end it with a stage that "
      "adds them all, such as `cub_tile(8) | adjacent(256) | seq`",
      Error);
  CHECK_THROWS_AS(order.check(8192, false, Format::fp64), Error);
  order.check(2048, false, Format::fp64);
}

TEST_CASE("the memory of cub grows with the terms until its grid is full") {
  const Order cub = parse_order("cub(100)");
  const auto bytes = [&](std::size_t n, Format format) {
    return evaluator_memory_bytes(cub, n, false, {format, format, format}, 1);
  };
  constexpr double kThreads = 100 * 256;
  const auto full = static_cast<std::size_t>(kThreads);
  for (const FormatInfo& f : kFormats) {
    CAPTURE(f.name);
    CHECK(bytes(full * 32, f.format) >= kThreads * (f.bits / 8.0 + sizeof(std::uint64_t)));
    CHECK(bytes(full * 8, f.format) > bytes(full * 4, f.format));
    CHECK(bytes(full * 64, f.format) == bytes(full * 32, f.format));
  }
  CHECK(bytes(full * 8, Format::fp64) == bytes(full * 32, Format::fp64));
  CHECK(bytes(full * 8, Format::fp32) < bytes(full * 16, Format::fp32));
}
