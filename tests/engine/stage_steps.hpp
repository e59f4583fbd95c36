// Stages written out from their definitions, on doubles that hold the numbers of a format: nothing of src is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab::testing {

/// Additions in one format on doubles that hold its numbers.
struct Adder {
  Format format = Format::fp64;

  double rounded(double x) const { return value_of_bits(format, round_to_bits(format, x)); }

  // The double sum of two fp16 numbers is exact, and 53 >= 2 * 8 + 2 makes rounding one of bf16 numbers twice correct.
  double add(double a, double b) const {
    if (format == Format::fp64) return a + b;
    if (format == Format::fp32) return static_cast<double>(static_cast<float>(a) + static_cast<float>(b));
    return rounded(a + b);
  }

  /// As a global atomic does: fp32 flushes subnormal operands and results to zeros of their sign.
  double add_atomically(double a, double b) const { return flushed(add(flushed(a), flushed(b))); }

 private:
  double flushed(double x) const {
    return format == Format::fp32 && std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
  }
};

/// A stage: replaces the partial sums by others.
using StageStep = std::function<void(const Adder&, std::vector<double>&)>;

/// How a left-to-right sum begins, and what it does at each step.
enum class Start : std::uint8_t { first, zero, atomic };

inline double add_in_turn(const Adder& adder, const double* x, std::size_t count, Start start) {
  if (start == Start::first) {
    double sum = x[0];
    for (std::size_t i = 1; i < count; ++i) sum = adder.add(sum, x[i]);
    return sum;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    sum = start == Start::atomic ? adder.add_atomically(sum, x[i]) : adder.add(sum, x[i]);
  return sum;
}

namespace ways {

/// Each run of k left to right; k = 0: all in one.
inline StageStep seq(std::size_t k = 0, Start start = Start::first) {
  return [=](const Adder& adder, std::vector<double>& x) {
    const std::size_t run = k == 0 ? x.size() : k;
    std::size_t out = 0;
    for (std::size_t i = 0; i < x.size(); i += run)
      x[out++] = add_in_turn(adder, &x[i], std::min(run, x.size() - i), start);
    x.resize(out);
  };
}

inline StageStep chunks(std::size_t t) {
  return [=](const Adder& adder, std::vector<double>& x) {
    const std::size_t m = x.size();
    std::size_t begin = 0;
    std::size_t out = 0;
    for (std::size_t c = 0; c < t && begin < m; ++c) {
      const std::size_t size = m / t + (c < m % t ? 1 : 0);
      x[out++] = add_in_turn(adder, &x[begin], size, Start::first);
      begin += size;
    }
    x.resize(out);
  };
}

inline StageStep strided(std::size_t w, Start start = Start::first) {
  return [=](const Adder& adder, std::vector<double>& x) {
    std::vector<double> groups;
    for (std::size_t j = 0; j < std::min(w, x.size()); ++j) {
      std::vector<double> group;
      for (std::size_t i = j; i < x.size(); i += w) group.push_back(x[i]);
      groups.push_back(add_in_turn(adder, group.data(), group.size(), start));
    }
    x = std::move(groups);
  };
}

/// Each run of k: the distances of the pairs are k/2, k/4, ..., 1 (`far_first`) or 1, 2, 4, ...
inline StageStep trees_of_runs(std::size_t k, bool far_first) {
  return [=](const Adder& adder, std::vector<double>& x) {
    std::size_t out = 0;
    for (std::size_t begin = 0; begin < x.size(); begin += k) {
      const std::size_t size = std::min(k, x.size() - begin);
      double* const v = &x[begin];
      if (far_first) {
        for (std::size_t o = k / 2; o > 0; o /= 2)
          for (std::size_t l = 0; l < o && l + o < size; ++l) v[l] = adder.add(v[l], v[l + o]);
      } else {
        for (std::size_t o = 1; o < k; o *= 2)
          for (std::size_t l = 0; l + o < size; l += 2 * o) v[l] = adder.add(v[l], v[l + o]);
      }
      x[out++] = v[0];
    }
    x.resize(out);
  };
}
inline StageStep halving(std::size_t k) { return trees_of_runs(k, true); }
inline StageStep adjacent(std::size_t k) { return trees_of_runs(k, false); }

inline double add_halves(const Adder& adder, const double* x, std::size_t count) {
  if (count == 1) return x[0];
  const std::size_t left = (count + 1) / 2;
  return adder.add(add_halves(adder, x, left), add_halves(adder, x + left, count - left));
}

inline StageStep pairwise() {
  return [](const Adder& adder, std::vector<double>& x) { x = {add_halves(adder, x.data(), x.size())}; };
}

inline StageStep reverse() {
  return [](const Adder&, std::vector<double>& x) { std::reverse(x.begin(), x.end()); };
}

/// Thread blocks of b threads, as many as there are terms for; thread t adds terms t, t + b, ... of its block's
/// b * items. Threads without a term are left out.
inline StageStep tile(std::size_t b, std::size_t items) {
  return [=](const Adder& adder, std::vector<double>& x) {
    std::vector<double> sums;
    for (std::size_t block = 0; block < x.size(); block += b * items) {
      for (std::size_t t = 0; t < b && block + t < x.size(); ++t) {
        double sum = 0.0;
        for (std::size_t j = 0; j < items && block + j * b + t < x.size(); ++j)
          sum = adder.add(sum, x[block + j * b + t]);
        sums.push_back(sum);
      }
    }
    x = std::move(sums);
  };
}

}  // namespace ways

}  // namespace orderlab::testing
