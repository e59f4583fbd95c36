// Arrival models by name, arguments for each of them, and what a drawn order must be.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orderlab/arrival.hpp"

namespace orderlab::test {

using ArrivalOrder = std::vector<std::uint32_t>;

inline const ArrivalModel& model(std::string_view name) {
  for (const ArrivalModel* candidate : arrival_models())
    if (candidate->name == name) return *candidate;
  FAIL("no arrival model ", std::string(name));
  return *arrival_models().front();
}

inline Arguments jitter(double s) { return Arguments({s}); }

inline Arguments drift(double first, double last) { return Arguments({first, last}); }

inline Arguments batches(double first, double last, double size, double share, double near = 0) {
  return Arguments({first, last, size, share, near});
}

inline Arguments passes(std::uint64_t g, double first, double later, double run = 0) {
  return Arguments({g, first, later, run});
}

inline Arguments steady(const ArrivalModel& inner, const Arguments& arguments, double rho) {
  return Arguments({ArrivalCall{&inner, std::make_shared<const Arguments>(arguments), nullptr}, rho});
}

inline Arguments slots(std::uint64_t r, double cv, double stagger = 0.5) { return Arguments({r, cv, stagger}); }

inline Arguments sm_queues(std::uint64_t sms, std::uint64_t resident, double bias, double burst, std::uint64_t jitter,
                           double delay, double length, double first) {
  return Arguments({sms, resident, bias, burst, jitter, delay, length, first});
}

inline Arguments trace(std::vector<ArrivalOrder> rows) {
  return Arguments({std::make_shared<const Rows>(Rows{"orders.csv", "", std::move(rows)})});
}

inline ArrivalOrder launch_order(std::size_t m) {
  ArrivalOrder order(m);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

/// Arguments to try a model with at size m.
inline std::vector<Arguments> arguments_to_try(const ArrivalModel& tried, std::size_t m) {
  if (tried.name == "jitter") return {jitter(0), jitter(0.5), jitter(7), jitter(1e18)};
  if (tried.name == "drift") return {drift(0, 0), drift(0, 7), drift(7, 0.5), drift(1e19, 1e19)};
  if (tried.name == "batches")
    return {batches(0, 0, 4, 0.5),   batches(2, 7, 1, 0.3, 0.5), batches(7, 2, 10, 0),
            batches(3, 3, 1e300, 1), batches(9, 9, 1, 0, 1),     batches(1e18, 1e19, 5, 0.9)};
  if (tried.name == "passes")
    return {passes(1, 5, 5),   passes(7, 0, 20),        passes(100, 3, 0),   passes(~std::uint64_t{0}, 7, 0),
            passes(16, 5, 20), passes(16, 5, 1e18, 10), passes(9, 4, 2, 0.5)};
  if (tried.name == "steady") {
    std::vector<Arguments> all;
    for (const ArrivalModel* model : arrival_models())
      if (model->key != nullptr)
        for (const double rho : {0.0, 1.0, 0.3})
          for (const Arguments& arguments : arguments_to_try(*model, m)) all.push_back(steady(*model, arguments, rho));
    return all;
  }
  if (tried.name == "slots")
    return {slots(1, 0.2), slots(5, 0),    slots(5, 0.2, 0),   slots(7, 1, 1),
            slots(16, 3),  slots(3, 1000), slots(1 << 20, 0.2)};
  if (tried.name == "sm_queues")
    return {sm_queues(1, 1, 1, 0, 0, 0, 0, 0), sm_queues(80, 1, 100, 0.5, 0, 300, 50, 0.1),
            sm_queues(7, 3, 1e9, 1, 1000, 1e9, 1e9, 1), sm_queues(4, 20, 1, 0.9, 5, 1e9, 0, 1),
            sm_queues(80, 18, 500, 0.3, 3, 400, 50, 0.4)};
  if (tried.name == "trace") {
    const ArrivalOrder forward = launch_order(m);
    return {trace({forward, ArrivalOrder(forward.rbegin(), forward.rend())})};
  }
  REQUIRE(tried.parameters.empty());  // a new model says here what to try it with
  return {Arguments()};
}

/// One draw into a poisoned buffer.
inline ArrivalOrder draw(const ArrivalModel& drawn, const Arguments& arguments, std::size_t m, std::uint64_t seed = 1,
                         std::uint64_t sample = 0) {
  ArrivalOrder order(m, 0xDEADBEEF);
  drawn.check(arguments, m);
  drawn.draw(arguments, RandomStream(seed, streams::kFirstStage, sample), order);
  return order;
}

inline bool is_permutation_of_launch(const ArrivalOrder& order) {
  std::vector<bool> seen(order.size());
  for (const std::uint32_t index : order) {
    if (index >= order.size() || seen[index]) return false;
    seen[index] = true;
  }
  return true;
}

}  // namespace orderlab::test
