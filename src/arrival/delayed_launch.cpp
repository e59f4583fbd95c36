// Normal numbers in bulk, the keys made of them, and a sort of positions: into buckets first, then by insertion.
#include "arrival/delayed_launch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "arrival/fixed_math.hpp"
#include "arrival/random_number_vectors.hpp"
#include "arrival/random_numbers.hpp"
#include "core/arithmetic_guard.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {
namespace {

/// Buckets of equal width over the range of the positions: a position never lies in an earlier bucket than a smaller
/// one, as subtraction, product and truncation are monotone.
class Buckets {
 public:
  // Measured for m = 7813 and 1e6: 1 takes up to a third longer, 4 as well.
  static constexpr std::size_t kBucketsPerPosition = 2;

  explicit Buckets(std::span<const double> positions) : count_(kBucketsPerPosition * positions.size()) {
    double greatest = positions.front();
    lowest_ = greatest;
    for (const double position : positions) {
      lowest_ = std::min(lowest_, position);
      greatest = std::max(greatest, position);
    }
    scale_ = static_cast<double>(count_) / (greatest - lowest_);
    // Huge positions, or all equal ones: infinite or 0.
    usable_ = std::isfinite(greatest - lowest_) && std::isfinite(scale_);
  }

  bool usable() const { return usable_; }

  /// At most count(): rounding may move the greatest position there, and no further, as count() < 2^50.
  std::size_t of(double position) const {
    return static_cast<std::size_t>(static_cast<std::int64_t>((position - lowest_) * scale_));
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  double lowest_ = 0;
  double scale_ = 0;
  bool usable_ = false;
};

/// Puts the numbers of positions into `order` bucket by bucket, within a bucket by number. False, with `order` left
/// alone, if a bucket gets too many for insertion.
bool distribute(std::span<const double> positions, const Buckets& buckets, std::span<std::uint32_t> order) {
  constexpr std::uint32_t kMost = 64;
  const auto place = std::make_unique<std::uint32_t[]>(buckets.count() + 1);
  for (const double position : positions) ++place[buckets.of(position)];
  std::uint32_t before = 0;
  std::uint32_t most = 0;
  for (std::size_t b = 0; b <= buckets.count(); ++b) {
    const std::uint32_t size = place[b];
    most = std::max(most, size);
    place[b] = before;
    before += size;
  }
  if (most > kMost) return false;
  for (std::size_t i = 0; i < positions.size(); ++i)
    order[place[buckets.of(positions[i])]++] = static_cast<std::uint32_t>(i);
  return true;
}

/// Keeps the order of equal positions.
void insertion_sort(std::span<const double> positions, std::span<std::uint32_t> order) {
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::uint32_t number = order[k];
    const double position = positions[number];
    std::size_t hole = k;
    for (; hole > 0 && position < positions[order[hole - 1]]; --hole) order[hole] = order[hole - 1];
    order[hole] = number;
  }
}

void sort_in_turn(std::span<const double> positions, std::span<std::uint32_t> order) {
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  insertion_sort(positions, order);
}

void comparison_sort(std::span<const double> positions, std::span<std::uint32_t> order) {
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  std::sort(order.begin(), order.end(), [positions](std::uint32_t a, std::uint32_t b) {
    if (positions[a] < positions[b]) return true;
    return !(positions[b] < positions[a]) && a < b;
  });
}

// Attempts of the stream, as philox.hpp numbers them: of units, and one more for batches.
constexpr std::uint16_t kSampleDelays = 0;
constexpr std::uint16_t kSteadyDelays = 2;
constexpr std::uint16_t kRunFactor = 4;

/// Numbers to fill without setting them first.
struct Doubles {
  explicit Doubles(std::size_t count) : storage(std::make_unique_for_overwrite<double[]>(count)), size(count) {}
  std::span<double> all() const { return {storage.get(), size}; }

