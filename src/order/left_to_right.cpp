#include "order/left_to_right.hpp"

#include <algorithm>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab {

bool fuses(const StageCall& call) {
  for (std::size_t i = 0; i < call.stage->parameters.size(); ++i)
    if (call.stage->parameters[i].name == kAccumulateParameter.name) return call.arguments.choice(i) == "fma";
  return false;
}

LeftToRight LeftToRight::read(const Arguments& arguments, std::size_t acc, int from) {
  const auto name = std::find(kAccumulateNames.begin(), kAccumulateNames.end(), arguments.choice(acc));
  const auto at = static_cast<std::size_t>(from);
  return {static_cast<Accumulate>(name - kAccumulateNames.begin()),
          from >= 0 && arguments.has(at) && arguments.choice(at) == "zero"};
}

void check_left_to_right(const Arguments& arguments, std::size_t acc, int from, std::string_view stage) {
  const LeftToRight how = LeftToRight::read(arguments, acc, from);
  const bool starts_from_zero = how.accumulate != Accumulate::plain && how.accumulate != Accumulate::fma;
  if (from >= 0 && arguments.has(static_cast<std::size_t>(from)) && starts_from_zero)
    throw Error(ErrorKind::usage, std::string(stage) + ": acc=" + std::string(arguments.choice(acc)) +
                                      " always starts from +0.0; leave out from=");
}

}  // namespace orderlab
