// The sums of the terms by all fixed orders that programs are known to add in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// An order and its sum.
struct KnownSum {
  std::string text;                    ///< the simplest that parse_order reads: a name, one with few arguments
  std::string expression;              ///< canonical
  std::vector<std::string> also = {};  ///< others that add the same tree of these terms, the simplest first
  std::uint64_t bits = 0;              ///< in the result format
};

struct KnownSums {
  std::vector<KnownSum> orders;  ///< no two of them the same tree; the simplest first
  bool complete = true;          ///< not stopped
};

/// The sums in these formats by the orders of `device`; when stopped, those that were had. Where it takes long, the
/// watch is told from time to time which orders so far have a sum that is `wanted`.
KnownSums known_sums(const Input& input, const Formats& formats, OrderDevice device, const Loop& loop,
                     const Watch& watch, const std::function<bool(std::uint64_t bits)>& wanted);

}  // namespace orderlab::study
