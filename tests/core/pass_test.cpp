#include "core/pass.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/arena.hpp"

using namespace orderlab;

namespace {

using Told = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("a pass says how far it is, and one within it nothing") {
  Told told;
  const PassScope scope([&](std::uint64_t done, std::uint64_t total) { told.emplace_back(done, total); });
  in_chunks(
      10, [](std::size_t, std::size_t count) { each_in_pass(count, [](std::size_t) {}); }, 4);
  CHECK(told == Told{{4, 10}, {8, 10}, {10, 10}});
  told.clear();
  {
    const PassScope silent({});
    each_in_pass(3, [](std::size_t) {});
  }
  CHECK(told.empty());
  each_in_pass(3, [](std::size_t) {});
  CHECK(told == Told{{3, 3}});
}

TEST_CASE("every item of a pass comes once, in order") {
  constexpr std::size_t kItems = 10'001;
  std::size_t next = 0;
  each_in_pass(kItems, [&](std::size_t i) { CHECK(i == next++); });
  CHECK(next == kItems);
}

TEST_CASE("a stop ends a pass within a chunk, on all threads of its loop, and is thrown once") {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  const StopScope scope(token);
  for (const int threads : {1, 3}) {
    std::atomic<std::size_t> parts = 0;
    Pass pass(1000);
    CHECK_THROWS_AS(loop_on(threads)(1000,
                                     [&](std::size_t) {
                                       ++parts;
                                       source.request_stop();
                                       pass.did(1);
                                     }),
                    Stopped);
    CHECK(parts <= static_cast<std::size_t>(threads));
  }
  std::size_t items = 0;
  CHECK_THROWS_AS(each_in_pass(100'000, [&](std::size_t) { ++items; }), Stopped);
  CHECK(items < 100'000);
}

TEST_CASE("a stop does not end loops within other parts of a loop as if they were done") {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  std::atomic<std::size_t> whole = 0;
  std::atomic<std::size_t> broken = 0;
  const auto part = [&](std::size_t i) {
    if (i == 0) throw Stopped{};
    std::atomic<std::size_t> inner = 0;
    loop_on(kLoopThreads)(64, [&](std::size_t) { ++inner; });
    ++(inner == 64 ? whole : broken);
  };
  for (int repeat = 0; repeat < 20; ++repeat) CHECK_THROWS_AS(loop_on(3)(50, part), Stopped);
  CHECK(broken == 0);
}

TEST_CASE("a sort that can be stopped sorts") {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < 5000; ++i) numbers.push_back(i * 2654435761U % 4999);
  std::vector<std::size_t> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  stoppable_sort(numbers.begin(), numbers.end());
  CHECK(numbers == sorted);
}
