// The option `rest=` of stages that reduce runs: what becomes of the partial sums at the end that do not fill a run.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "orderlab/order.hpp"

namespace orderlab {

inline constexpr std::array<std::string_view, 2> kRestNames{"add", "keep"};

/// Of lanes: the rest goes to the first lane.
inline constexpr std::string_view kRestToFirst = "first";
inline constexpr std::array<std::string_view, 3> kRestOfLanesNames{kRestNames[0], kRestNames[1], kRestToFirst};

inline constexpr Parameter kRestParameter{
    .name = "rest", .kind = ParameterKind::choice, .default_text = "add", .choices = kRestNames, .keyword_only = true};
inline constexpr Parameter kRestOfLanesParameter{.name = "rest",
                                                 .kind = ParameterKind::choice,
                                                 .default_text = "add",
                                                 .choices = kRestOfLanesNames,
                                                 .keyword_only = true};

/// Whether the argument at that place is rest=keep.
bool keeps_rest(const Arguments& arguments, std::size_t rest);

/// Error(usage) where rest=keep could not keep products as they are: they would be fused into +0.0.
void check_rest(const Arguments& arguments, std::size_t rest, const Combination& how, std::string_view stage);

/// Adds `groups`, in which are all of the first `whole` of m partial sums and no others, and leaves the other partial
/// sums as they are, after the sums.
Steps add_and_keep(const Groups& groups, const Combination& how, std::size_t whole, std::size_t m);

}  // namespace orderlab
