// The plans of a site.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "orderlab/plan.hpp"
#include "orderlab/program.hpp"

namespace orderlab {

/// What adds n terms at a site.
struct SitePlan {
  std::shared_ptr<const Plan> plan;  ///< plan for numbers, or for products where the order fuses them
  bool products = false;             ///< they are products
  bool in_turn = false;              ///< plain additions from left to right
  bool from_zero = false;            ///< in_turn starts from +0.0
};

struct SumSite::Plans {
  explicit Plans(const Order& order) : fixed(order.fixed_form()) {}

  /// The plan for n terms, which are `products` or numbers of `format`; `launch`: of the fixed form.
  const SitePlan& plan(const Order& order, std::size_t n, Format format, bool products, bool launch);

  Order fixed;
  std::shared_mutex guard;
  std::map<std::tuple<std::size_t, Format, bool, bool>, SitePlan> plans;
};

}  // namespace orderlab
