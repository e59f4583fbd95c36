#include "order/rest.hpp"

#include <string>
#include <utility>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// Whether a group of one member has that member as its sum, in every bit; of a product, the rounded product.
bool keeps_single(const Combination& how) {
  if (how.tree != Combination::Tree::in_turn) return true;
  return !how.from_zero && (how.accumulate == Accumulate::plain || how.accumulate == Accumulate::fma);
}

}  // namespace

bool keeps_rest(const Arguments& arguments, std::size_t rest) { return arguments.choice(rest) == "keep"; }

void check_rest(const Arguments& arguments, std::size_t rest, const Combination& how, std::string_view stage) {
  if (arguments.choice(rest) != kRestParameter.default_text && how.accumulate == Accumulate::fma && how.from_zero)
    throw Error(ErrorKind::usage,
                std::string(stage) + ": with acc=fma, rest=" + std::string(arguments.choice(rest)) +
                    " leaves rounded products and from=zero would fuse them into +0.0; leave out one of the two");
}

Steps add_and_keep(const Groups& groups, const Combination& how, std::size_t whole, std::size_t m) {
  if (!keeps_single(how))  // the rest must not go through the accumulator
    return {{steps::Within{whole > 0 ? whole : m + 1, {steps::add(groups, how)}, {steps::add_runs(1)}}}};
  steps::Add step{{}, how};
  if (whole > 0) step.groups.push_back(groups);
  const std::size_t sums = whole > 0 ? count_left(steps::add(groups), whole) : 0;
  if (whole < m) step.groups.push_back({.first = whole, .count = m - whole, .stride = 1, .members = 1, .place = sums});
  return {{std::move(step)}};
}

}  // namespace orderlab
