#include <algorithm>

#include "arrival/arguments.hpp"
#include "arrival/plain_draws.hpp"
#include "arrival/service_time.hpp"
#include "orderlab/error.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::test;
using namespace orderlab::testing;

namespace {

/// The model from its definition: every slot kept by itself, the first of the earliest found by looking at all.
ArrivalOrder slots_by_definition(std::uint64_t r, double cv, double stagger, std::size_t m,
                                 const RandomStream& stream) {
  std::vector<double> free_at(r);
  for (std::size_t j = 0; j < r; ++j) free_at[j] = stagger * static_cast<double>(j) / static_cast<double>(r);
  const ServiceTime service(cv);
  std::vector<double> end(m);
  for (std::size_t i = 0; i < m; ++i) {
    const auto slot = std::min_element(free_at.begin(), free_at.end());
    *slot += service(stream, i);
    end[i] = *slot;
  }
  ArrivalOrder order = launch_order(m);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return end[a] < end[b]; });
  return order;
}

}  // namespace

TEST_CASE("one slot, or service times that are all 1, keep launch order") {
  for (const std::size_t m : {1u, 2u, 33u, 1000u}) {
    for (const double cv : {0.0, 0.2, 1.0, 30.0, 1000.0})
      CHECK(draw(model("slots"), slots(1, cv), m) == launch_order(m));
    for (const std::uint64_t r : {2u, 7u, 1280u, 5000u})
      for (const double stagger : {0.0, 0.5, 1.0})
        CHECK(draw(model("slots"), slots(r, 0, stagger), m) == launch_order(m));
  }
}

TEST_CASE("slots sorts by the ends of service that the definition gives") {
  for (const std::uint64_t r : {1u, 2u, 3u, 31u, 32u, 33u, 200u, 1000u})
    for (const double cv : {0.0, 1e-4, 0.2, 1.0, 2.0, 40.0})  // 40: many service times of 0, so ties
      for (const double stagger : {0.0, 0.5, 1.0})
        for (const std::size_t m : {1u, 2u, 32u, 257u, 600u}) {
          CAPTURE(r);
          CAPTURE(cv);
          CAPTURE(stagger);
          CAPTURE(m);
          const RandomStream stream(6, streams::kFirstStage, m);
          CHECK(draw(model("slots"), slots(r, cv, stagger), m, 6, m) == slots_by_definition(r, cv, stagger, m, stream));
        }
}

TEST_CASE("slots draws the orders of single times and a heap") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget on(target);
    for (const std::uint64_t r : {1u, 31u, 32u, 33u, 500u, 1280u, 9000u})
      for (const double cv : {0.0, 1e-4, 0.2, 1.0, 3.0, 3.1, 1000.0})  // to 3 by a calendar, above by a heap
        for (const double stagger : {0.0, 0.5, 1.0})
          for (const std::size_t m : {33u, 1279u, 5000u}) {
            CAPTURE(hwy::TargetName(target));
            CAPTURE(r);
            CAPTURE(cv);
            CAPTURE(stagger);
            CAPTURE(m);
            ArrivalOrder expected(m);
            slots_plainly(r, cv, stagger, RandomStream(6, streams::kFirstStage, m), expected);
            CHECK(draw(model("slots"), slots(r, cv, stagger), m, 6, m) == expected);
          }
  }
}

TEST_CASE("any number of slots is fine") {
  CHECK(is_permutation_of_launch(draw(model("slots"), slots(~std::uint64_t{0}, 0.2), 100)));
}

TEST_CASE("slots refuses a variation that it cannot draw") {
  CHECK_THROWS_WITH_AS(model("slots").check(slots(3, 1e-5), 8),
                       "slots: cv is 1e-05, too small to draw gamma times with; give 0 or at least 0.0001", Error);
}

TEST_CASE("the named arrivals are the fitted ones") {
  REQUIRE(named_arrivals().size() == 7);
  CHECK(named_arrivals()[0].name == "v100_b64");
  CHECK(named_arrivals()[0].expression == "sm_queues(80,16,622,0.188,1,433,38,0.03)");
  CHECK(named_arrivals()[0].threads_per_block == 64);
  CHECK(named_arrivals()[0].thread_blocks == 7813);
  CHECK(named_arrivals()[1].name == "v100_b64_drift");
  CHECK(named_arrivals()[1].expression == "drift(107,413)");
  CHECK(named_arrivals()[2].expression == "sm_queues(80,16,622,0.188,1,953,38,0.03)");
  CHECK(named_arrivals()[3].expression == "sm_queues(132,16,1026,0.188,1,3820,38,0.03)");
  CHECK(named_arrivals()[4].expression == "sm_queues(110,16,855,0.188,1,5000,38,0.03)");
  CHECK(named_arrivals()[5].name == "h100_index_add");
  CHECK(named_arrivals()[5].expression == "passes(1056,335,172,run=0.22)");
  CHECK(named_arrivals()[5].operation == "index_add");
  CHECK(named_arrivals()[6].name == "h100_index_add_few");
  CHECK(named_arrivals()[6].expression == "steady(passes(1056,327,127,run=2),0.95)");
  CHECK(named_arrivals()[6].operation == "index_add");
}
