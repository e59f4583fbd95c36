// Calls have M, the greatest product in use, -M, and small ones. M + small is exact, rounded or cut as a step of the
// box has it; where -M meets it, what is left of the small ones is the answer.
#include "probe/fused_reading.hpp"

#include <algorithm>
#include <cmath>

#include "probe/fused_shape.hpp"

namespace orderlab {

namespace {

constexpr int kSumExponent = 10;     // of the products whose sums show the rounding: all formats have it
constexpr double kSumFactor = 1.75;  // squared 49/16: sums of at most 15 have 10 bits, fewer than any format
constexpr std::size_t kMostSummed = 15;
constexpr std::size_t kRoundedPlaces = 2;  // of steps that round every product: the first two always meet

class FusedReader {
 public:
  explicit FusedReader(FusedCalls& calls) : calls_(calls) {}

  FusedReading read() {
    read_format();
    calls_.answers_are(found_.sums);
    read_subnormals();
    read_shape();
    if (!found_.step || *found_.step == FusedStep::chain) return found_;
    read_fraction();
    read_downward_cut();
    read_rounding();
    return found_;
  }

 private:
  std::size_t n() const { return calls_.n(); }

  std::vector<Factors> zeros() const { return std::vector<Factors>(n(), Factors{0, 1}); }
  Factors power(int exponent, double significand = 1) const {
    return product_of_power(calls_.factors(), exponent, significand);
  }

  // M and -M at i and j, the small one at k.
  double beside_masks(std::size_t i, std::size_t j, std::size_t k, int exponent, double significand = 1) {
    std::vector<Factors> products = zeros();
    products[i] = power(range_.most);
    products[j] = power(range_.most, -1);
    products[k] = power(exponent, significand);
    return calls_.ask(std::move(products));
  }

  // 2^16 is beyond fp16; 1 + 2^-30 needs 31 bits.
  void read_format() {
    constexpr int kBeyondHalf = 16;
    constexpr int kBeyondSingle = 30;
    std::vector<Factors> products = zeros();
    products[0] = power(kBeyondHalf);
    if (calls_.ask(products) != std::ldexp(1.0, kBeyondHalf)) {
      found_.sums = Format::fp16;
      return;
    }
    const FusedRange range = range_of_products(calls_.factors(), Format::fp32, {false, false});
    const int most = std::min(range.most, kBeyondHalf - 1);
    if (most - kBeyondSingle < range.least) return;
    products = zeros();
    products[0] = power(most);
    products[1] = power(most - kBeyondSingle);
    const double answer = calls_.ask(std::move(products));
    if (answer == std::ldexp(1.0, most) + std::ldexp(1.0, most - kBeyondSingle)) found_.sums = Format::fp64;
  }

  std::optional<bool> flushed(Factors product) {
    std::vector<Factors> products = zeros();
    products[0] = product;
    const double answer = calls_.ask(std::move(products));
    if (answer == 0) return true;
    return answer == product.x * product.y ? std::optional(false) : std::nullopt;
  }

  void read_subnormals() {
    const FormatInfo& factors = info(calls_.factors());
    const FormatInfo& sums = info(found_.sums);
    const int below = factors.e_min - 1;
    found_.flushes_factors = flushed({std::ldexp(1.0, below), std::ldexp(1.0, std::min(factors.e_max, 2 - below))});
    const int product = sums.e_min - 1;
    if (product >= 2 * factors.e_min) found_.flushes_sums = flushed(power(product));
  }

  // How many products are lost that are added before the masks 0 and j have met, or with them.
  std::size_t lost_beside(std::size_t j) {
    std::vector<Factors> products(n(), power(range_.least));
    products[0] = power(range_.most);
    products[j] = power(range_.most, -1);
    return lost_of(calls_.ask(std::move(products)));
  }

  std::vector<std::size_t> lost_beside_each() {
    std::vector<std::size_t> lost;
    for (std::size_t j = 1; j < n(); ++j) lost.push_back(lost_beside(j));
    return lost;
  }

  // 0 for an answer that counts no products.
  std::size_t lost_of(double answer) const {
    const double kept = std::ldexp(answer, -range_.least);
    const bool counts = kept >= 0 && kept <= static_cast<double>(n() - 2) && kept == std::floor(kept);
    return counts ? n() - static_cast<std::size_t>(kept) : 0;
  }

  // The exponent of a subnormal number is the least one of its format, so that a step of few bits loses it anywhere.
  // Where products are lost in other steps alone, they may be too large.
  std::vector<FusedShape> shapes_shown() {
    const int bits = found_.sums == Format::fp64 ? 70 : 40;
    const bool factors = !found_.flushes_factors.value_or(true);
    const FusedRange all =
        range_of_products(calls_.factors(), found_.sums, {factors, !found_.flushes_sums.value_or(false)});
    least_ = all.least;
    range_ = range_of_products(calls_.factors(), found_.sums, {factors, false});
    range_.least = std::max(range_.least, range_.most - bits);
    std::vector<FusedShape> shapes = shapes_that_lose(lost_beside_each());
    if (all.least == range_.least) return shapes;
    if (!shapes.empty() && shapes.front().step != FusedStep::exact) return shapes;
    range_ = all;
    if (!shapes.empty()) {
      const std::size_t last = std::min(shapes.front().length, n()) - 1;  // of the first step
      if (lost_beside(last) == lost_products(shapes.front(), n(), last)) return shapes;
    }
    return shapes_that_lose(lost_beside_each());
  }

