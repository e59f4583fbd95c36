// How a step adds, all of it: with what stands inside Within, Split and Fold.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "core/overloaded.hpp"
#include "orderlab/steps.hpp"

namespace orderlab {

/// Calls visit(how) for every Combination of the step.
template <class Visit>
void visit_combinations(const Step& step, Visit&& visit) {
  const auto all = [&](const Steps& steps) {
    for (const Step& inner : steps) visit_combinations(inner, visit);
  };
  std::visit(Overloaded{[&](const steps::Add& add) { visit(add.how); },
                        [&](const steps::Within& within) {
                          all(within.full);
                          all(within.rest);
                        },
                        [&](const steps::Split& split) {
                          for (const auto& part : split.parts) all(part.second);
                        },
                        [&](const steps::Fold& fold) {
                          all(fold.initial);
                          all(fold.later);
                          all(fold.rest);
                        },
                        [](const auto&) {}},
             step.is);
}

/// Whether a Fold in it adds in fp32 and rounds what it keeps.
inline bool has_wide_fold(const Step& step) {
  const auto any = [](const Steps& steps) { return std::any_of(steps.begin(), steps.end(), has_wide_fold); };
  return std::visit(Overloaded{[&](const steps::Within& within) { return any(within.full) || any(within.rest); },
                               [&](const steps::Split& split) {
                                 return std::any_of(split.parts.begin(), split.parts.end(),
                                                    [&](const auto& part) { return any(part.second); });
                               },
                               [&](const steps::Fold& fold) {
                                 return fold.wide || any(fold.initial) || any(fold.later) || any(fold.rest);
                               },
                               [](const auto&) { return false; }},
                    step.is);
}

/// Whether a unit adds products in the step.
inline bool adds_by_unit(const Step& step) {
  const auto any = [](const Steps& steps) { return std::any_of(steps.begin(), steps.end(), adds_by_unit); };
  return std::visit(Overloaded{[](const steps::Fuse&) { return true; },
                               [&](const steps::Within& within) { return any(within.full) || any(within.rest); },
                               [&](const steps::Split& split) {
                                 return std::any_of(split.parts.begin(), split.parts.end(),
                                                    [&](const auto& part) { return any(part.second); });
                               },
                               [](const auto&) { return false; }},
                    step.is);
}

/// Whether every accumulator of the step is one of these, and none is wide or a unit.
inline bool adds_plainly(const Step& step, std::initializer_list<Accumulate> allowed) {
  bool plain = !has_wide_fold(step) && !adds_by_unit(step);
  visit_combinations(step, [&](const Combination& how) {
    plain = plain && std::find(allowed.begin(), allowed.end(), how.accumulate) != allowed.end();
  });
  return plain;
}

}  // namespace orderlab
