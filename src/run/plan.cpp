#include "orderlab/plan.hpp"

#include <algorithm>
#include <string>

#include "core/float_environment.hpp"
#include "core/overloaded.hpp"
#include "order/combinations.hpp"
#include "order/formats_along.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/philox.hpp"
#include "run/heights.hpp"
#include "run/plan_steps.hpp"

namespace orderlab {

namespace {

// Returns how what follows adds; the steps add in `format`.
AddFormat append(const Steps& steps, std::vector<PlannedStep>& planned, std::size_t n, AddFormat format) {
  for (const Step& step : steps) {
    format = format_after({step}, format);
    const std::size_t m = planned.empty() ? n : planned.back().out;
    const bool after_random = !planned.empty() && is_random(planned.back().step);
    const auto stream = planned.empty() ? streams::kFirstStage : planned.back().stream;
    planned.push_back(
        {step, m, count_left(step, m), static_cast<std::uint16_t>(stream + (after_random ? 1 : 0)), format});
  }
  return format;
}

void require_unit_fits(const FusedUnit& unit, const Plan& plan) {
  const Formats& formats = plan.formats();
  const std::string order = "order " + plan.order().expression() + ": " + std::string(unit.name);
  const std::string terms(info(unit.terms).name);
  if (!holds_all_of(unit.terms, formats.terms))
    throw Error(ErrorKind::usage, order + " multiplies numbers of " + terms + ", and the terms are " +
                                      std::string(info(formats.terms).name) + "; write --format " + terms + ":" +
                                      std::string(info(formats.accumulate).name));
  if (unit.rounding(formats.accumulate) != FusedRounding::none) return;
  std::string known;
  for (const Format sums : {Format::fp32, Format::fp16, Format::fp64})
    if (unit.rounding(sums) != FusedRounding::none)
      known += (known.empty() ? "" : " or ") + terms + ":" + std::string(info(sums).name);
  throw Error(ErrorKind::usage,
              order + " keeps no sums in " + std::string(info(formats.accumulate).name) + "; write --format " + known);
}

/// Error(usage) for a unit in the step that does not go with the formats of the plan.
void require_unit_fits(const Step& step, const Plan& plan) {
  const auto all = [&](const Steps& steps) {
    for (const Step& inner : steps) require_unit_fits(inner, plan);
  };
  std::visit(Overloaded{[&](const steps::Fuse& fuse) { require_unit_fits(*fuse.unit, plan); },
                        [&](const steps::Within& within) {
                          all(within.full);
                          all(within.rest);
                        },
                        [&](const steps::Split& split) {
                          for (const auto& part : split.parts) all(part.second);
                        },
                        [](const auto&) {}},
             step.is);
}

}  // namespace

std::vector<PlannedStep> plan_steps(const Order& order, std::size_t n, Format accumulate) {
  std::vector<PlannedStep> planned;
  AddFormat format{accumulate, accumulate};
  for (const StageCall& call : order.stages())
    format = append(describe(call, planned.empty() ? n : planned.back().out, format.add), planned, n, format);
  return planned;
}

Plan::Plan(const Order& order, std::size_t n, bool products, const Formats& formats)
    : order_(order), formats_(formats), n_(n), products_(products) {
  const FloatEnvironment environment;
  require_uses(formats);
  const std::vector<Steps> all = order.describe(n, products, formats.accumulate);
  steps_.reserve(all.size() + 1);
  AddFormat format{formats.accumulate, formats.accumulate};
  for (const Steps& steps : all) format = append(steps, steps_, n, format);
  fuses_ = std::any_of(steps_.begin(), steps_.end(), [](const auto& planned) { return orderlab::fuses(planned.step); });
  const auto random = [](const PlannedStep& planned) { return is_random(planned.step); };
  fixed_ = static_cast<std::size_t>(std::find_if(steps_.begin(), steps_.end(), random) - steps_.begin());
  const auto changes = [](const PlannedStep& planned) { return orderlab::changes_format(planned.step); };
  first_change_ = static_cast<std::size_t>(std::find_if(steps_.begin(), steps_.end(), changes) - steps_.begin());
  for (const PlannedStep& planned : steps_) require_unit_fits(planned.step, *this);
  heights_ = std::make_shared<const PlanHeights>(heights_of(*this));
}

const FusedUnit* Plan::unit_of_all() const {
  const auto* fuse = steps_.size() == 1 ? std::get_if<steps::Fuse>(&steps_.front().step.is) : nullptr;
  return fuse != nullptr && fuse->run >= n_ ? fuse->unit.get() : nullptr;
}

std::shared_ptr<const Plan> compile(const Order& order, std::size_t n, const Formats& formats, bool products) {
  const FloatEnvironment environment;
  return std::make_shared<const Plan>(order, n, products, formats);
}

void check_terms(const Plan& plan, const TermView& terms) {
  const auto of_terms = [](std::size_t n, bool products, Format format) {
    return std::to_string(n) + (products ? " products of " : " numbers of ") + std::string(info(format).name);
  };
  const Format format = plan.formats().terms;
  if (terms.n != plan.term_count() || terms.products() != plan.products() || terms.format != format)
    throw Error(ErrorKind::usage, of_terms(terms.n, terms.products(), terms.format) + ": the plan is for " +
                                      of_terms(plan.term_count(), plan.products(), format));
}

namespace {

// Pieces that lie one after the other, none of which depends on how many there are.
std::size_t period_of(const steps::Add& add) {
  if (add.groups.size() != 1) return 0;
  const Groups& g = add.groups.front();
  const bool whole = g.first == 0 && g.place == 0 && g.count > 1 && g.items == Groups::kAll;
  return whole && g.width + (g.members - 1) * g.step == g.stride ? g.stride : 0;
}

std::size_t period_of(const steps::Fold& fold, std::size_t m) {
  return fold.join == steps::Fold::Join::first && m <= fold.blocks * fold.tile ? fold.tile : 0;
}

}  // namespace

std::size_t period(const Step& step, std::size_t m) {
  return std::visit(
      Overloaded{[](const steps::Add& add) { return period_of(add); },
                 [](const steps::Within& within) { return within.runs == Groups::kAll ? within.size : 0; },
                 [&](const steps::Fuse& fuse) { return fuse.run < m ? fuse.run : 0; },
                 [&](const steps::Fold& fold) { return period_of(fold, m); },
                 [](const auto&) { return std::size_t{0}; }},
      step.is);
}

bool some_unit_adds(const Plan& plan) {
  return std::any_of(plan.steps().begin(), plan.steps().end(),
                     [](const PlannedStep& planned) { return adds_by_unit(planned.step); });
}

const Combination* one_group(const Step& step, std::size_t m) {
  const auto* add = std::get_if<steps::Add>(&step.is);
  if (add == nullptr || add->groups.size() != 1) return nullptr;
  const Groups& g = add->groups.front();
  const bool one = (g.count == 1 || g.stride >= m) && g.width == 1 && g.members >= m;
  return one && g.first == 0 && g.step == 1 && g.items == Groups::kAll ? &add->how : nullptr;
}

const Combination* parts_in_turn(const steps::Split& split) {
  const Combination* how = nullptr;
  for (const auto& [size, steps] : split.parts) {
    const Combination* part = steps.size() == 1 ? one_group(steps.front(), size) : nullptr;
    if (part == nullptr || part->tree != Combination::Tree::in_turn) return nullptr;
    if (how != nullptr && (how->accumulate != part->accumulate || how->from_zero != part->from_zero)) return nullptr;
    how = part;
  }
  return how;
}

}  // namespace orderlab
