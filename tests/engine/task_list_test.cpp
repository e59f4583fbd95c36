#include "engine/task_list.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "orderlab/order.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

TEST_CASE("every task runs once, begun in the order of the list") {
  for (const int threads : {1, 2, 5}) {
    std::mutex mutex;
    std::vector<std::size_t> begun;
    run_task_list(100, threads, 1, [&](std::size_t i) {
      const std::lock_guard lock(mutex);
      begun.push_back(i);
    });
    REQUIRE(begun.size() == 100);
    for (std::size_t i = 0; i < begun.size(); ++i) CHECK(begun[i] == i);  // one at a time
    std::vector<std::atomic<int>> runs(100);
    run_task_list(100, threads, 3, [&](std::size_t i) { ++runs[i]; });
    for (const std::atomic<int>& count : runs) CHECK(count == 1);
  }
}

TEST_CASE("no more tasks are under way than allowed, also where they sample with the list's threads") {
  const Terms terms = generate_terms("uniform(0,1)", 200, Format::fp64, 1);
  const auto evaluator = Evaluator::make(parse_order("random"), terms.view(), Formats{}, 1);
  const CountingFrame frame = CountingFrame::make(exact_sum(terms.view()), Format::fp64, 1000);
  for (const std::size_t at_once : {1U, 2U}) {
    std::atomic<std::size_t> under_way = 0;
    std::atomic<std::size_t> most = 0;
    run_task_list(12, 4, at_once, [&](std::size_t) {
      const std::size_t now = ++under_way;
      for (std::size_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      CHECK(sample(*evaluator, frame, {.end = 500, .threads = kLoopThreads}).samples() == 500);
      --under_way;
    });
    CHECK(most <= at_once);
  }
}

TEST_CASE("an exception of a task leaves the loops inside the others whole") {
  const Terms terms = generate_terms("uniform(0,1)", 2000, Format::fp64, 1);
  const auto evaluator = Evaluator::make(parse_order("random"), terms.view(), Formats{}, 1);
  const CountingFrame frame = CountingFrame::make(exact_sum(terms.view()), Format::fp64, 1000);
  std::atomic<std::uint64_t> samples = 0;
  std::atomic<bool> begun = false;
  CHECK_THROWS_WITH_AS(run_task_list(2, 2, 2,
                                     [&](std::size_t i) {
                                       if (i == 1) {
                                         while (!begun) std::this_thread::yield();
                                         throw std::runtime_error("the second");
                                       }
                                       SampleOptions options{.end = 3000, .threads = kLoopThreads};
                                       options.progress = [&](std::uint64_t, std::uint64_t) { begun = true; };
                                       samples = sample(*evaluator, frame, options).samples();
                                       begun = true;
                                     }),
                       "the second", std::runtime_error);
  CHECK(samples == 3000);
}

TEST_CASE("an exception of a task ends the list and comes out") {
  std::atomic<int> runs = 0;
  CHECK_THROWS_WITH_AS(run_task_list(1000, 2, 2,
                                     [&](std::size_t i) {
                                       ++runs;
                                       if (i == 10) throw std::runtime_error("the tenth");
                                     }),
                       "the tenth", std::runtime_error);
  CHECK(runs >= 11);
  CHECK(runs < 1000);
}
