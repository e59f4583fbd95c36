#include "show/histogram.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "show/table.hpp"

using namespace orderlab;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The count of a row: the last number of digits only.
std::uint64_t count_of(const std::string& line) {
  std::istringstream stream(line);
  std::uint64_t count = 0;
  for (std::string word; stream >> word;)
    if (word.find_first_not_of("0123456789") == std::string::npos) count = std::stoull(word);
  return count;
}

}  // namespace

TEST_CASE("few positions have a row each, and 0 between them an empty one") {
  const Distribution points{{{-1.5, 1}, {-0.5, 8}, {0.5, 4}}};
  CHECK(histogram_text(points, 50, {}, false) ==
        "-1.5 ulp  ██                1    7.7%\n"
        "-0.5 ulp  ████████████████  8   61.5%\n"
        " 0.0 ulp                    0    0.0%  ← exact sum\n"
        " 0.5 ulp  ████████          4   30.8%\n");
}

TEST_CASE("one position is one row, marked if it is 0") {
  const Distribution zero{{{0, 1000}}};
  CHECK(histogram_text(zero, 50, {}, false) == "0 ulp  ████████████████  1000  100.0%  ← exact sum\n");
  const Distribution other{{{-3, 7}}};
  CHECK(histogram_text(other, 40, {}, false) == "-3 ulp  █████████████████████  7  100.0%\n");
}

TEST_CASE("many positions share bins of a round width, empty ones included") {
  Distribution points;
  for (int i = 0; i < 20; ++i) points.values.push_back({i - 10.0, 1});
  points.values.push_back({29, 10});
  CHECK(histogram_text(points, 44, {"ulp", ""}, false) ==
        "[-10, -5) ulp  ███████          5   16.7%\n"
        "[ -5,  0) ulp  ███████          5   16.7%\n"
        "[  0,  5) ulp  ███████          5   16.7%  ←\n"
        "[  5, 10) ulp  ███████          5   16.7%\n"
        "[ 10, 15) ulp                   0    0.0%\n"
        "[ 15, 20) ulp                   0    0.0%\n"
        "[ 20, 25) ulp                   0    0.0%\n"
        "[ 25, 30) ulp  ██████████████  10   33.3%\n");
}

TEST_CASE("a position on an edge belongs to the bin that starts there") {
  Distribution points;
  for (int i = 0; i <= 100; ++i) points.values.push_back({i / 100.0, 1});
  const auto lines = lines_of(histogram_text(points, 80, {}, false));
  REQUIRE(lines.size() == 11);
  for (std::size_t i = 0; i < 10; ++i) CHECK(count_of(lines[i]) == 10);
  CHECK(lines[0].starts_with("[0.0,0.1) ulp"));
  CHECK(count_of(lines[10]) == 1);
}

TEST_CASE("rows fit the width, end without spaces, are few, and their counts add up") {
  constexpr unsigned kSeed = 7;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random() % (trial % 3 == 0 ? 16 : 500);
    const double scale = std::ldexp(1.0, static_cast<int>(random() % 1200) - 600);
    double position = -static_cast<double>(random() % 1000);
    Distribution points;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t count = random() % (trial % 2 == 0 ? 1'000'000'000'000 : 3);
      points.values.push_back({position * scale, static_cast<double>(count)});
      total += count;
      position += 1 + static_cast<double>(random() % 8) / 8;
    }
    for (const int width : {40, 41, 57, 80, 200}) {
      const auto lines = lines_of(histogram_text(points, width, {}, false));
      REQUIRE(lines.size() <= 15);
      std::uint64_t sum = 0;
      std::size_t marks = 0;
      for (const std::string& line : lines) {
        REQUIRE(display_width(line) <= static_cast<std::size_t>(width));
        REQUIRE(line.back() != ' ');
        sum += count_of(line);
        if (line.find("←") != std::string::npos) ++marks;
      }
      REQUIRE(sum == total);
      REQUIRE(marks <= 1);
      if (width == 200 && points.values.front().value <= 0 && points.values.back().value >= 0) REQUIRE(marks == 1);
    }
  }
}

TEST_CASE("counts up to 1e12 stand in one column, and rare ones are seen") {
  const Distribution points{{{-1, 1'000'000'000'000}, {0, 1}, {1, 0}}};
  CHECK(histogram_text(points, 60, {}, false) ==
        "-1 ulp  ████████████████  1000000000000  >99.9%\n"
        " 0 ulp  ▏                             1   <0.1%  ← exact sum\n"
        " 1 ulp                                0    0.0%\n");
}

TEST_CASE("the ends of the range of doubles make a histogram too") {
  Distribution tiny;
  for (int i = 1; i < 40; ++i) tiny.values.push_back({i * 5e-324, 1});
  CHECK(lines_of(histogram_text(tiny, 80, {}, false)).size() <= 15);
  Distribution wide{{{-1.7e308, 1}}};
  for (int i = 1; i < 40; ++i) wide.values.push_back({static_cast<double>(i), 1});
  wide.values.push_back({1.7e308, 1});
  CHECK(lines_of(histogram_text(wide, 80, {}, false)).size() <= 15);
  CHECK(histogram_text({}, 80, {}, false).empty());
}

TEST_CASE("color adds emphasis and no columns") {
  const Distribution points{{{0, 1}, {1, 1}}};
  std::string colored = histogram_text(points, 40, {}, true);
  CHECK(colored.find("\x1b[1m0 ulp\x1b[0m") != std::string::npos);
  for (const char* code : {"\x1b[0m", "\x1b[1m", "\x1b[2m"})
    for (auto at = colored.find(code); at != std::string::npos; at = colored.find(code)) colored.erase(at, 4);
  CHECK(colored == histogram_text(points, 40, {}, false));
}
