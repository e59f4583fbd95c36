// All orders, where that is quick.
#pragma once

#include <optional>
#include <string>

#include "orderlab/enumerate.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Enumerates as the stage "subsets"; empty when stopped. Errors as orderlab::enumerate.
std::optional<Enumeration> enumerate_space(const OrderSpace& space, double memory_bytes, int threads,
                                           const Watch& watch);

/// All results of an order that is quick to enumerate.
struct QuickEnumeration {
  std::optional<Enumeration> all;  ///< empty also when stopped
  std::string note;                ///< why not, where it was tried
};
QuickEnumeration enumerate_if_quick(const Evaluator& evaluator, double memory_bytes, int threads, const Watch& watch);

}  // namespace orderlab::study
