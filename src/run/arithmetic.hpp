// The meanings that an order can have: what its steps move and add. Floats gives the sum, Heights also the height of
// each partial sum, Nodes the explicit tree, HeightsAlone heights without numbers. The interpreter is a template over
// these; nothing here knows a step. Longer than most files: every meaning has the same operations, side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/steps.hpp"
#include "run/extended.hpp"
#include "run/product.hpp"
#include "run/rows.hpp"

namespace orderlab {

/// The most that a flushing fp32 addition loses: two operands, which leave 0; one operand; or a sum of normal numbers.
inline constexpr double kFlushAllowance = 2.0 * static_cast<double>(std::numeric_limits<float>::min());

/// The format that a number N is rounded to, and its value there.
template <class N>
struct NumberTraits {
  using Rounded = N;
  static Rounded rounded(N n) { return n; }
};
template <class T>
struct NumberTraits<Product<T>> {
  using Rounded = T;
  static T rounded(Product<T> p) { return p.y == 1 ? round_to<T>(p.x) : detail::round_product<T>(p.x, p.y); }
};

/// Instead of a RunningError where error bounds are not asked for.
struct NoError {};

/// What additions in rows add to a RunningError at a time.
struct RowsNoted {
  double linear;
  double square;
  std::uint64_t roundings;
};

/// Plain floating-point numbers of format T (or products on the way to it); collects what the error bounds need if
/// kBounds.
template <class N, bool kBounds = true>
class Floats {
 public:
  using Number = N;
  using T = typename NumberTraits<N>::Rounded;
  using Value = N;
  using Wide = Floats<float, kBounds>;
  using Error = std::conditional_t<kBounds, RunningError, NoError>;
  static constexpr bool kTagged = false;
  static constexpr bool kCollects = kBounds;

  Floats() = default;
  explicit Floats(const Error& error) : error_(error) {}

  const Error& error() const { return error_; }

  /// Where additions that are done elsewhere are noted one by one.
  Error& notes() { return error_; }

  /// What partial sums are sorted by.
  static auto rank(Value v) {
    if constexpr (std::is_same_v<T, Extended>)
      return v;
    else
      return static_cast<double>(rounded(v));
  }

  /// Empty lanes for additions that are done in rows, and what `count` of them noted there. The lanes of small numbers
  /// are scaled at the end, which is exact.
  RowErrors row_errors() const requires kBounds { return {.unit = kUnit, .scale = error_.scale}; }
  void absorb(const RowErrors& rows, std::uint64_t count) requires kBounds {
    const bool scaled = rows.scale != 1;
    const RowsNoted noted{(scaled ? 1 : kUnit) * total(rows.linear), (scaled ? 1 : kUnit * kUnit) * total(rows.square),
                          count};
    absorb(noted);
    if (log_ != nullptr) log_->push_back(noted);
  }
  void absorb(const RowsNoted& noted) requires kBounds {
    error_.linear += noted.linear;
    error_.square += noted.square;
    error_.roundings += noted.roundings;
  }

  /// Logs what rows note from now on; null: no more.
  void log_rows(std::vector<RowsNoted>* log) { log_ = log; }

  Value add(Value a, Value b) { return noted(rounded(a) + rounded(b)); }
  Value start(Value a) { return wrap(round_to<T>(0.0) + rounded(a)); }

  Value add_ftz(Value a, Value b) {
    allow_flush();
    return noted(flush(flush(rounded(a)) + flush(rounded(b))));
  }
  Value start_ftz(Value a) {
    allow_flush();
    return wrap(flush(round_to<T>(0.0) + flush(rounded(a))));
  }

  /// `count` partial sums, each had by one call of next(), through a compensated or fused accumulator.
  template <class Next>
  Value group(Accumulate accumulate, bool from_zero, std::size_t count, Next next) {
    if (accumulate == Accumulate::kahan) return kahan(count, next);
    if (accumulate == Accumulate::neumaier) return neumaier(count, next);
    return fma(from_zero, count, next);
  }

