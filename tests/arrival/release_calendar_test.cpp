#include "arrival/release_calendar.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

#include "orderlab/philox.hpp"

using namespace orderlab;

TEST_CASE("a calendar gives releases in order of time, whatever its days and years") {
  // Times that share days, and years: whole numbers times steps from far below a day to several years.
  for (const double days_a_unit : {0.0, 1e-3, 1.0, 37.0, 1e4})
    for (const double step : {0.0, 1e-6, 0.3, 50.0}) {
      CAPTURE(days_a_unit);
      CAPTURE(step);
      constexpr std::uint32_t kSlots = 50;
      IndexGenerator generator(RandomStream(1, 2, 3), 0);
      ReleaseCalendar calendar(kSlots, days_a_unit, 64);
      std::set<std::pair<double, std::uint32_t>> expected;
      std::uint32_t pushed = 0;
      const auto push = [&](double time, std::uint32_t slot) {
        calendar.push({time, pushed, slot});
        expected.insert({time, pushed++});
      };
      for (std::uint32_t slot = 0; slot < kSlots; ++slot) push(step * static_cast<double>(generator() % 9), slot);
      std::size_t wrong = 0;
      calendar.visit_all([&](const Release& release) {
        wrong += *expected.begin() != std::pair{release.time, release.index};
        expected.erase(expected.begin());
        if (pushed < 1000) push(release.time + step * static_cast<double>(generator() % 9), release.slot);
      });
      CHECK(wrong == 0);
      CHECK(expected.empty());
    }
}
