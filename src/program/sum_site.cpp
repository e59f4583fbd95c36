#include "program/sum_site.hpp"

#include <string>
#include <utility>

#include "orderlab/error.hpp"
#include "run/plan_steps.hpp"

namespace orderlab {

namespace {

SitePlan site_plan(const Order& order, std::size_t n, Format format, bool products) {
  auto plan = compile(order, n, {format, format, format}, products);
  if (products && !plan->fuses()) return site_plan(order, n, format, false);
  const Combination* how = plan->steps().size() == 1 ? one_group(plan->steps().front().step, n) : nullptr;
  const bool in_turn =
      how != nullptr && how->tree == Combination::Tree::in_turn && how->accumulate == Accumulate::plain;
  return {std::move(plan), products, in_turn, in_turn && how->from_zero};
}

}  // namespace

const SitePlan& SumSite::Plans::plan(const Order& order, std::size_t n, Format format, bool products, bool launch) {
  const std::tuple key(n, format, products, launch);
  {
    const std::shared_lock reading(guard);
    if (const auto found = plans.find(key); found != plans.end()) return found->second;
  }
  SitePlan made = site_plan(launch ? fixed : order, n, format, products);
  const std::unique_lock writing(guard);
  return plans.try_emplace(key, std::move(made)).first->second;  // entries of a map stay where they are
}

SumSite::SumSite(std::uint64_t number, Order order)
    : number_(number), order_(std::move(order)), plans_(std::make_unique<Plans>(order_)) {
  DrawPath{.site = number}.key();  // checks it
}

SumSite::~SumSite() = default;
SumSite::SumSite(SumSite&&) noexcept = default;

}  // namespace orderlab
