// Named orders of loops in libraries against these loops: written lane by lane, or the library itself where it is the
// standard one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "order/loop_definitions.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Adds vectors of `w` terms to `lanes` (empty: none yet) from term i on.
template <class T>
void add_vectors(const std::vector<T>& x, std::size_t& i, std::size_t w, std::vector<T>& lanes) {
  for (; i + w <= x.size(); i += w)
    for (std::size_t l = 0; l < w; ++l)
      if (lanes.size() < w)
        lanes.push_back(x[i + l]);
      else
        lanes[l] = lanes[l] + x[i + l];
}

/// The sum of the lanes, if there are any, and the terms from i on.
template <class T>
T finished(const std::vector<T>& x, std::size_t i, const std::vector<T>& lanes) {
  std::vector<T> last;
  if (!lanes.empty()) last = halved(lanes, lanes.size(), 1);
  for (; i < x.size(); ++i) last.push_back(x[i]);
  return in_turn_from_zero(last);
}

/// The loop that g++ makes: w lanes; the remainder is added to these, halved down to e, if it has so many terms.
template <class T>
T gcc_loop(const std::vector<T>& x, std::size_t w, std::size_t e) {
  std::size_t i = 0;
  std::vector<T> lanes;
  add_vectors(x, i, w, lanes);
  if (x.size() - i < e) return finished(x, i, lanes);
  if (!lanes.empty()) lanes = halved(lanes, w, e);
  add_vectors(x, i, e, lanes);
  return finished(x, i, lanes);
}

/// The loop that clang makes: u vectors of w lanes; the remainder in vectors of e lanes, the first of which starts from
/// the sum.
template <class T>
T clang_loop(const std::vector<T>& x, std::size_t w, std::size_t u, std::size_t e) {
  std::size_t i = 0;
  std::vector<T> lanes;
  add_vectors(x, i, w * u, lanes);
  if (!lanes.empty()) lanes = halved(columns(lanes, w, neighbours<T>), w, 1);
  if (x.size() - i < e) {
    if (!lanes.empty() && i < x.size()) lanes[0] = lanes[0] + x[i++];  // before +0.0: the same bits
    return finished(x, i, lanes);
  }
  std::vector<T> of_rest(x.begin() + static_cast<std::ptrdiff_t>(i), x.begin() + static_cast<std::ptrdiff_t>(i + e));
  if (!lanes.empty()) of_rest[0] = lanes[0] + of_rest[0];
  i += e;
  add_vectors(x, i, e, of_rest);
  return finished(x, i, of_rest);
}

/// Eigen's redux: two packets of w lanes at a time, one more packet if it fits, the rest in turn.
template <class T>
T eigen_loop(const std::vector<T>& x, std::size_t w) {
  const std::size_t packets = x.size() / w;
  if (packets == 0) return in_turn(x);
  const auto packet = [&](std::size_t p) {
    return std::vector<T>(x.begin() + static_cast<std::ptrdiff_t>(p * w),
                          x.begin() + static_cast<std::ptrdiff_t>((p + 1) * w));
  };
  const auto add = [&](std::vector<T>& lanes, const std::vector<T>& more) {
    for (std::size_t l = 0; l < w; ++l) lanes[l] = lanes[l] + more[l];
  };
  std::vector<T> even = packet(0);
  if (packets > 1) {
    std::vector<T> odd = packet(1);
    for (std::size_t p = 2; p + 1 < packets; p += 2) {
      add(even, packet(p));
      add(odd, packet(p + 1));
    }
    add(even, odd);
    if (packets % 2 == 1) add(even, packet(packets - 1));
  }
  std::vector<T> last = halved(even, w, 1);
  last.insert(last.end(), x.begin() + static_cast<std::ptrdiff_t>(packets * w), x.end());
  return in_turn(last);
}

/// numpy's: four vectors of w lanes are added pairwise, then to the lanes; then vector by vector, the last one short.
template <class T>
T einsum_loop(const std::vector<T>& x, std::size_t w) {
  std::vector<std::vector<T>> lanes(std::min(w, x.size()));
  std::size_t i = 0;
  for (; i + 4 * w <= x.size(); i += 4 * w)
    for (std::size_t l = 0; l < w; ++l)
      lanes[l].push_back((x[i + l] + x[i + w + l]) + (x[i + 2 * w + l] + x[i + 3 * w + l]));
  for (std::size_t l = 0; i < x.size(); ++i, l = (l + 1) % w) lanes[l].push_back(x[i]);
  std::vector<T> sums;
  for (const std::vector<T>& lane : lanes) sums.push_back(in_turn_from_zero(lane));
  return neighbours(sums);
}

