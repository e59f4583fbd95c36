// The sums of results of two parts of a subset, counted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "engine/addends.hpp"
#include "engine/result_lists.hpp"
#include "orderlab/evaluator.hpp"

namespace orderlab {

/// Calls `call` with two functions, chosen once outside the loops: one decodes a key of the left side, the other does
/// the operation on the decoded value and a number. Operations on one operand get +0.0 as right side. The left side of
/// fma and the operand of round are among `products`; their key is the index there.
template <class T, class Call>
void with_sum(Operation operation, std::span<const FusedAddend<T>> products, Call call) {
  const auto product = [=](KeyOf<T> key) { return products[static_cast<std::size_t>(key)]; };
  const auto number = [](KeyOf<T> key) { return number_of<T>(key); };
  if (operation == Operation::round) return call(product, [](const FusedAddend<T>& a, T) { return a.first(false); });
  if (operation == Operation::fma) return call(product, [](const FusedAddend<T>& a, T b) { return a.added_to(b); });
  if constexpr (std::is_same_v<T, float>)  // the one format that atomics flush
    if (operation == Operation::add_ftz || operation == Operation::start_ftz)
      return call(number, [](T a, T b) { return added<T, true>(a, b); });
  call(number, [](T a, T b) { return added<T, false>(a, b); });
}

/// Results of a subset as sums of those of two parts; `right` of an operation on one operand is +0.0, `left` of fma and
/// round the number of a product.
template <class T, class Count>
struct Split {
  ResultList<KeyOf<T>, Count> left;
  ResultList<KeyOf<T>, Count> right;
  Count ways;
};

/// Readies a tally for all sums of these splits. Addition is monotone in both operands: the ends of two lists bound all
/// sums of their members. So is fma in its sum, and its list of products has one member.
template <class T, class Count>
void begin_tally(Operation operation, std::span<const FusedAddend<T>> products, std::span<const Split<T, Count>> splits,
                 Tally<KeyOf<T>, Count>& tally) {
  using Key = KeyOf<T>;
  bool bounded = true;
  Key low = kGreatestKey<Key>;
  Key high = kNoKey<Key>;
  double additions = 0;
  with_sum<T>(operation, products, [&](auto left, auto sum) {
    for (const auto& split : splits) {
      const T least = sum(left(split.left.first), number_of<T>(split.right.first));
      const T most = sum(left(split.left.last), number_of<T>(split.right.last));
      bounded = bounded && std::isfinite(static_cast<double>(least)) && std::isfinite(static_cast<double>(most));
      low = std::min(low, number_key(least));
      high = std::max(high, number_key(most));
      additions += static_cast<double>(split.left.size) * static_cast<double>(split.right.size);
    }
  });
  tally.begin(bounded, low, high, additions);
}

/// Counts all sums of these splits.
template <class T, class Count>
void add_up(Operation operation, std::span<const FusedAddend<T>> products, std::span<const Split<T, Count>> splits,
            Tally<KeyOf<T>, Count>& tally) {
  // Calls at(left operand, its ways, right list) for every split and every result of its left side.
  const auto for_all = [&](auto left, auto at) {
    for (const auto& split : splits)
      for (std::size_t i = 0; i < split.left.size; ++i)
        at(left(split.left.keys[i]), Count(split.ways * split.left.counts[i]), split.right);
  };
  using List = ResultList<KeyOf<T>, Count>;
  with_sum<T>(operation, products, [&](auto left, auto sum) {
    if (tally.dense()) {
      Count* const even = tally.window();
      Count* const odd = tally.second_window();
      const KeyOf<T> low = tally.low();
      for_all(left, [&](const auto& a, const Count& ways, const List& right) {
        const auto add = [&](Count* window, std::size_t j) {
          add_product(window[number_key(sum(a, number_of<T>(right.keys[j]))) - low], ways, right.counts[j]);
        };
        std::size_t j = 0;
        for (; j + 1 < right.size; j += 2) {
          add(even, j);
          add(odd, j + 1);
        }
        if (j < right.size) add(even, j);
      });
    } else {
      for_all(left, [&](const auto& a, const Count& ways, const List& right) {
        for (std::size_t j = 0; j < right.size; ++j)
          tally.add(any_key(sum(a, number_of<T>(right.keys[j]))), Count(ways * right.counts[j]));
      });
    }
  });
}

}  // namespace orderlab
