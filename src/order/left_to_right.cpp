#include "order/left_to_right.hpp"

#include <algorithm>
#include <string>

#include "core/overloaded.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

bool fuses(const Step& step) {
  return std::visit(Overloaded{[](const steps::Add& add) { return add.how.accumulate == Accumulate::fma; },
                               [](const steps::Within& within) { return fuses(within.full) || fuses(within.rest); },
                               [](const steps::Fuse&) { return true; },
                               [](const steps::Split& split) { return fuses(split.parts.front().second.front()); },
                               [](const auto&) { return false; }},
                    step.is);
}

bool fuses(const Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return fuses(step); });
}

Combination left_to_right(const Arguments& arguments, std::size_t acc, int from) {
  const auto name = std::find(kAccumulateNames.begin(), kAccumulateNames.end(), arguments.choice(acc));
  const auto at = static_cast<std::size_t>(from);
  return {.accumulate = static_cast<Accumulate>(name - kAccumulateNames.begin()),
          .from_zero = from >= 0 && arguments.has(at) && arguments.choice(at) == "zero"};
}

void check_left_to_right(const Arguments& arguments, std::size_t acc, int from, std::string_view stage) {
  const Accumulate accumulate = left_to_right(arguments, acc, from).accumulate;
  const bool starts_from_zero = accumulate != Accumulate::plain && accumulate != Accumulate::fma;
  if (from >= 0 && arguments.has(static_cast<std::size_t>(from)) && starts_from_zero)
    throw Error(ErrorKind::usage, std::string(stage) + ": acc=" + std::string(arguments.choice(acc)) +
                                      " always starts from +0.0; leave out from=");
}

}  // namespace orderlab
