#include "inference/token_draws.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace orderlab {

namespace {

std::vector<std::uint32_t> arrivals_of(const TokenDraws& draws, std::uint64_t product, std::uint64_t tile,
                                       std::size_t splits) {
  std::vector<std::uint32_t> order(splits);
  draws.arrivals(product, tile, order);
  return order;
}

}  // namespace

TEST_CASE("splits arrive in every order equally often") {
  constexpr std::uint64_t kTiles = 6000;
  const TokenDraws draws(1, 0, 3, 17);
  std::map<std::vector<std::uint32_t>, std::uint64_t> counts;
  for (std::uint64_t tile = 0; tile < kTiles; ++tile) ++counts[arrivals_of(draws, 5, tile, 3)];
  REQUIRE(counts.size() == 6);
  constexpr double kExpected = kTiles / 6.0;
  double chi_square = 0;
  for (const auto& [order, count] : counts)
    chi_square += (static_cast<double>(count) - kExpected) * (static_cast<double>(count) - kExpected) / kExpected;
  CHECK(chi_square < 20.5);  // exceeded with probability 0.001, 5 degrees of freedom
}

TEST_CASE("batches are equally likely") {
  constexpr std::uint64_t kTokens = 4000;
  std::array<std::uint64_t, 4> counts{};
  for (std::uint64_t position = 0; position < kTokens; ++position) ++counts[TokenDraws(9, 2, 0, position).batch(4)];
  for (const std::uint64_t count : counts)  // four standard deviations
    CHECK(std::fabs(static_cast<double>(count) - kTokens / 4.0) < 4 * std::sqrt(kTokens * 0.25 * 0.75));
}

TEST_CASE("draws depend on the seed, the run, the request, the position, the product and the tile") {
  constexpr std::size_t kSplits = 40;
  const auto first = arrivals_of(TokenDraws(1, 0, 0, 0), 0, 0, kSplits);
  CHECK(arrivals_of(TokenDraws(1, 0, 0, 0), 0, 0, kSplits) == first);
  for (const TokenDraws& other :
       {TokenDraws(2, 0, 0, 0), TokenDraws(1, 1, 0, 0), TokenDraws(1, 0, 1, 0), TokenDraws(1, 0, 0, 1)})
    CHECK(arrivals_of(other, 0, 0, kSplits) != first);
  CHECK(arrivals_of(TokenDraws(1, 0, 0, 0), 1, 0, kSplits) != first);
  CHECK(arrivals_of(TokenDraws(1, 0, 0, 0), 0, 1, kSplits) != first);
}

}  // namespace orderlab
