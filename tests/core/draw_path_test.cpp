// Keys of draw paths: their construction, their known answers, and that draws in different places are independent.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "orderlab/philox.hpp"
#include "reference/chi_square.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Part = std::optional<std::uint64_t>;

constexpr std::array<Part DrawPath::*, 3> kParts{&DrawPath::site, &DrawPath::step, &DrawPath::output};

constexpr std::array<std::uint64_t, 3> kLimits{DrawPath::kSiteLimit, DrawPath::kStepLimit, DrawPath::kOutputLimit};

/// The counter of philox.hpp as one number, high half first.
std::array<std::uint64_t, 2> documented_counter(const DrawPath& path) {
  __extension__ using Wide = unsigned __int128;
  const auto field = [](const Part& part) { return part ? Wide{*part} + 1 : Wide{0}; };
  const Wide counter = field(path.output) | field(path.step) << 48 | Wide{8} << 96 | field(path.site) << 112;
  return {static_cast<std::uint64_t>(counter >> 64), static_cast<std::uint64_t>(counter)};
}

std::uint64_t documented_key(const DrawPath& path) {
  const auto [high, low] = documented_counter(path);
  const auto word = [](std::uint64_t x, int i) { return static_cast<std::uint32_t>(x >> (32 * i)); };
  const auto words =
      philox({word(low, 0), word(low, 1), word(high, 0), word(high, 1)}, {word(path.seed, 0), word(path.seed, 1)});
  return words[0] | (std::uint64_t{words[1]} << 32);
}

/// Paths of all combinations of absent, small and large parts but the empty one.
std::vector<DrawPath> paths_around_limits(std::uint64_t seed) {
  std::vector<DrawPath> paths;
  const auto values = [](std::uint64_t limit) {
    return std::vector<Part>{std::nullopt, 0, 1, 2, 0xFF, limit / 2, limit - 2, limit - 1};
  };
  for (const Part& site : values(DrawPath::kSiteLimit))
    for (const Part& step : values(DrawPath::kStepLimit))
      for (const Part& output : values(DrawPath::kOutputLimit))
        if (site || step || output) paths.push_back({seed, site, step, output});
  return paths;
}

RandomStream stream_of(const DrawPath& path, std::uint64_t sample = 0) {
  return {path.key(), streams::kFirstStage, sample};
}

/// A path and another in which one part is the next number.
struct Neighbours {
  DrawPath one;
  DrawPath other;
};

/// Pair `i` of a family of pairs that differ in `part` only, the other parts going from absent to large with the
/// family.
Neighbours neighbours(std::size_t part, std::size_t family, std::uint64_t i) {
  DrawPath one{.seed = 0x5EED + family};
  for (std::size_t p = 0; p < kParts.size(); ++p)
    if (p != part && family > 0) one.*kParts[p] = family == 1 ? 3 : kLimits[p] - 1;
  const std::uint64_t first = 2 * i % (kLimits[part] - 1);
  one.*kParts[part] = first;
  DrawPath other = one;
  other.*kParts[part] = first + 1;
  return {one, other};
}

/// Words drawn in two places that should have nothing to do with each other.
class Joint {
 public:
  void add(std::uint32_t one, std::uint32_t other) {
    ++cells_[(one >> 28) * 16 + (other >> 28)];
    products_ += centred(one) * centred(other);
    ++count_;
  }

  /// Top four bits of both: 256 equal cells, a false alarm in about 1e9; and the correlation.
  void check() const {
    CHECK(chi_square_p(cells_) > 1e-9);
    // A product of two independent uniform numbers in (-1/2, 1/2) has mean 0, variance 1/144 and is within 1/4. By
    // Bernstein's inequality the sum of N of them is farther than 6.5 sqrt(N) / 12 from 0 with a probability of at most
    // 2 exp(-6.5^2 / 2 / (1 + 6.5 / sqrt(N))), 6e-9 for N = 1e4.
    CHECK(std::fabs(products_) < 6.5 * std::sqrt(static_cast<double>(count_)) / 12);
  }

 private:
  static double centred(std::uint32_t word) { return (word + 0.5) * 0x1p-32 - 0.5; }

  std::vector<std::uint64_t> cells_ = std::vector<std::uint64_t>(256);
  double products_ = 0;
  std::uint64_t count_ = 0;
};

/// Pairs of words of a test: enough for its cells and bounds whatever the scale.
std::uint64_t pairs() { return std::max<std::uint64_t>(10'000, trials(100'000)); }

}  // namespace

TEST_CASE("the key of the empty path is the seed") {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    CHECK(DrawPath{.seed = seed}.key() == seed);
    CHECK(RandomStream(DrawPath{.seed = seed}.key(), 16, 3).block(5) == RandomStream(seed, 16, 3).block(5));
  }
  static_assert(DrawPath{.seed = 7}.key() == 7);
  static_assert(DrawPath{.seed = 7, .output = 0}.key() != 7);
}

TEST_CASE("keys and first words are the known answers of another implementation") {
  std::ifstream file(ORDERLAB_TEST_DRAW_PATHS);
  REQUIRE(file);
  std::size_t answers = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    CAPTURE(line);
    std::istringstream columns(line);
    std::array<std::string, 3> parts;
    DrawPath path;
    std::uint64_t key = 0;
    RandomStream::Block words{};
    columns >> std::hex >> path.seed >> parts[0] >> parts[1] >> parts[2] >> key;
    for (std::uint32_t& word : words) columns >> word;
    REQUIRE(columns);
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (parts[p] != "-") path.*kParts[p] = std::stoull(parts[p]);
    CHECK(path.key() == key);
    CHECK(stream_of(path).block(0) == words);
    ++answers;
  }
  CHECK(answers == 192);
}