  /// `count` products, each had by one call of next(), added by steps of the unit.
  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>& unit, std::size_t count, Next next) {
    if constexpr (std::is_same_v<N, Product<T>>) {
      std::vector<Factors> products;
      products.reserve(count);
      stoppable_loop(0, count, [&](std::size_t) {
        const N p = next();
        products.push_back({p.x, p.y});
      });
      return fused(fused_sum(*unit, kFormatOf<T>, products));
    } else {
      return next();  // unreachable: Order::check requires products here
    }
  }

  /// What a unit left of some products.
  Value fused(const FusedSum& sum) {
    note([&](auto& error) {
      error.extra += sum.error;
      ++error.allowances;
      error.random_model = error.plain = false;
    });
    return wrap(round_to<T>(sum.sum));
  }

  /// For additions in fp32 of what is held in 16 bits.
  Wide widened() const { return Wide(error_); }
  static float widen(Value v) { return static_cast<float>(static_cast<double>(rounded(v))); }
  Value narrow(float v) {
    note([](auto& error) { error.plain = false; });  // a rounding more than additions
    return noted(round_to<T>(static_cast<double>(v)));
  }
  void absorb(const Wide& wide) { error_ = wide.error(); }

 private:
  static constexpr FormatInfo kInfo = info(kFormatOf<T>);
  static constexpr double kUnit = kInfo.unit_roundoff();

  static T rounded(Value v) { return NumberTraits<N>::rounded(v); }

  static bool exceeds(T a, T b) {
    if constexpr (std::is_same_v<T, Extended>)
      return magnitude_of(b) < magnitude_of(a);
    else
      return std::fabs(static_cast<double>(a)) > std::fabs(static_cast<double>(b));
  }

  static Value wrap(T sum) {
    if constexpr (std::is_same_v<Value, T>)
      return sum;
    else
      return Value{static_cast<double>(sum), 1.0};
  }

  // Calls change(error_) if anything is collected.
  template <class Change>
  void note(Change change) {
    if constexpr (kBounds) change(error_);
  }

  Value noted(T sum) {
    if constexpr (kBounds) {  // no closure: this is in the innermost loops
      const double term = roundoff_of(sum);
      const double scaled = term * error_.scale;
      error_.linear += term;
      error_.square += scaled * scaled;
      ++error_.roundings;
    }
    return wrap(sum);
  }

  // By halving, as the vectors of any width could.
  static double total(std::array<double, RowErrors::kLanes> lanes) {
    for (std::size_t o = lanes.size() / 2; o > 0; o /= 2)
      for (std::size_t l = 0; l < o; ++l) lanes[l] += lanes[l + o];
    return lanes[0];
  }

  // Global atomics flush in fp32 only.
  static T flush(T v) {
    if constexpr (std::is_same_v<T, float>)
      if (std::fabs(v) < std::numeric_limits<float>::min()) return std::copysign(0.0f, v);
    return v;
  }
  void allow_flush() {
    if constexpr (kBounds && std::is_same_v<T, float>) {
      error_.extra += kFlushAllowance;
      ++error_.allowances;
    }
  }

  template <class Next>
  Value kahan(std::size_t count, Next& next) {
    T s = round_to<T>(0.0);
    T c = s;
    stoppable_loop(0, count, [&](std::size_t) {
      const T y = rounded(next()) - c;
      const T t = s + y;
      c = (t - s) - y;
      s = t;
    });
    note([](auto& error) { error.bounded = error.random_model = error.plain = false; });
    return wrap(s);
  }

