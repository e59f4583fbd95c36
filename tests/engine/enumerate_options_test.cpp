// Enumeration under limits: threads change nothing, memory and stop requests end it, what it cannot do it says, and
// what is quick is known.
#include <doctest/doctest.h>

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/brute_force.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr double kGibibyte = 0x1p30;

std::vector<double> distinct(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1 / (1.5 + static_cast<double>(i));
  return x;
}

/// A space that takes some work of each kind: sequences, trees with many small and few large subsets, assignments.
std::vector<std::pair<const char*, OrderSpace>> spaces() {
  const Formats formats = parse_formats("fp32");
  std::vector<double> few_values;
  for (std::size_t i = 0; i < 30; ++i) few_values.push_back(i % 3 == 0 ? 0.1 : i % 3 == 1 ? 0.7 : -1.3);
  std::vector<std::pair<const char*, OrderSpace>> all;
  for (const auto& [order, terms] : {std::pair<const char*, std::vector<double>>{"shuffle | seq", distinct(12)},
                                     {"ao", few_values},
                                     {"shuffle | tree", distinct(9)},
                                     {"shuffle | tree", std::vector<double>(24, 0.1)},
                                     {"shuffle | halving(16)", distinct(12)},
                                     {"shuffle | seq(5) | pairwise", few_values}})
    all.emplace_back(order, space_of(order, formats, terms));
  return all;
}

template <class Call>
std::string refusal(ErrorKind kind, Call call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  FAIL("no error");
  return {};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the results are the same for any number of threads") {
  for (const auto& [order, space] : spaces()) {
    CAPTURE(std::string(order));
    const std::string one = text_of(*enumerate(space, {.threads = 1}), Format::fp32);
    for (const int threads : {0, 2, 7}) {
      CAPTURE(threads);
      CHECK(text_of(*enumerate(space, {.threads = threads}), Format::fp32) == one);
    }
  }
}

TEST_CASE("too little memory ends the enumeration with how far it came, and just enough does not") {
  for (const auto& [order, space] : spaces()) {
    CAPTURE(std::string(order));
    for (const int threads : {1, 2}) {
      for (const double bytes : {1.0, 3000.0}) {
        const std::string why = refusal(ErrorKind::unsupported, [&, &s = space] {
          (void)enumerate(s, {.memory_bytes = bytes, .threads = threads});
        });
        CAPTURE(why);
        CHECK(holds(why, "of the " + std::to_string(space.partial_sums.size()) + " partial sums"));
        CHECK(holds(why, "subsets"));
        CHECK(holds(why, "`memory_bytes`"));
        CHECK(holds(why, "orderlab sample"));
        CHECK_FALSE(holds(why, "\n"));
      }
    }
    // The lists of one moment are within the budget, and what is said of their peak is within it, too.
    const std::size_t peak = enumerate(space, {.threads = 1})->peak_bytes;
    CHECK(peak > 0);
    for (const double share : {0.5, 0.99}) {
      const double budget = share * static_cast<double>(peak);
      refusal(ErrorKind::unsupported, [&, &s = space] { (void)enumerate(s, {.memory_bytes = budget, .threads = 1}); });
    }
    const auto within = enumerate(space, {.memory_bytes = 1e6 + 4 * static_cast<double>(peak), .threads = 1});
    CHECK(within->peak_bytes == peak);
  }
}

TEST_CASE("a stop request, before or under way, leaves no result") {
  for (const auto& [order, space] : spaces()) {
    CAPTURE(std::string(order));
    std::stop_source before;
    before.request_stop();
    CHECK_FALSE(enumerate(space, {.stop = before.get_token()}).has_value());

    std::stop_source under_way;
    std::uint64_t calls = 0;
    const auto stopped =
        enumerate(space, {.threads = 2, .stop = under_way.get_token(), .progress = [&](std::uint64_t, std::uint64_t) {
                            if (++calls == 2) under_way.request_stop();
                          }});
    CHECK_FALSE(stopped.has_value());
    CHECK(calls >= 2);
  }
}

