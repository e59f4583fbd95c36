// The meanings that a pipeline can have: what stages move and add. Floats gives the sum, Traced also a tag for each
// partial sum: its height, or its node of the summation tree. Stages are
// templates over these; nothing here knows a stage.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "order/product.hpp"
#include "order/rows.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/tree.hpp"

namespace orderlab {

/// Accumulators of a left-to-right group.
enum class Accumulate : std::uint8_t { plain, kahan, neumaier, atomic, fma };

/// What an atomic fp32 addition, which may flush, adds to RunningError::extra.
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

/// Plain floating-point numbers of format T (or products on the way to it); collects what the error bounds need.
template <class N>
class Floats {
 public:
  using Number = N;
  using T = typename NumberTraits<N>::Rounded;
  using Value = N;
  static constexpr bool kTagged = false;

  Floats() = default;
  explicit Floats(const RunningError& error) : error_(error) {}

  const RunningError& error() const { return error_; }
  static N number(Value v) { return v; }

  /// Empty lanes for additions that are done in rows, and what `count` of them noted there. The lanes of small numbers
  /// are scaled at the end, which is exact.
  RowErrors row_errors() const { return {.unit = kUnit, .scale = error_.scale}; }
  void absorb(const RowErrors& rows, std::uint64_t count) {
    const bool scaled = rows.scale != 1;
    error_.linear += (scaled ? 1 : kUnit) * total(rows.linear);
    error_.square += (scaled ? 1 : kUnit * kUnit) * total(rows.square);
    error_.roundings += count;
  }

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

  /// For stages that add in fp32 what they hold in 16 bits.
  Floats<float> widened() const { return Floats<float>(error_); }
  static float widen(Value v) { return static_cast<float>(static_cast<double>(rounded(v))); }
  Value narrow(float v) {
    error_.plain = false;  // a rounding more than additions
    return noted(round_to<T>(static_cast<double>(v)));
  }
  void absorb(const Floats<float>& wide) { error_ = wide.error(); }

 private:
  static constexpr FormatInfo kInfo = info(kFormatOf<T>);
  static constexpr double kUnit = kInfo.unit_roundoff();

  static T rounded(Value v) { return NumberTraits<N>::rounded(v); }

  static Value wrap(T sum) {
    if constexpr (std::is_same_v<Value, T>)
      return sum;
    else
      return Value{static_cast<double>(sum), 1.0};
  }

  Value noted(T sum) {
    const double term = kUnit * std::fabs(static_cast<double>(sum));
    const double scaled = term * error_.scale;
    error_.linear += term;
    error_.square += scaled * scaled;
    ++error_.roundings;
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
    if constexpr (std::is_same_v<T, float>) {
      error_.extra += kFlushAllowance;
      ++error_.allowances;
    }
  }

  template <class Next>
  Value kahan(std::size_t count, Next& next) {
    T s = round_to<T>(0.0);
    T c = s;
    for (std::size_t i = 0; i < count; ++i) {
      const T y = rounded(next()) - c;
      const T t = s + y;
      c = (t - s) - y;
      s = t;
    }
    error_.bounded = error_.random_model = error_.plain = false;
    return wrap(s);
  }

  template <class Next>
  Value neumaier(std::size_t count, Next& next) {
    T s = round_to<T>(0.0);
    T c = s;
    double sum_abs = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const T x = rounded(next());
      const double abs_x = std::fabs(static_cast<double>(x));
      const T t = s + x;
      c = std::fabs(static_cast<double>(s)) > abs_x ? c + ((s - t) + x) : c + ((x - t) + s);
      s = t;
      sum_abs += abs_x;
    }
    const T sum = s + c;
    // error <= u |exact| + gamma^2 sum |x| and |exact| <= |sum| + error [OgitaRumpOishi2005]; 4 u covers the fp64 sums
    const double k = static_cast<double>(count - 1) * kUnit;
    const double gamma = k < 1 ? k / (1 - k) : std::numeric_limits<double>::infinity();
    const double tail = gamma == 0 ? 0 : gamma * gamma * sum_abs * (1 + 0x1p-52 * static_cast<double>(count));
    error_.linear += (kUnit * std::fabs(static_cast<double>(sum)) + tail) * (1 + 4 * kUnit);
    ++error_.roundings;
    error_.random_model = error_.plain = false;
    return wrap(sum);
  }

