// Verdicts on boxes whose order depends on the values of the terms.
#pragma once

#include <optional>

#include "probe/candidates.hpp"
#include "probe/judgement.hpp"
#include "probe/known_box.hpp"

namespace orderlab {

/// The terms are sorted before they are added. Empty where no order that sorts has the bits.
std::optional<Judgement> judge_sorted(const KnownBox& known, const Candidates& candidates);

/// Values choose the order, and something shows it. Empty where nothing does.
std::optional<Judgement> judge_values(const KnownBox& known);

/// No single tree explains the answers to masks: values choose the order, whatever shows it.
Judgement judge_no_tree(const KnownBox& known);

}  // namespace orderlab
