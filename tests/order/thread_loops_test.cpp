// Orders of threads that add chunks by vector loops, against these loops; what the option each= refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "order/loop_definitions.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

enum class Remainder { keep, add, first };

struct VectorLoop {
  std::size_t lanes;
  std::size_t u;
  Remainder rest;
  std::size_t to;
};

/// What a vector loop leaves of a chunk: its lanes, halved until `to` are left, and a remainder.
template <class T>
std::vector<T> looped(const std::vector<T>& chunk, const VectorLoop& loop) {
  const std::size_t run = loop.lanes * loop.u;
  if (loop.rest == Remainder::first && chunk.size() < run) return {in_turn(chunk)};
  std::vector<T> left = loop.rest == Remainder::add ? columns(chunk, run, in_turn<T>) : strided(chunk, run);
  if (loop.rest == Remainder::first) {
    for (std::size_t i = run; i < left.size(); ++i) left[0] = left[0] + left[i];
    left.resize(std::min(left.size(), run));
  }
  if (left.size() < run || (loop.rest != Remainder::add && chunk.size() < run)) return left;
  std::vector<T> sums(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(run));
  sums = halved(columns(sums, loop.lanes, neighbours<T>), loop.lanes, loop.to);
  sums.insert(sums.end(), left.begin() + static_cast<std::ptrdiff_t>(run), left.end());
  return sums;
}