  template <class Next>
  Value fma(bool from_zero, std::size_t count, Next& next) {
    if constexpr (std::is_same_v<N, Product<T>>) {
      T s = round_to<T>(0.0);
      for (std::size_t i = 0; i < count; ++i) {
        const N p = next();
        s = i == 0 && !from_zero ? rounded(p) : detail::fused<T>(p.x, p.y, s);
        noted(s);
      }
      error_.extra += static_cast<double>(count) * kInfo.underflow_unit();
      ++error_.allowances;
      error_.plain = false;
      return wrap(s);
    } else {
      return next();  // unreachable: Order::check requires products here
    }
  }

  RunningError error_;
};

/// Floats with a tag for each partial sum. A tracer makes the tags: leaf(i), unary, binary and k-ary nodes.
template <class N, class Tracer>
class Traced {
 public:
  using Number = N;
  using Tag = typename Tracer::Tag;
  struct Value {
    N number;
    Tag tag;
  };
  using T = typename Floats<N>::T;
  static constexpr bool kTagged = true;

  Traced() = default;
  Traced(const Floats<N>& floats, const Tracer& tracer) : floats_(floats), tracer_(tracer) {}

  const RunningError& error() const { return floats_.error(); }
  const Tracer& tracer() const { return tracer_; }
  static N number(const Value& v) { return v.number; }

  Value add(Value a, Value b) {
    return {floats_.add(a.number, b.number), tracer_.binary(Operation::add, kFormatOf<T>, a.tag, b.tag)};
  }
  Value add_ftz(Value a, Value b) {
    return {floats_.add_ftz(a.number, b.number), tracer_.binary(Operation::add_ftz, kFormatOf<T>, a.tag, b.tag)};
  }
  Value start(Value a) { return {floats_.start(a.number), tracer_.unary(Operation::start, kFormatOf<T>, a.tag)}; }
  Value start_ftz(Value a) {
    return {floats_.start_ftz(a.number), tracer_.unary(Operation::start_ftz, kFormatOf<T>, a.tag)};
  }

  template <class Next>
  Value group(Accumulate accumulate, bool from_zero, std::size_t count, Next next) {
    std::vector<Tag> tags;
    tags.reserve(count);
    const N sum = floats_.group(accumulate, from_zero, count, [&] {
      const Value v = next();
      tags.push_back(v.tag);
      return v.number;
    });
    const Operation operation = accumulate == Accumulate::kahan      ? Operation::kahan
                                : accumulate == Accumulate::neumaier ? Operation::neumaier
                                                                     : Operation::fma;
    if (operation == Operation::fma && !from_zero)  // the first product is rounded, the others are fused into it
      tags.front() = tracer_.unary(Operation::round, kFormatOf<T>, tags.front());
    return {sum, tracer_.group(operation, kFormatOf<T>, tags)};
  }

  using Wide = Traced<float, Tracer>;
  Wide widened() const { return Wide(floats_.widened(), tracer_); }
  static typename Wide::Value widen(Value v) { return {Floats<N>::widen(v.number), v.tag}; }
  Value narrow(typename Wide::Value v) {
    return {floats_.narrow(v.number), tracer_.unary(Operation::round, kFormatOf<T>, v.tag)};
  }
  void absorb(const Wide& wide) {
    floats_.absorb(wide.floats());
    tracer_ = wide.tracer();
  }
  const Floats<N>& floats() const { return floats_; }

 private:
  Floats<N> floats_;
  Tracer tracer_;
};

/// Tags that are heights: additions on the longest path from a leaf.
struct HeightTracer {
  using Tag = std::uint64_t;
  static Tag binary(Operation, Format, Tag a, Tag b) { return std::max(a, b) + 1; }
  static Tag unary(Operation, Format, Tag a) { return a; }
  static Tag group(Operation, Format, const std::vector<Tag>& tags) { return group_height(tags); }

  /// Of a left-to-right group: its first two members pass through all its additions.
  static Tag group_height(const std::vector<Tag>& tags) {
    Tag height = tags.front();
    for (std::size_t i = 1; i < tags.size(); ++i) height = std::max(height, tags[i]) + 1;
    return height;
  }
};

/// Tags that are nodes of a tree under construction.
struct NodeTracer {
  using Tag = SummationTree::Node;
  SummationTree* tree = nullptr;

  Tag binary(Operation operation, Format format, Tag a, Tag b) const {
    const Tag children[2] = {a, b};
    return tree->add(operation, format, children);
  }
  Tag unary(Operation operation, Format format, Tag a) const { return tree->add(operation, format, {&a, 1}); }
  Tag group(Operation operation, Format format, const std::vector<Tag>& tags) const {
    return tree->add(operation, format, tags);
  }
};

template <class N>
using Heights = Traced<N, HeightTracer>;
template <class N>
using Symbolic = Traced<N, NodeTracer>;

}  // namespace orderlab