TEST_CASE("a key is Philox of the documented counter, which no other path has and no other draw") {
  std::set<std::array<std::uint64_t, 2>> counters;
  const std::vector<DrawPath> paths = paths_around_limits(0xFEDCBA9876543210);
  for (const DrawPath& path : paths) {
    CHECK(path.key() == documented_key(path));
    counters.insert(documented_counter(path));
  }
  CHECK(counters.size() == paths.size());
  for (const std::uint16_t other :
       {streams::kTerms, streams::kTermOrder, streams::kGoodnessOfFit, streams::kSearchMoves, streams::kSearchStarts,
        streams::kCrossCheckChoices, streams::kFit, streams::kBootstrap, streams::kFirstStage, streams::kFirstLaunch})
    CHECK(streams::kPathKeys != other);
  CHECK(streams::kPathKeys < streams::kFirstStage);
}

TEST_CASE("the keys of consecutive outputs are words 0 and 1 of consecutive blocks of one stream") {
  const RandomStream keys(11, streams::kPathKeys, 4 + 1);
  for (std::uint64_t output = 0; output < 100; ++output) {
    const auto words = keys.block(output + 1, 2 + 1);
    CHECK(DrawPath{.seed = 11, .site = 2, .step = 4, .output = output}.key() ==
          (words[0] | (std::uint64_t{words[1]} << 32)));
  }
}

TEST_CASE("a part beyond its limit is refused") {
  const std::array<std::string, 3> names{"site", "step", "output"};
  for (std::size_t p = 0; p < kParts.size(); ++p)
    for (const std::uint64_t beyond : {kLimits[p], kLimits[p] + 1, ~std::uint64_t{0}}) {
      DrawPath path{.seed = 1};
      path.*kParts[p] = kLimits[p] - 1;
      CHECK_NOTHROW(path.key());
      path.*kParts[p] = beyond;
      const std::string expected =
          names[p] + " " + std::to_string(beyond) + " of a draw path: must be below " + std::to_string(kLimits[p]);
      CHECK_THROWS_WITH_AS(path.key(), expected.c_str(), Error);
    }
}

TEST_CASE("a million paths have a million keys") {
  // Some two of N random keys of 64 bits are equal with a probability below N^2 / 2^65: 2.8e-8 for a million.
  const auto outputs = static_cast<std::int64_t>(trials(1000));
  std::vector<std::uint64_t> keys;
  for (std::int64_t site = -1; site < 9; ++site)
    for (std::int64_t step = -1; step < 99; ++step)
      for (std::int64_t output = -1; output < outputs - 1; ++output) {
        const auto part = [](std::int64_t number) { return number < 0 ? Part() : Part(number); };
        keys.push_back(DrawPath{1, part(site), part(step), part(output)}.key());
      }
  CHECK(keys.size() == 1000 * static_cast<std::size_t>(outputs));
  std::sort(keys.begin(), keys.end());
  CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
}

TEST_CASE("every bit of a key changes between neighbours half of the time") {
  const std::uint64_t count = std::max<std::uint64_t>(1000, trials(20'000));
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    std::array<std::uint64_t, 64> changed{};
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto [one, other] = neighbours(part, 1, i);
      for (std::size_t bit = 0; bit < 64; ++bit) changed[bit] += (one.key() ^ other.key()) >> bit & 1;
    }
    // By Hoeffding's inequality more than 4 sqrt(N) from N / 2 with a probability of 2 exp(-32) = 3e-14 a bit.
    const double most = 4 * std::sqrt(static_cast<double>(count));
    for (const std::uint64_t times : changed)
      CHECK(std::fabs(static_cast<double>(times) - static_cast<double>(count) / 2) < most);
  }
}

TEST_CASE("draws of a path, its neighbour and its seed are independent: sample by sample of one pair") {
  for (std::size_t part = 0; part < kParts.size(); ++part)
    for (std::size_t family = 0; family < 3; ++family) {
      CAPTURE(part);
      CAPTURE(family);
      const auto [one, other] = neighbours(part, family, 0);
      Joint between_neighbours;
      Joint with_seed;
      Joint with_key_draws;  // of the same stream that keys are drawn from
      for (std::uint64_t sample = 0; sample < pairs(); ++sample) {
        const std::uint32_t word = stream_of(one, sample).block(0)[0];
        between_neighbours.add(word, stream_of(other, sample).block(0)[0]);
        with_seed.add(word, stream_of({.seed = one.seed}, sample).block(0)[0]);
        with_key_draws.add(word, RandomStream(one.seed, streams::kPathKeys, sample).block(0)[0]);
      }
      between_neighbours.check();
      with_seed.check();
      with_key_draws.check();
    }
}

TEST_CASE("draws of a path and its neighbour are independent: pair by pair of one sample") {
  for (std::size_t part = 0; part < kParts.size(); ++part)
    for (std::size_t family = 0; family < 3; ++family) {
      CAPTURE(part);
      CAPTURE(family);
      Joint first;
      Joint crossed;  // the last word of one with the first of the other
      // Sites are few: two pairs share one only where their seeds differ.
      const std::uint64_t few = DrawPath::kSiteLimit / 2 - 1;
      for (std::uint64_t i = 0; i < pairs(); ++i) {
        auto [one, other] = neighbours(part, family, i % few);
        one.seed += 1000 * (i / few);
        other.seed = one.seed;
        const auto words = stream_of(one).block(0);
        const auto next = stream_of(other).block(0);
        first.add(words[0], next[0]);
        crossed.add(words[3], next[0]);
      }
      first.check();
      crossed.check();
    }
}
