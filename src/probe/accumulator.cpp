#include "probe/accumulator.hpp"

#include <algorithm>
#include <array>

#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"
#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

namespace {

constexpr int kTriples = 3;      // searched
constexpr int kMoreTriples = 6;  // held to what the others showed
constexpr int kInside = 12;      // subtrees of a known tree

class Measurement {
 public:
  explicit Measurement(AskedBox& box) : box_(box), terms_(zeros(box)), places_(box.n(), 1) {}

  AccumulatorPrecision run() {
    const MaskRange range = mask_range(box_.setting().format);
    result_.unit_exponent = range.unit;
    if (sum_of({{0, power_of_two(range.unit)}}) == 0) {
      result_.unit_exponent = range.unit_if_flushed;
    }
    result_.flushes =
        sum_of({{0, info(box_.setting().format).smallest_subnormal() * power_of_two(box_.taken().foot())}}) == 0;
    most_ = range.mask - result_.unit_exponent;
    const int triples = box_.n() == 2 ? 1 : kTriples;
    for (int i = 0; i < triples; ++i) note(precision(places_.some(box_.n() == 2 ? 2 : 3)));
    for (int i = 0; i < kMoreTriples && box_.n() > 3 && result_.narrowest; ++i) {
      std::vector<std::size_t> triple = places_.some(3);
      if (i == 0) triple = {box_.n() - 1, box_.n() - 2, box_.n() / 3};  // the last ones may be added by another loop
      const bool as_before = loses(triple, *result_.widest) && !loses(triple, *result_.narrowest - 1);
      if (!as_before) note(precision(triple));
    }
    return result_;
  }

  // Whether units of another size are lost beside other multiples of them.
  bool depends_on_magnitude(const AccumulatorPrecision& precision) {
    const FormatInfo& f = info(box_.setting().format);
    const int least = f.e_min + f.precision + box_.taken().foot();
    const int most = f.e_max - *precision.widest - 4 - box_.taken().head();
    if (box_.n() < 3) return false;
    for (const int unit : {least, f.e_min / 3, f.e_max / 3, most}) {
      if (unit < least || unit > most) continue;
      result_.unit_exponent = unit;
      for (int i = 0; i < kTriples; ++i) {
        const std::vector<std::size_t> triple = places_.some(3);
        if (loses(triple, *precision.narrowest - 1) || !loses(triple, *precision.widest)) return true;
      }
    }
    return false;
  }

  // Three leaves of one small subtree, several times.
  void inside(const TreeShape& shape, AccumulatorPrecision& precision) {
    result_ = precision;
    most_ = mask_range(box_.setting().format).mask - result_.unit_exponent;
    const std::vector<TreeShape::Node> leaf = shape.leaf_of_each();
    RandomPlaces nodes(shape.node_count(), 9);
    for (int i = 0, tried = 0; i < kInside && tried < 50 * kInside; ++tried) {
      const auto node = static_cast<TreeShape::Node>(nodes.below(shape.node_count()));
      if (shape.leaves_below(node) < 3 || shape.leaves_below(node) > box_.n() / 2) continue;
      ++i;
      const auto children = shape.children(node);
      const auto larger = shape.children(shape.leaf(children[0]) ? children[1] : children[0]);
      const auto smaller = shape.leaf(children[0]) ? children[0] : children[1];
      note(this->precision({leaf[larger[0]], leaf[larger[1]], leaf[smaller]}));
    }
    precision = result_;
  }

 private:
  void note(std::optional<int> precision) {
    if (!precision) return;
    result_.narrowest = std::min(result_.narrowest.value_or(*precision), *precision);
    result_.widest = std::max(result_.widest.value_or(*precision), *precision);
  }

  // The least r that loses the 1 at these places, in whatever way they are assigned.
  std::optional<int> precision(const std::vector<std::size_t>& triple) {
    if (!loses(triple, most_)) return std::nullopt;
    int kept = 0;
    int lost = most_;
    while (lost - kept > 1) {
      const int middle = (kept + lost) / 2;
      (loses(triple, middle) ? lost : kept) = middle;
    }
    return lost;
  }

  bool loses(const std::vector<std::size_t>& triple, int r) {
    if (r < 1) return false;
    const double one = power_of_two(result_.unit_exponent);
    const double large = power_of_two(result_.unit_exponent + r);
    if (triple.size() == 2) return sum_of({{triple[0], large}, {triple[1], one}}) == large;
    for (std::size_t turn = 0; turn < 3; ++turn) {  // in two of three the 1 meets one of the others first
      const double sum =
          sum_of({{triple[turn], large}, {triple[(turn + 1) % 3], one}, {triple[(turn + 2) % 3], -large}});
      if (sum != one) return true;
    }
    return false;
  }

  double sum_of(const std::vector<PlacedTerm>& placed) {
    for (const PlacedTerm& term : placed) terms_.set(term.place, term.value);
    const double sum = box_.sum(terms_.view());
    for (const PlacedTerm& term : placed) terms_.set(term.place, 0);
    return sum;
  }

  AskedBox& box_;
  Terms terms_;
  RandomPlaces places_;
  AccumulatorPrecision result_;
  int most_ = 0;
};

}  // namespace

MaskRange mask_range(Format format) {
  const FormatInfo& f = info(format);
  if (format == Format::fp16) return {f.e_max, f.e_min - f.precision + 1, f.e_min};
  return {f.e_max, -1, -1};  // 0.5: some languages add whole numbers as integers
}

std::optional<bool> keeps_three_levels(AskedBox& box) {
  constexpr int kTries = 8;
  constexpr int kLevel = 60;  // bits between levels: more than any format has
  const MaskRange range = mask_range(box.setting().format);
  if (box.n() < 5 || range.mask < range.unit + 2 * kLevel) return std::nullopt;
  Terms terms = zeros(box);
  RandomPlaces places(box.n(), 7);
  for (int i = 0; i < kTries; ++i) {
    const auto five = places.some(5);
    const double values[] = {1, power_of_two(kLevel), power_of_two(2 * kLevel), -power_of_two(kLevel),
                             -power_of_two(2 * kLevel)};
    for (std::size_t k = 0; k < five.size(); ++k) terms.set(five[k], values[k]);
    if (box.sum(terms.view()) != 1) return false;
    for (const std::size_t place : five) terms.set(place, 0);
  }
  return true;
}

void measure_inside(AskedBox& box, const TreeShape& shape, AccumulatorPrecision& precision) {
  Measurement(box).inside(shape, precision);
}

bool precision_depends_on_magnitude(AskedBox& box, const AccumulatorPrecision& precision) {
  return precision.narrowest && Measurement(box).depends_on_magnitude(precision);
}

AccumulatorPrecision measure_accumulator(AskedBox& box) { return Measurement(box).run(); }

}  // namespace orderlab
