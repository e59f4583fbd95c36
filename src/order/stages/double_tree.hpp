// The choices of NCCL's tree all-reduce: parameters of the stage and of the named order that is made of it.
#pragma once

#include <string_view>

#include "orderlab/parameters.hpp"

namespace orderlab {

inline constexpr std::string_view kNcclFirst = "first";
inline constexpr std::string_view kNcclTrees[] = {kNcclFirst, "second"};

/// Which of the two trees between hosts; each serves half of NCCL's channels.
inline constexpr Parameter kNcclTreeParameter{
    .name = "tree", .kind = ParameterKind::choice, .default_text = kNcclFirst, .choices = kNcclTrees};

inline constexpr std::string_view kNcclBalanced = "balanced";
inline constexpr std::string_view kNcclSplit = "split";
inline constexpr std::string_view kNcclOneGpu = "tree";
inline constexpr std::string_view kNcclPatterns[] = {kNcclBalanced, kNcclSplit, kNcclOneGpu};

/// Which GPUs of a host's chain receive from its first and its second child host: 1 and 0 (balanced, NCCL's pattern 1),
/// 1 and 1 (split, pattern 2), 0 and 0 (tree, pattern 3). NCCL_DEBUG=INFO prints the pattern; 1 is tried first.
inline constexpr Parameter kNcclPatternParameter{
    .name = "pattern", .kind = ParameterKind::choice, .default_text = kNcclBalanced, .choices = kNcclPatterns};

}  // namespace orderlab