/// Polars' float_sum.rs: the first n mod 128 in turn, added to the others at last; these by blocks of 128.
template <class T>
T polars_loop(const std::vector<T>& x) {
  const auto part = [&x](std::size_t begin, std::size_t end) {
    return std::vector<T>(x.begin() + static_cast<std::ptrdiff_t>(begin), x.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const std::size_t rest = x.size() % 128;
  if (rest == x.size()) return from_zero(in_turn(x));
  std::vector<T> blocks;
  for (std::size_t begin = rest; begin < x.size(); begin += 128) {
    std::vector<T> v = columns(part(begin, begin + 128), 16, [](const auto& column) { return in_turn(column); });
    for (std::size_t width = 8; width >= 4; width /= 2)
      for (std::size_t j = 0; j < width; ++j) v[j] = v[j] + v[j + width];
    blocks.push_back((v[0] + v[2]) + (v[1] + v[3]));
  }
  const std::function<T(std::size_t, std::size_t)> pairwise = [&](std::size_t begin, std::size_t count) {
    if (count == 1) return blocks[begin];
    return pairwise(begin, count / 2) + pairwise(begin + count / 2, count - count / 2);
  };
  const T main = pairwise(0, blocks.size());
  return rest == 0 ? from_zero(main) : from_zero(main) + in_turn(part(0, rest));
}

}  // namespace

TEST_CASE("polars is the loop of its library") {
  compare("polars", [](const auto& x) { return polars_loop(x); });
}

TEST_CASE("eigen and numpy_einsum are the loops of these libraries") {
  for (const std::size_t w : {2u, 4u, 8u, 16u}) {
    compare(numbered("eigen(#)", {w}), [w](const auto& x) { return eigen_loop(x, w); });
    compare(numbered("numpy_einsum(#)", {w}), [w](const auto& x) { return einsum_loop(x, w); });
  }
}

TEST_CASE("gcc_simd and clang_simd are the loops that these compilers make") {
  for (const auto& [w, e] : {std::pair<std::size_t, std::size_t>{2, 1}, {4, 1}, {8, 4}, {16, 8}})
    compare(numbered("gcc_simd(#,#)", {w, e}), [w = w, e = e](const auto& x) { return gcc_loop(x, w, e); });
  for (const auto& [w, u] : {std::pair<std::size_t, std::size_t>{2, 2}, {4, 2}, {4, 4}, {8, 4}})
    compare(numbered("clang_simd(#,#)", {w, u}), [w = w, u = u](const auto& x) { return clang_loop(x, w, u, 1); });
  compare("clang_simd(16,4,8)", [](const auto& x) { return clang_loop(x, 16, 4, 8); });
  compare("clang_simd", [](const auto& x) { return clang_loop(x, 8, 4, 1); });
}

TEST_CASE_TEMPLATE("std_reduce is std::reduce of this standard library", T, float, double) {
  for (std::size_t n = 1; n <= 203; ++n)
    for (const Terms<T>& terms : draw_terms<T>(n, n < 201 ? n : 1000 * (n - 200) + n % 4)) {
      CAPTURE(n);
      const T sum = std::reduce(terms.array.begin(), terms.array.end(), T{0});
      CHECK(terms.sum("std_reduce") == bits_of(sum));
    }
}

TEST_CASE("tbb_deterministic halves ranges above the grain, the left half rounded down, and adds each part from zero") {
  for (const std::size_t grain : {1u, 5u, 100u})
    compare(numbered("tbb_deterministic(#)", {grain}), [&](const auto& x) {
      using T = typename std::decay_t<decltype(x)>::value_type;
      const auto sum = [&](const auto& self, std::size_t begin, std::size_t end) -> T {
        const auto at = [&](std::size_t i) { return x.begin() + static_cast<std::ptrdiff_t>(i); };
        if (end - begin <= grain) return in_turn_from_zero(std::vector<T>(at(begin), at(end)));
        const std::size_t middle = begin + (end - begin) / 2;
        return self(self, begin, middle) + self(self, middle, end);
      };
      return sum(sum, 0, x.size());
    });
}
