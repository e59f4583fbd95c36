// Left-to-right groups with their accumulators: the options `acc=` and `from=` of every stage that has such groups.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "order/arithmetic.hpp"
#include "orderlab/stage.hpp"

namespace orderlab {

inline constexpr std::array<std::string_view, 5> kAccumulateNames{"plain", "kahan", "neumaier", "atomic", "fma"};
inline constexpr std::array<std::string_view, 2> kFromNames{"first", "zero"};

inline constexpr Parameter kAccumulateParameter{.name = "acc",
                                                .kind = ParameterKind::choice,
                                                .default_text = "plain",
                                                .choices = kAccumulateNames,
                                                .keyword_only = true};
inline constexpr Parameter kFromParameter{
    .name = "from", .kind = ParameterKind::choice, .default_text = "-", .choices = kFromNames, .keyword_only = true};

/// Whether the call has acc=fma: it needs products.
bool fuses(const StageCall& call);

/// How the groups of a stage are added up.
struct LeftToRight {
  Accumulate accumulate = Accumulate::plain;
  bool from_zero = false;

  /// From the arguments at the places of acc= and from= (`from` below 0: the stage has no such option).
  static LeftToRight read(const Arguments& arguments, std::size_t acc, int from);
};

/// Error(usage) for from= beside an accumulator that always starts from zero.
void check_left_to_right(const Arguments& arguments, std::size_t acc, int from, std::string_view stage);

/// Sum of `count` >= 1 partial sums, obtained one by one from next(), by plain additions.
template <class A, class Next>
typename A::Value plain_left_to_right(A& arith, bool from_zero, std::size_t count, Next& next) {
  auto sum = from_zero ? arith.start(next()) : next();
  for (std::size_t i = 1; i < count; ++i) sum = arith.add(sum, next());
  return sum;
}

/// Sum of `count` >= 1 partial sums, obtained one by one from next().
template <class A, class Next>
typename A::Value left_to_right(A& arith, LeftToRight how, std::size_t count, Next next) {
  A local = arith;  // a copy the compiler can keep in registers: nothing else can point at it
  typename A::Value sum;
  switch (how.accumulate) {
    case Accumulate::plain:
      sum = plain_left_to_right(local, how.from_zero, count, next);
      break;
    case Accumulate::atomic:
      sum = local.start_ftz(next());
      for (std::size_t i = 1; i < count; ++i) sum = local.add_ftz(sum, next());
      break;
    default:
      sum = local.group(how.accumulate, how.from_zero, count, next);
  }
  arith = local;
  return sum;
}

}  // namespace orderlab
