// Definitions of what stages of vector loops do, on numbers and on trees written as text alike, and a comparison of
// orders with them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "order/telling_terms.hpp"

namespace orderlab::testing {

/// A summation tree as text_of writes it.
struct WrittenTree {
  std::string text;

  friend WrittenTree operator+(const WrittenTree& a, const WrittenTree& b) {
    return {"(" + a.text + "+" + b.text + ")"};
  }
};

enum class Rest { add, keep };

template <class T>
T in_turn(const std::vector<T>& v) {
  T sum = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) sum = sum + v[i];
  return sum;
}

/// What reduce(run) leaves of each run of k, and of the shorter run or that run itself.
template <class T, class Reduce>
std::vector<T> by_runs(const std::vector<T>& v, std::size_t k, Rest rest, Reduce reduce) {
  std::vector<T> left;
  for (std::size_t begin = 0; begin < v.size(); begin += k) {
    const std::size_t end = std::min(begin + k, v.size());
    const std::vector<T> run(v.begin() + static_cast<std::ptrdiff_t>(begin),
                             v.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<T> sums = rest == Rest::keep && run.size() < k ? run : reduce(run);
    left.insert(left.end(), sums.begin(), sums.end());
  }
  return left;
}

/// Sum l of every w-th from l on.
template <class T, class Add>
std::vector<T> columns(const std::vector<T>& v, std::size_t w, Add add) {
  std::vector<T> sums;
  for (std::size_t l = 0; l < w && l < v.size(); ++l) {
    std::vector<T> column;
    for (std::size_t i = l; i < v.size(); i += w) column.push_back(v[i]);
    sums.push_back(add(column));
  }
  return sums;
}

template <class T>
std::vector<T> halved(std::vector<T> v, std::size_t k, std::size_t to) {
  for (std::size_t o = k / 2; o >= to && o > 0; o /= 2) {
    for (std::size_t l = 0; l < o && l + o < v.size(); ++l) v[l] = v[l] + v[l + o];
    if (v.size() > o) v.resize(o);
  }
  return v;
}

template <class T>
T neighbours(std::vector<T> v) {
  while (v.size() > 1) {
    std::vector<T> next;
    for (std::size_t i = 0; i < v.size(); i += 2) next.push_back(i + 1 < v.size() ? v[i] + v[i + 1] : v[i]);
    v = next;
  }
  return v[0];
}

template <class T>
std::vector<T> strided(const std::vector<T>& v, std::size_t w) {
  const std::size_t whole = v.size() / w * w;
  std::vector<T> left;
  if (whole > 0)
    left = columns(std::vector<T>(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(whole)), w, in_turn<T>);
  left.insert(left.end(), v.begin() + static_cast<std::ptrdiff_t>(whole), v.end());
  return left;
}

template <class T>
T split(const std::vector<T>& v, std::size_t base, bool up) {
  if (v.size() <= base) return in_turn(v);
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(up ? v.size() - v.size() / 2 : v.size() / 2);
  return split(std::vector<T>(v.begin(), middle), base, up) + split(std::vector<T>(middle, v.end()), base, up);
}

inline float from_zero(float x) { return 0.0F + x; }
inline WrittenTree from_zero(const WrittenTree& x) { return {"0+" + x.text}; }

/// +0.0 + v[0] + v[1] + ...
template <class T>
T in_turn_from_zero(std::vector<T> v) {
  v[0] = from_zero(v[0]);
  return in_turn(v);
}

/// Holds an order to a definition, which is called with trees and with numbers, for 1 to 70 terms and some more.
template <class Definition>
void compare(const std::string& order, Definition definition) {
  CAPTURE(order);
  CHECK(parse_order(order).expression() == parse_order(parse_order(order).expression()).expression());
  std::vector<std::size_t> sizes(70);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  sizes.insert(sizes.end(), {127, 128, 129, 1000, 5003});
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    for (const Terms<float>& terms : draw_terms<float>(n, n)) {
      CHECK(terms.sum(order) == bits_of(definition(terms.array)));
      if (n > 129) continue;
      std::vector<WrittenTree> leaves;
      for (std::size_t i = 0; i < n; ++i) leaves.push_back({std::to_string(i)});
      const Formats formats{Format::fp32, Format::fp32, Format::fp32};
      CHECK(text_of(Evaluator::make(parse_order(order), terms.typed.view(), formats, 1)->tree(0)) ==
            definition(leaves).text);
    }
  }
}

inline std::string numbered(std::string text, const std::vector<std::size_t>& numbers) {
  for (const std::size_t number : numbers) text.replace(text.find('#'), 1, std::to_string(number));
  return text;
}

}  // namespace orderlab::testing
