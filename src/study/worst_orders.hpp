// The orders that `worst` walks in place of the one it was given.
#pragma once

#include <string>

#include "orderlab/order.hpp"

namespace orderlab::study {

/// The order with `shuffle` as its random arranging stage: all that permutations of the partial sums can give.
///
/// Error(usage), with the reason, for a fixed order, one whose first random stage reduces, and one with another random
/// stage, but for a `tree` at the end.
Order shuffled_form(const Order& order);

/// Whether it ends with a random `tree`.
bool ends_with_tree(const Order& order);

/// The shuffled form with `seq` in place of its `tree`: every sequence is one of the trees.
Order sequential_form(const Order& shuffled);

/// A line for the reader where the given order does not draw every permutation, or not each as likely; or empty.
std::string coverage_of(const Order& order, bool sequences_for_trees);

}  // namespace orderlab::study