  template <class Next>
  Value neumaier(std::size_t count, Next& next) {
    T s = round_to<T>(0.0);
    T c = s;
    double sum_abs = 0;
    stoppable_loop(0, count, [&](std::size_t) {
      const T x = rounded(next());
      const T t = s + x;
      c = exceeds(s, x) ? c + ((s - t) + x) : c + ((x - t) + s);
      s = t;
      sum_abs += std::fabs(static_cast<double>(x));
    });
    const T sum = s + c;
    note([&](auto& error) {
      // error <= u |exact| + gamma^2 sum |x| and |exact| <= |sum| + error [OgitaRumpOishi2005]; 4 u, at least that of
      // fp64, covers the fp64 sums
      const double k = static_cast<double>(count - 1) * kUnit;
      const double gamma = k < 1 ? k / (1 - k) : std::numeric_limits<double>::infinity();
      const double tail = gamma == 0 ? 0 : gamma * gamma * sum_abs * (1 + 0x1p-52 * static_cast<double>(count));
      error.linear += (roundoff_of(sum) + tail) * (1 + 4 * std::max(kUnit, 0x1p-53));
      ++error.roundings;
      error.random_model = error.plain = false;
    });
    return wrap(sum);
  }

  template <class Next>
  Value fma(bool from_zero, std::size_t count, Next& next) {
    if constexpr (std::is_same_v<N, Product<T>>) {
      T s = round_to<T>(0.0);
      stoppable_loop(0, count, [&](std::size_t i) {
        const N p = next();
        s = i == 0 && !from_zero ? rounded(p) : detail::fused<T>(p.x, p.y, s);
        noted(s);
      });
      note([&](auto& error) {
        error.extra += static_cast<double>(count) * kInfo.underflow_unit();
        ++error.allowances;
        error.plain = false;
      });
      return wrap(s);
    } else {
      return next();  // unreachable: Order::check requires products here
    }
  }

  Error error_;
  std::vector<RowsNoted>* log_ = nullptr;
};

/// Height of a left-to-right group whose members have these heights: its first two members pass through all its
/// additions.
inline std::uint64_t group_height(const std::vector<std::uint64_t>& heights) {
  std::uint64_t height = heights.front();
  for (std::size_t i = 1; i < heights.size(); ++i) height = std::max(height, heights[i]) + 1;
  return height;
}

/// The height of the sum of products of these heights that the unit adds.
inline std::uint64_t fused_height(const FusedUnit& unit, const std::vector<std::uint64_t>& heights) {
  return *std::max_element(heights.begin(), heights.end()) + unit.height(heights.size());
}

/// A partial sum with its height: additions on the longest path from a leaf.
template <class N>
struct WithHeight {
  N number;
  std::uint64_t height;
};

/// Floats with heights.
template <class N>
class Heights {
 public:
  using Number = N;
  using Value = WithHeight<N>;
  using Wide = Heights<float>;
  static constexpr bool kTagged = true;

  explicit Heights(const Floats<N>& floats) : floats_(floats) {}

  const RunningError& error() const { return floats_.error(); }
  static Value leaf(N number) { return {number, 0}; }
  static auto rank(const Value& v) { return Floats<N>::rank(v.number); }

  Value add(Value a, Value b) { return {floats_.add(a.number, b.number), std::max(a.height, b.height) + 1}; }
  Value add_ftz(Value a, Value b) { return {floats_.add_ftz(a.number, b.number), std::max(a.height, b.height) + 1}; }
  Value start(Value a) { return {floats_.start(a.number), a.height}; }
  Value start_ftz(Value a) { return {floats_.start_ftz(a.number), a.height}; }

  template <class Next>
  Value group(Accumulate accumulate, bool from_zero, std::size_t count, Next next) {
    std::vector<std::uint64_t> heights;
    heights.reserve(count);
    const N sum = floats_.group(accumulate, from_zero, count, [&] {
      const Value v = next();
      heights.push_back(v.height);
      return v.number;
    });
    return {sum, group_height(heights)};
  }

  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>& unit, std::size_t count, Next next) {
    std::vector<std::uint64_t> heights;
    heights.reserve(count);
    const N sum = floats_.fused(unit, count, [&] {
      const Value v = next();
      heights.push_back(v.height);
      return v.number;
    });
    return {sum, fused_height(*unit, heights)};
  }

  auto widened() const { return Heights<float>(floats_.widened()); }
  static WithHeight<float> widen(Value v) { return {Floats<N>::widen(v.number), v.height}; }
  Value narrow(WithHeight<float> v) { return {floats_.narrow(v.number), v.height}; }
  void absorb(const Heights<float>& wide) { floats_.absorb(wide.floats()); }
  const Floats<N>& floats() const { return floats_; }

 private:
  Floats<N> floats_;
};

