// Normal numbers in bulk, and a sort of positions: into buckets first, then by insertion.
#include "arrival/delayed_launch.hpp"

#include <algorithm>
#include <cmath>

#include "arrival/random_number_vectors.hpp"
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

void comparison_sort(std::span<const double> positions, std::span<std::uint32_t> order) {
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  std::sort(order.begin(), order.end(), [positions](std::uint32_t a, std::uint32_t b) {
    if (positions[a] < positions[b]) return true;
    return !(positions[b] < positions[a]) && a < b;
  });
}

}  // namespace

void normal_numbers(const RandomStream& stream, std::span<double> x) {
  visit_philox_blocks(stream, 0, x.size(), [&](std::size_t begin, auto low, auto high) {
    normals({low, high}, x.subspan(begin, low.size()));
  });
}

void sort_positions(std::span<const double> positions, std::span<std::uint32_t> order) {
  if (positions.empty()) return;
  const Buckets buckets(positions);
  if (buckets.usable() && distribute(positions, buckets, order))
    insertion_sort(positions, order);
  else
    comparison_sort(positions, order);
}

}  // namespace orderlab
