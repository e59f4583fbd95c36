// The options `acc=` and `from=` of every stage that adds groups from left to right.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "orderlab/order.hpp"

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

/// Whether a step or steps fuse products, by acc=fma or a unit: they need products.
bool fuses(const Step& step);
bool fuses(const Steps& steps);

/// How groups are added, from the arguments at the places of acc= and from= (`from` below 0: the stage has no such
/// option).
Combination left_to_right(const Arguments& arguments, std::size_t acc, int from);

/// Error(usage) for from= beside an accumulator that always starts from zero.
void check_left_to_right(const Arguments& arguments, std::size_t acc, int from, std::string_view stage);

}  // namespace orderlab