/// Nodes of a summation tree under construction. Their values are computed only where an order looks at them.
class Nodes {
 public:
  using Number = SummationTree::Node;
  using Value = SummationTree::Node;
  using Wide = Nodes;
  static constexpr bool kTagged = false;

  /// `terms` are those of the tree; sums are rounded to `format`.
  Nodes(SummationTree& tree, const TermView& terms, Format format)
      : tree_(&tree), terms_(&terms), format_(format), store_(format) {}

  /// What sums are rounded to from now on.
  void add_in(AddFormat format) {
    format_ = format.add;
    store_ = format.store;
  }

  Extended rank(Value v) const;

  Value add(Value a, Value b) { return binary(Operation::add, a, b); }
  Value add_ftz(Value a, Value b) { return binary(Operation::add_ftz, a, b); }
  Value start(Value a) { return stored(unary(Operation::start, a)); }
  Value start_ftz(Value a) { return stored(unary(Operation::start_ftz, a)); }
  Value round(Value a) { return rounded_to(a, format_); }
  Value rounded_to(Value a, Format format) { return tree_->add(Operation::round, format, {&a, 1}); }

  template <class Next>
  Value group(Accumulate accumulate, bool from_zero, std::size_t count, Next next) {
    std::vector<Value> members(count);
    for (Value& member : members) member = next();
    if (accumulate == Accumulate::kahan) return tree_->add(Operation::kahan, format_, members);
    if (accumulate == Accumulate::neumaier) return tree_->add(Operation::neumaier, format_, members);
    if (!from_zero) members.front() = round(members.front());  // the others are fused into it
    return tree_->add(Operation::fma, format_, members);
  }

  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>& unit, std::size_t count, Next next) {
    std::vector<Value> members(count);
    for (Value& member : members) member = next();
    return tree_->add(Operation::fused, format_, members, unit);
  }

  Wide widened() const { return Nodes(*tree_, *terms_, Format::fp32); }
  static Value widen(Value v) { return v; }
  Value narrow(Value v) { return round(v); }
  static void absorb(const Wide&) {}

 private:
  Value binary(Operation operation, Value a, Value b) {
    const Value children[2] = {a, b};
    return stored(tree_->add(operation, format_, children));
  }
  Value unary(Operation operation, Value a) { return tree_->add(operation, format_, {&a, 1}); }
  Value stored(Value sum) { return store_ == format_ ? sum : rounded_to(sum, store_); }

  SummationTree* tree_;
  const TermView* terms_;
  Format format_;
  Format store_;
  mutable std::vector<Extended> values_ = {};  ///< of the nodes that there were when rank was last asked for
};

/// Heights without numbers.
class HeightsAlone {
 public:
  using Number = std::uint64_t;
  using Value = std::uint64_t;
  using Wide = HeightsAlone;
  static constexpr bool kTagged = false;

  static double rank(Value) { return 0; }  // unreachable: unequal heights are moved together with their numbers

  static Value add(Value a, Value b) { return std::max(a, b) + 1; }
  static Value add_ftz(Value a, Value b) { return add(a, b); }
  static Value start(Value a) { return a; }
  static Value start_ftz(Value a) { return a; }

  template <class Next>
  static Value group(Accumulate, bool, std::size_t count, Next next) {
    Value height = next();
    for (std::size_t i = 1; i < count; ++i) height = add(height, next());
    return height;
  }

  template <class Next>
  static Value fused(const std::shared_ptr<const FusedUnit>& unit, std::size_t count, Next next) {
    Value height = 0;
    for (std::size_t i = 0; i < count; ++i) height = std::max(height, next());
    return height + unit->height(count);
  }

  static Wide widened() { return {}; }
  static Value widen(Value v) { return v; }
  static Value narrow(Value v) { return v; }
  static void absorb(const Wide&) {}
};

}  // namespace orderlab
