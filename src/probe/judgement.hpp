// What the steps of a probe return: a verdict on the box, and what it rests on.
#pragma once

#include <optional>
#include <string>

#include "orderlab/probe.hpp"
#include "probe/candidates.hpp"
#include "probe/known_box.hpp"
#include "probe/pair_sizes.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

struct Judgement : ProbedOrder {
  std::optional<Masks> tree_masks = {};  ///< masks that show the tree; empty where there is none or none show it
};

/// A verdict of which nothing but the box's setting is known.
Judgement judged(const BoxSetting& setting, ProbeVerdict verdict, std::string reason = {});

/// A verdict with the accumulator of the box and the calls that agreed; with orders that replay all inputs.
Judgement judged(const KnownBox& known, ProbeVerdict verdict, std::string reason = {});
Judgement judged(const KnownBox& known, ProbeVerdict verdict, const ReplayedOrders& replayed, std::string reason = {});

/// The box is not a sum, for this reason. No call is evidence of an order then.
Judgement judged_no_sum(const KnownBox& known, std::string reason);

/// The judgement with a tree that masks show but whose additions are not known, and with what makes that tree.
Judgement with_shape(Judgement found, const KnownBox& known, const TreeShape& shape);

}  // namespace orderlab