  void read_shape() {
    const std::vector<FusedShape> shapes = shapes_shown();
    if (shapes.empty()) return;
    take(shapes.front());
    const std::size_t second = shape_.length;
    if (shape_.step == FusedStep::chain || second + 2 > n()) return;
    found_.aligns_sum = beside_masks(second, second + 1, 0, range_.least) == 0;
    if (shape_.step != FusedStep::aligned || *found_.aligns_sum || shape_.run == shape_.length) return;
    // The sum before is not cut: each step is a run of its own.
    const auto alone = [&](const FusedShape& shape) {
      return shape.step == FusedStep::aligned && shape.run == shape_.length;
    };
    const auto other = std::find_if(shapes.begin(), shapes.end(), alone);
    if (other != shapes.end()) take(*other);
  }

  void take(const FusedShape& shape) {
    shape_ = shape;
    places_ = aligned_places(shape, n());
    found_.step = shape.step;
    found_.length = std::min(shape.length, n());
    found_.run = shape.run;
  }

  bool cuts() const { return shape_.step == FusedStep::aligned || shape_.step == FusedStep::halves; }

  // The last of `first` .. `last` for which `kept` is true, which is true up to there; `first` - 1 where it never is.
  template <class Kept>
  static int last_kept(int first, int last, Kept kept) {
    int low = first - 1;
    while (low < last) {
      const int middle = low + (last - low + 1) / 2;
      if (kept(middle))
        low = middle;
      else
        last = middle - 1;
    }
    return low;
  }

  void read_fraction() {
    if (!cuts()) return;
    const bool three = places_.size() >= 3;  // else M is in the sum before
    const std::size_t i = three ? places_[1] : shape_.length;
    const std::size_t k = three ? places_[2] : shape_.length + 1;
    if (!three && (shape_.run != 0 || k >= n())) return;
    const int deepest = range_.most - range_.least;
    const int bits = last_kept(1, deepest, [&](int below) {
      return beside_masks(0, i, k, range_.most - below) == std::ldexp(1.0, range_.most - below);
    });
    if (bits < 1) return;
    found_.fraction_bits = bits;
    found_.fraction_open = bits == deepest;
  }

  // A negative sum before that is smaller than a unit of F stays if it is cut downward.
  void read_downward_cut() {
    const int below = range_.most - found_.fraction_bits.value_or(0) - 1;
    const std::size_t second = shape_.length;
    if (shape_.step != FusedStep::aligned || !found_.fraction_bits || below < range_.least) return;
    if (shape_.run != 0 || second + 2 > n()) return;
    if (beside_masks(second, second + 1, 0, below, -1) == -std::ldexp(1.0, below + 1)) found_.step = FusedStep::floored;
  }

  /// `count` products of 49/16 * 2^10, then the small one, all negative or none.
  struct Summed {
    std::size_t count;
    double sign = 1;
    int exponent = 0;
    double significand = 1;

    double large() const {
      return sign * std::ldexp(static_cast<double>(count) * kSumFactor * kSumFactor, kSumExponent);
    }
    double small() const { return sign * std::ldexp(significand, exponent); }
  };

  double ask(const Summed& summed) {
    std::vector<Factors> products = zeros();
    for (std::size_t i = 0; i < summed.count; ++i)
      products[places_[i]] = {kSumFactor * std::ldexp(1.0, kSumExponent / 2),
                              summed.sign * kSumFactor * std::ldexp(1.0, kSumExponent / 2)};
    products[places_[summed.count]] = power(summed.exponent, summed.sign * summed.significand);
    return calls_.ask(std::move(products));
  }

  // Bits that sums of `count` such products have before 49/16 * 2^10's first.
  static int growth(std::size_t count) { return std::ilogb(Summed{count}.large()) - kSumExponent; }

  void read_rounding() {
    constexpr int kMostBits = 50;  // what is expected is a double
    if (!cuts() && shape_.step != FusedStep::exact) places_ = {0, 1};
    if (places_.size() < kRoundedPlaces) return;
    const std::size_t most = std::min(places_.size() - 1, kMostSummed);
    int visible = std::min(kMostBits, kSumExponent - least_);
    if (cuts()) {
      if (!found_.fraction_bits) return;
      visible = std::min(visible, *found_.fraction_bits);
    }
    const int kept = last_kept(1, visible, [&](int below) {
      const Summed summed{most, 1, kSumExponent - below};
      return ask(summed) == summed.large() + summed.small();
    });
    if (kept == visible) return;  // no step has to round
    found_.precision = kept + 1 + growth(most);
    for (std::size_t count = 1; count <= most; ++count) {
      const int ulp = kSumExponent + growth(count) - *found_.precision + 1;
      if (ulp - 2 < kSumExponent - visible) continue;
      found_.rounding = rounding_at(count, ulp);
      return;
    }
  }

  // Three quarters and a half of an ulp above such a sum, and below its negative.
  FusedRounding rounding_at(std::size_t count, int ulp) {
    const auto away = [&](double sign, double significand) {
      const Summed summed{count, sign, ulp - 1, significand};
      return ask(summed) != summed.large();
    };
    const bool up = away(1, 1.5);
    const bool down = away(-1, 1.5);
    const bool tie = away(1, 1);
    if (!up && !down && !tie) {
      const bool narrow = found_.sums == Format::fp32 && found_.precision == info(Format::e8m13).precision;
      return narrow ? FusedRounding::e8m13 : FusedRounding::toward_zero;
    }
    return up && down && !tie ? FusedRounding::to_nearest : FusedRounding::none;
  }

  FusedCalls& calls_;
  FusedReading found_;
  FusedRange range_{};  // of the masks and the small products
  int least_ = 0;       // of all products
  FusedShape shape_{};
  std::vector<std::size_t> places_;
};

}  // namespace

FusedReading read_fused_steps(FusedCalls& calls) { return FusedReader(calls).read(); }

}  // namespace orderlab
