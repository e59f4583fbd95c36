// The thread blocks that the libraries' kernels of one thread block are compiled for. Plain C++.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "orderlab/error.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// A power of two, a small one, and one whose last warp is not full.
inline constexpr LaunchShape kCubBlockShapes[] = {{256, 1, 1}, {64, 1, 1}, {100, 1, 1}};
inline constexpr LaunchShape kCubWarpShapes[] = {{32, 1, 1}, {16, 1, 1}, {4, 1, 1}};
inline constexpr LaunchShape kCgShapes[] = {{32, 1, 1}, {256, 1, 1}};

/// Calls f(std::integral_constant<unsigned, threads>) for the shape of `kShapes` that has as many threads as `shape`.
/// Error(unsupported) names those there are.
template <const auto& kShapes, class F, std::size_t kPlace = 0>
decltype(auto) with_threads(std::string_view name, const LaunchShape& shape, F&& f) {
  if (shape.threads == kShapes[kPlace].threads) return f(std::integral_constant<unsigned, kShapes[kPlace].threads>{});
  if constexpr (kPlace + 1 < std::size(kShapes)) {
    return with_threads<kShapes, F, kPlace + 1>(name, shape, std::forward<F>(f));
  } else {
    std::string known;
    for (const LaunchShape& one : kShapes) known += (known.empty() ? "" : ", ") + std::to_string(one.threads);
    throw Error(ErrorKind::unsupported, std::string(name) + " with thread blocks of " + std::to_string(shape.threads) +
                                            " threads: it is compiled for " + known);
  }
}

}  // namespace orderlab::cuda