template <class T>
std::vector<T> part(const std::vector<T>& v, std::size_t begin, std::size_t end) {
  return {v.begin() + static_cast<std::ptrdiff_t>(begin), v.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// The sum of threads, in their order, each of which adds what `of_chunk` leaves of its chunks to its own in turn.
template <class T, class OfChunk>
T of_threads(const std::vector<T>& v, std::size_t threads, std::size_t chunk, OfChunk of_chunk) {
  std::vector<std::vector<T>> addends(threads);
  const auto deal = [&](std::size_t thread, std::size_t begin, std::size_t end) {
    for (const T& x : of_chunk(part(v, begin, end))) addends[thread].push_back(x);
  };
  if (chunk > 0) {
    for (std::size_t i = 0; i * chunk < v.size(); ++i)
      deal(i % threads, i * chunk, std::min(v.size(), (i + 1) * chunk));
  } else {
    for (std::size_t thread = 0, begin = 0; thread < threads; ++thread) {
      const std::size_t end = begin + v.size() / threads + (thread < v.size() % threads ? 1 : 0);
      if (end > begin) deal(thread, begin, end);
      begin = end;
    }
  }
  std::vector<T> sums;
  for (const std::vector<T>& some : addends)
    if (!some.empty()) sums.push_back(in_turn(some));
  return in_turn_from_zero(sums);
}

std::string in_launch_order(const std::string& order) {
  std::string text = parse_order(order).expression();
  const std::string uniform = "arrive(uniform)";
  return text.replace(text.find(uniform), uniform.size(), "arrive(launch)");
}

double sum_of(const std::string& order, const std::vector<double>& terms) {
  const TypedTerms typed(Format::fp64, terms);
  return std::bit_cast<double>(sum_bits_of(order, typed.view(), {Format::fp64, Format::fp64, Format::fp64}));
}

std::string error_of(const std::string& order, std::size_t n) {
  try {
    parse_order(order).check(n, false, Format::fp64);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("openmp with lanes and chunks adds as the loops of its threads") {
  struct Case {
    const char* order;
    std::size_t threads;
    std::size_t chunk;
    VectorLoop loop;
  };
  const Case cases[] = {{"openmp(2,lanes=2)", 2, 0, {2, 1, Remainder::keep, 1}},
                        {"openmp(3,lanes=4)", 3, 0, {4, 1, Remainder::keep, 1}},
                        {"openmp(2,lanes=4,u=2)", 2, 0, {4, 2, Remainder::keep, 1}},
                        {"openmp(2,lanes=4,rest=add)", 2, 0, {4, 1, Remainder::add, 1}},
                        {"openmp(2,lanes=4,rest=first,to=4)", 2, 0, {4, 1, Remainder::first, 4}},
                        {"openmp(3,lanes=4,rest=first)", 3, 0, {4, 1, Remainder::first, 1}},
                        {"openmp(3,lanes=4,chunk=10)", 3, 10, {4, 1, Remainder::keep, 1}},
                        {"openmp(2,lanes=8,chunk=17,to=2)", 2, 17, {8, 1, Remainder::keep, 2}},
                        {"openmp(4,lanes=8,chunk=9)", 4, 9, {8, 1, Remainder::keep, 1}},  // a last chunk keeps more
                        {"openmp(2,lanes=4,chunk=11,rest=first,to=4)", 2, 11, {4, 1, Remainder::first, 4}}};
  for (const Case& some : cases)
    compare(in_launch_order(some.order), [&](const auto& v) {
      return of_threads(v, some.threads, some.chunk, [&](const auto& chunk) { return looped(chunk, some.loop); });
    });
  const auto whole = [](const auto& chunk) { return chunk; };
  compare(in_launch_order("openmp(3,chunk=7)"), [&](const auto& v) { return of_threads(v, 3, 7, whole); });
  compare(in_launch_order("openmp(3)"), [&](const auto& v) { return of_threads(v, 3, 0, whole); });
}

// g++ 12 -O3 -ffast-math -fopenmp, two threads, SSE: two lanes.
TEST_CASE("where a remainder goes shows in the last bit") {
  const std::vector<double> terms{0.8, -0.4, 0.4, -0.4, -1.0, -1.0, -0.7, 1.1, 3.2, -0.2, -0.8};
  CHECK(sum_of("openmp(2,lanes=2)", terms) == 1.0000000000000007);
  CHECK(sum_of("openmp(2,lanes=2,rest=add)", terms) == 1.0000000000000002);
}

TEST_CASE("threads may fuse the products of a chunk") {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 37; ++i) {
    x.push_back(std::ldexp(1 + 0.37 * i, i % 7));
    y.push_back((i % 2 == 0 ? 1 : -1) / (3.0 + i));
  }
  double total = 0;
  for (std::size_t thread = 0, begin = 0; thread < 2; ++thread) {
    const std::size_t end = begin + (thread == 0 ? 19 : 18);
    std::vector<double> lanes(8);
    for (std::size_t l = 0; l < 8; ++l) {
      lanes[l] = x[begin + l] * y[begin + l];
      for (std::size_t i = begin + l + 8; i < end; i += 8) lanes[l] = std::fma(x[i], y[i], lanes[l]);
    }
    total += halved(lanes, 8, 1)[0];
    begin = end;
  }
  const TypedTerms typed(Format::fp64, x, y);
  const Formats formats{Format::fp64, Format::fp64, Format::fp64};
  CHECK(std::bit_cast<double>(sum_bits_of("chunks(2,each=strided(8,acc=fma) | halving(8)) | seq(from=zero)",
                                          typed.view(), formats)) == total);
}

TEST_CASE("an order inside another is read back and checked") {
  const std::string text = "chunks(4,chunk=100,each=strided(8,rest=first,u=2) | lanes(8,2) | adjacent(8)) | seq";
  CHECK(parse_order(text).expression() == text);
  CHECK(parse_order("chunks(2,each=pairwise) | seq").expression() == "chunks(2,each=pairwise) | seq");
  CHECK(error_of("chunks(2,each=shuffle | seq) | seq", 9).find("each: `shuffle` draws") != std::string::npos);
  CHECK(error_of("chunks(2,each=sort(asc)) | seq", 9).find("each: `sort` looks at values") != std::string::npos);
  CHECK(error_of("chunks(2,each=round(bf16)) | seq", 9).find("changes formats") != std::string::npos);
  CHECK(error_of("chunks(2,acc=kahan,each=seq) | seq", 9).find("leave them out beside each=") != std::string::npos);
  CHECK(error_of("chunks(2,each='seq') | seq", 9).find("leave out the quotes") != std::string::npos);
  CHECK(error_of("chunks(2,each=sek) | seq", 9).find("seq") != std::string::npos);
  CHECK(error_of("seq(2 | 3)", 9).find("takes no stage or model") != std::string::npos);
  CHECK(error_of("openmp(4,u=2)", 9).find("u has no effect without lanes; give lanes too") != std::string::npos);
  CHECK(error_of("openmp(4,chunk=2)", 9).empty());
  CHECK(error_of("chunks(2,each=halving(4) | seq(acc=fma)) | seq", 9).find("acc=fma after another") !=
        std::string::npos);
}