TEST_CASE("progress rises to its total, which does not change") {
  for (const auto& [order, space] : spaces()) {
    for (const int threads : {1, 2}) {
      CAPTURE(std::string(order));
      std::uint64_t last = 0;
      std::uint64_t first_total = 0;
      bool rising = true;
      bool steady = true;
      (void)enumerate(space, {.threads = threads, .progress = [&](std::uint64_t done, std::uint64_t total) {
                                rising = rising && done > last && done <= total;
                                last = done;
                                if (first_total == 0) first_total = total;
                                steady = steady && total == first_total;
                              }});
      CHECK(rising);
      CHECK(steady);
      CHECK(last == first_total);
      CHECK(last > 0);
    }
  }
}

TEST_CASE("more partial sums than can be written down are refused") {
  for (const char* order : {"shuffle | seq", "shuffle | tree"}) {
    const OrderSpace space = space_of(order, Formats(), std::vector<double>(10'001, 1.0));
    const std::string why = refusal(ErrorKind::unsupported, [&] { (void)enumerate(space, {}); });
    CAPTURE(why);
    CHECK(holds(why, "10001 partial sums"));
    CHECK(holds(why, "at most 10000"));
    CHECK(holds(why, "orderlab sample"));
  }
}

TEST_CASE("too many different values are refused at once, with the number of subsets") {
  const auto why_of = [](const char* order, const std::vector<double>& x, double memory_bytes) {
    const OrderSpace space = space_of(order, Formats(), x);
    return refusal(ErrorKind::unsupported, [&] { (void)enumerate(space, {.memory_bytes = memory_bytes}); });
  };
  const std::string distinct_sums = why_of("shuffle | seq", distinct(60), kGibibyte);
  CAPTURE(distinct_sums);
  CHECK(holds(distinct_sums, "60 partial sums have 2^60 subsets"));
  std::vector<double> pairs = distinct(30);
  const std::vector<double> again = pairs;
  pairs.insert(pairs.end(), again.begin(), again.end());
  const std::string equal_sums = why_of("shuffle | tree", pairs, kGibibyte);
  CAPTURE(equal_sums);
  CHECK(holds(equal_sums, "60 partial sums of 30 different values have 2^47 subsets"));  // 3^30
  // Trees number subsets in 32 bits, whatever the memory.
  for (const char* order : {"shuffle | tree", "shuffle | pairwise"})
    CHECK(holds(why_of(order, distinct(33), 0x1p60), "33 partial sums have 2^33 subsets"));
}

TEST_CASE("few partial sums are enumerated, many are not; equal ones count less") {
  const auto space = [](OrderFamily family, std::size_t m, std::size_t distinct) {
    OrderSpace s;
    s.family = family;
    for (std::size_t i = 0; i < m; ++i) s.partial_sums.push_back(1.0 / 3 + static_cast<double>(i % distinct));
    return s;
  };
  CHECK(quickly_enumerable(space(OrderFamily::fixed, 1, 1)));
  for (const auto& [family, most] : {std::pair(OrderFamily::sequences, 20), std::pair(OrderFamily::trees, 15),
                                     std::pair(OrderFamily::assignments, 16)}) {
    const auto m = static_cast<std::size_t>(most);
    CHECK(quickly_enumerable(space(family, 1, 1)));
    CHECK(quickly_enumerable(space(family, m, m)));
    CHECK(!quickly_enumerable(space(family, m + 1, m + 1)));
    CHECK(quickly_enumerable(space(family, m + 1, m / 2)));
    CHECK(quickly_enumerable(space(family, 200, 1)));
    CHECK(!quickly_enumerable(space(family, 1'000'000, 1)));
  }
  CHECK(quickly_enumerable(space(OrderFamily::sequences, 500, 1)));
  CHECK(quickly_enumerable(space(OrderFamily::sequences, 400, 2)));
  CHECK(!quickly_enumerable(space(OrderFamily::sequences, 2000, 2)));  // measured: minutes, as the counts are long
  CHECK(!quickly_enumerable(space(OrderFamily::trees, 500, 1)));       // the same
}
