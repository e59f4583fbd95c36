#include "operation/row_outcomes.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/ordered_number.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "run/addition.hpp"

namespace orderlab {

namespace {

template <class T, bool kFlush>
struct AdditionStep {
  static T empty() { return round_to<T>(0.0); }
  static T start(T x) { return started<T, kFlush>(x); }
  static T next(T accumulator, T x) { return added<T, kFlush>(accumulator, x); }
};

template <class T>
struct MultiplicationStep {
  static T empty() { return round_to<T>(1.0); }
  static T start(T x) { return empty() * x; }
  static T next(T accumulator, T x) { return accumulator * x; }
};

/// The numbers of a row, by units, and what happens to them.
template <class T, class Step>
class RowUnits {
 public:
  using Number = T;

  RowUnits(const T* numbers, std::optional<T> initial, bool from_zero)
      : numbers_(numbers), initial_(initial), from_zero_(from_zero) {}

  /// False for more units than are found.
  bool read(std::span<const std::uint32_t> units) {
    for (std::size_t i = 0; i < units.size(); ++i)
      if (i == 0 || units[i] != units[i - 1]) {
        if (count_ == RowOutcomeFinder::kMostUnits) return false;
        begin_[count_++] = i;
      }
    begin_[count_] = units.size();
    return true;
  }

  std::size_t count() const { return count_; }

  T empty() const { return initial_ ? *initial_ : Step::empty(); }

  /// After unit u alone.
  T first(std::size_t u) const {
    const T* x = numbers_ + begin_[u];
    const T start = initial_ ? Step::next(*initial_, *x) : from_zero_ ? Step::start(*x) : *x;
    return rest(u, start);
  }

  /// After unit u, where it arrives at `accumulator`.
  T after(std::size_t u, T accumulator) const { return rest(u, Step::next(accumulator, numbers_[begin_[u]])); }

  /// Whether units u and v have the same numbers.
  bool same_numbers(std::size_t u, std::size_t v) const {
    const auto bits = [](T x) { return bits_of(x); };
    return std::equal(numbers_ + begin_[u], numbers_ + begin_[u + 1], numbers_ + begin_[v], numbers_ + begin_[v + 1],
                      [&](T a, T b) { return bits(a) == bits(b); });
  }

 private:
  T rest(std::size_t u, T accumulator) const {
    for (std::size_t i = begin_[u] + 1; i < begin_[u + 1]; ++i) accumulator = Step::next(accumulator, numbers_[i]);
    return accumulator;
  }

  const T* numbers_;
  std::optional<T> initial_;
  bool from_zero_;
  std::size_t count_ = 0;
  std::array<std::size_t, RowOutcomeFinder::kMostUnits + 1> begin_{};
};

/// Units of a row with the same numbers: which of them has arrived makes no difference.
struct UnitClass {
  std::size_t unit;     ///< one of them
  std::size_t size;     ///< how many there are
  std::size_t weight;   ///< what one unit adds to the number of a set
  std::size_t arrived;  ///< in the set at hand
};

std::uint64_t row_factorial(std::size_t k) {
  std::uint64_t product = 1;
  for (std::size_t i = 2; i <= k; ++i) product *= i;
  return product;
}

}  // namespace

void RowOutcomeFinder::merge_candidates() {
  const auto by_key = [](const State& a, const State& b) { return a.key < b.key; };
  constexpr std::size_t kFew = 24;  // as candidates come in a few ascending runs
  if (candidates_.size() <= kFew) {
    for (std::size_t i = 1; i < candidates_.size(); ++i) {
      const State state = candidates_[i];
      std::size_t at = i;
      for (; at > 0 && state.key < candidates_[at - 1].key; --at) candidates_[at] = candidates_[at - 1];
      candidates_[at] = state;
    }
  } else {
    std::ranges::sort(candidates_, by_key);
  }
  std::size_t last = 0;
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    if (candidates_[i].key == candidates_[last].key)
      candidates_[last].orders += candidates_[i].orders;
    else
      candidates_[++last] = candidates_[i];
  }
  candidates_.resize(last + 1);
}

