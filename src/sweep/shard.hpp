// A part of a sweep.
#pragma once

#include <cstddef>

namespace orderlab {

/// One of `count` parts of a plan: every count-th point, from point `number` on.
struct Shard {
  std::size_t number = 1;
  std::size_t count = 1;

  bool operator==(const Shard&) const = default;
};

}  // namespace orderlab