  std::unique_ptr<double[]> storage;
  std::size_t size;
};

/// x[i] = sqrt(1 - share) x[i] + sqrt(share) other(i).
template <class Other>
void mix(std::span<double> x, double share, Other other) {
  const double own = std::sqrt(1 - share);
  const double shared = std::sqrt(share);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = own * x[i] + shared * other(i);
}

/// Sets `delays` to the normal numbers of units at `attempt`; returns the first unit of each batch.
std::vector<std::size_t> draw_units(double size, const RandomStream& stream, std::uint16_t attempt,
                                    std::span<double> delays) {
  const double begins = 1 / size;
  std::vector<std::size_t> first{0};
  visit_philox_blocks(
      stream, 0, delays.size(),
      [&](std::size_t begin, auto low, auto high) {
        for (std::size_t k = 0; k < high.size(); ++k)
          if (begin + k > 0 && open_uniform(static_cast<std::uint32_t>(high[k] >> 32)) < begins)
            first.push_back(begin + k);
        normals({low, high}, delays.subspan(begin, low.size()));
      },
      attempt);
  return first;
}

/// x_i = near x_(i-1) + sqrt(1 - near^2) x_i, one after another.
void carry_over(double near, std::span<double> x) {
  const double own = std::sqrt(1 - near * near);
  for (std::size_t i = 1; i < x.size(); ++i) x[i] = near * x[i - 1] + own * x[i];
}

/// Standard normal delays: what units draw at `attempt`, and batches at the next one.
void fill_delays(const Batches& batches, const RandomStream& stream, std::uint16_t attempt, std::span<double> delays) {
  if (batches.share == 0) {
    normal_numbers(stream, delays, attempt);
    if (batches.near > 0) carry_over(batches.near, delays);
    return;
  }
  const std::vector<std::size_t> first = draw_units(batches.size, stream, attempt, delays);
  if (batches.near > 0) carry_over(batches.near, delays);
  const Doubles numbers(first.size());
  normal_numbers(stream, numbers.all(), static_cast<std::uint16_t>(attempt + 1));
  for (std::size_t b = 0; b < first.size(); ++b) {
    const std::size_t end = b + 1 < first.size() ? first[b + 1] : delays.size();
    mix(delays.subspan(first[b], end - first[b]), batches.share,
        [number = numbers.all()[b]](std::size_t) { return number; });
  }
}

/// As a double: from a signed number, as few machines convert unsigned ones in one instruction.
double launch_index(std::size_t i) { return static_cast<double>(static_cast<std::int64_t>(i)); }

/// The factor of the sample; exactly 1 without one.
double run_factor(const SortKey& key, const Arguments& arguments, const RandomStream& stream) {
  const double spread = key.run == nullptr ? 0 : key.run(arguments);
  if (spread == 0) return 1;
  const double logarithm = spread * normal(stream.block(0, kRunFactor));
  return logarithm < 0 ? fixed::exp(logarithm) : 1 / fixed::exp(-logarithm);
}

/// From delays to keys.
void add_launch(const SortKey& key, const Arguments& arguments, double factor, std::span<double> delays) {
  std::array<double, kBlocksAtOnce> storage;
  for (std::size_t begin = 0; begin < delays.size(); begin += storage.size()) {
    const std::span<double> some = delays.subspan(begin, std::min(storage.size(), delays.size() - begin));
    const std::span<double> s = std::span(storage).first(some.size());
    key.spreads(arguments, delays.size(), begin, s);
    for (std::size_t k = 0; k < some.size(); ++k) some[k] = launch_index(begin + k) + factor * s[k] * some[k];
  }
}

}  // namespace

void normal_numbers(const RandomStream& stream, std::span<double> x, std::uint16_t attempt) {
  visit_philox_blocks(
      stream, 0, x.size(),
      [&](std::size_t begin, auto low, auto high) {
        normals({low, high}, x.subspan(begin, low.size()));
      },
      attempt);
}

void growing_spreads(double begin, double end, std::size_t m, std::size_t first, std::span<double> s) {
  const auto steps = static_cast<double>(m < 2 ? 1 : m - 1);
  for (std::size_t k = 0; k < s.size(); ++k) {
    const double passed = launch_index(first + k) / steps;
    const double variance = begin * begin * (1 - passed) + end * end * passed;
    s[k] = std::sqrt(variance);
  }
}

void sort_positions(std::span<const double> positions, std::span<std::uint32_t> order) {
  constexpr std::size_t kFew = 12;  // below it buckets are not worth their storage
  if (positions.size() < kFew) return sort_in_turn(positions, order);
  const Buckets buckets(positions);
  if (buckets.usable() && distribute(positions, buckets, order))
    insertion_sort(positions, order);
  else
    comparison_sort(positions, order);
}

void delayed_launch(const SortKey& key, const Arguments& arguments, const RandomStream& stream,
                    std::span<std::uint32_t> order, double steady) {
  const std::size_t m = order.size();
  const Batches batches = key.batches == nullptr ? Batches() : key.batches(arguments);
  const Doubles storage(m);
  const std::span<double> positions = storage.all();
  fill_delays(batches, stream, kSampleDelays, positions);
  if (steady > 0) {
    const Doubles same(m);
    fill_delays(batches, stream.in_first_sample(), kSteadyDelays, same.all());
    mix(positions, steady, [x = same.all()](std::size_t i) { return x[i]; });
  }
  add_launch(key, arguments, run_factor(key, arguments, stream), positions);
  const std::uint64_t units = key.pass == nullptr ? m : key.pass(arguments);
  if (units >= m) return sort_positions(positions, order);
  const auto pass = static_cast<std::size_t>(units);
  for (std::size_t begin = 0; begin < m; begin += pass) {
    const std::span<std::uint32_t> arrived = order.subspan(begin, std::min(pass, m - begin));
    sort_positions(positions.subspan(begin, arrived.size()), arrived);
    for (std::uint32_t& unit : arrived) unit += static_cast<std::uint32_t>(begin);
  }
}

}  // namespace orderlab