template <class Row>
bool RowOutcomeFinder::find_in_subsets(const Row& row, RowOutcomes& outcomes) {
  using T = typename Row::Number;
  std::array<UnitClass, kMostUnits> storage;
  std::size_t class_count = 0;
  for (std::size_t u = 0; u < row.count(); ++u) {
    std::size_t c = 0;
    while (c < class_count && !row.same_numbers(storage[c].unit, u)) ++c;
    if (c == class_count) storage[class_count++] = {u, 0, 0, 0};
    ++storage[c].size;
  }
  const std::span classes(storage.data(), class_count);
  std::size_t sets = 1;
  std::uint64_t within_classes = 1;  // orders of the units that give the same order of classes
  for (UnitClass& c : classes) {
    c.weight = sets;
    sets *= c.size + 1;  // at most 2^kMostUnits
    within_classes *= row_factorial(c.size);
  }
  if (sets > sets_) return false;

  states_.clear();
  begin_.assign(2, 0);  // the empty set has no state
  for (std::size_t set = 1; set < sets; ++set) {
    for (UnitClass& c : classes) {  // counts up
      if (++c.arrived <= c.size) break;
      c.arrived = 0;
    }
    candidates_.clear();
    for (const UnitClass& c : classes) {
      if (c.arrived == 0) continue;
      const std::size_t before = set - c.weight;
      if (before == 0) candidates_.push_back({any_key(row.first(c.unit)), 1});
      for (std::size_t i = begin_[before]; i < begin_[before + 1]; ++i) {
        const T accumulator = number_of<T>(static_cast<KeyOf<T>>(states_[i].key));
        candidates_.push_back({any_key(row.after(c.unit, accumulator)), states_[i].orders});
      }
    }
    merge_candidates();
    if (states_.size() + candidates_.size() > memory_) return false;
    states_.insert(states_.end(), candidates_.begin(), candidates_.end());
    begin_.push_back(states_.size());
  }
  for (State& state : candidates_) state.orders *= within_classes;
  outcomes.all_orders = row_factorial(row.count());
  return true;
}

template <class Row>
bool RowOutcomeFinder::find_in(const Row& row, RowOutcomes& outcomes) {
  using T = typename Row::Number;
  const std::size_t k = row.count();
  constexpr std::size_t kFewUnits = 3;
  if (k > kFewUnits) {
    if (!find_in_subsets(row, outcomes)) return false;
  } else {
    candidates_.clear();
    if (k == 0) candidates_.push_back({any_key(row.empty()), 1});
    if (k == 1) candidates_.push_back({any_key(row.first(0)), 1});
    for (std::size_t u = 0; k == 2 && u < k; ++u) candidates_.push_back({any_key(row.after(1 - u, row.first(u))), 1});
    for (std::size_t u = 0; k == 3 && u < k; ++u) {
      const T accumulator = row.first(u);
      const std::size_t v = u == 0 ? 1 : 0;
      const std::size_t w = k - u - v;
      candidates_.push_back({any_key(row.after(w, row.after(v, accumulator))), 1});
      candidates_.push_back({any_key(row.after(v, row.after(w, accumulator))), 1});
    }
    outcomes.all_orders = candidates_.size();
    merge_candidates();
  }
  for (const State& state : candidates_) {
    outcomes.bits.push_back(bits_of(number_of<T>(static_cast<KeyOf<T>>(state.key))));
    outcomes.orders.push_back(state.orders);
  }
  return true;
}

bool RowOutcomeFinder::find(const TermView& numbers, std::span<const std::uint32_t> units,
                            std::optional<double> initial, RowOutcomes& outcomes) {
  assert(numbers.n == units.size() && !numbers.products() && (numbers.n == 0 || numbers.format == rule_.format));
  outcomes.bits.clear();
  outcomes.orders.clear();
  outcomes.all_orders = 0;
  return with_type_of(rule_.format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const auto find_by = [&](auto step) {
      std::optional<T> start;
      if (initial) start = round_to<T>(*initial);
      RowUnits<T, decltype(step)> row(static_cast<const T*>(numbers.x), start, rule_.from_zero);
      return row.read(units) && find_in(row, outcomes);
    };
    if (rule_.combine == Combine::multiply) return find_by(MultiplicationStep<T>());
    if (rule_.flush) return find_by(AdditionStep<T, true>());
    return find_by(AdditionStep<T, false>());
  });
}

std::optional<std::size_t> nearest_outcome(std::span<const std::uint64_t> bits, Format format, double value) {
  std::size_t numbers = bits.size();  // NaN is last
  if (numbers > 0 && std::isnan(value_of_bits(format, bits[numbers - 1]))) --numbers;
  if (std::isnan(value)) return numbers < bits.size() ? std::optional(numbers) : std::nullopt;
  if (numbers == 0) return std::nullopt;

  const auto key = [](double x) { return ordered_key(Format::fp64, bits_of(x)); };
  const auto value_at = [&](std::size_t i) { return value_of_bits(format, bits[i]); };
  std::size_t above = 0;  // the first outcome that is not below the value
  while (above < numbers && key(value_at(above)) < key(value)) ++above;
  if (above == numbers) return numbers - 1;
  if (above == 0 || key(value_at(above)) == key(value)) return above;
  const double sides[] = {value, value, -value_at(above - 1), -value_at(above)};
  return exact_sum(sides).to_double() > 0 ? above : above - 1;
}

}  // namespace orderlab
