#include "engine/extremes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "engine/addends.hpp"
#include "engine/arena.hpp"
#include "engine/extremes_of.hpp"
#include "engine/key_range.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// Some ten seconds of one core: 25 different partial sums in sequences, 18 in trees.
constexpr double kMaxAdditions = 1e9;
constexpr double kMaxSets = 0x1p31;  // sets are numbered in 32 bits

ExtremesCost cost_of(const OrderSpace& space, const TermGroups& groups) {
  const double sets = groups.subset_count();
  const double bytes = sets * static_cast<double>(with_accumulator_type(space.formats.accumulate, [](auto* type) {
                         return sizeof(KeyRange<std::remove_pointer_t<decltype(type)>>);
                       }));
  switch (space.family) {
    case OrderFamily::fixed:
      return {};
    case OrderFamily::sequences:
      return {bytes, sets * static_cast<double>(groups.size())};
    case OrderFamily::trees:
      return {bytes, groups.split_count()};
    default:
      return sets > kMaxSets ? ExtremesCost{} : cost_of_assignments(space, groups);
  }
}

std::string memory_obstacle(const OrderSpace& space, const TermGroups& groups, double memory_bytes) {
  const double sets = groups.subset_count();
  const std::string what =
      fmt::format("{} partial sums, {} of them different: ", space.partial_sums.size(), groups.size());
  if (space.family == OrderFamily::fixed) return {};
  if (space.family == OrderFamily::queues) return "a queue are not searched";
  if (space.family == OrderFamily::assignments && space.formats.accumulate == Format::fp80)
    return "fp80 partial sums that are assigned to the leaves of a tree, which are not enumerated";
  if (sets > kMaxSets) return what + fmt::format("{:.2g} sets of them are too many to enumerate", sets);
  const ExtremesCost cost = cost_of(space, groups);
  if (cost.additions > kMaxAdditions)
    return what + fmt::format("enumerating their sets takes {:.2g} additions", cost.additions);
  if (cost.bytes > memory_bytes)
    return what + fmt::format("the tables take {} of memory, {} are allowed", bytes_in_words(cost.bytes),
                              bytes_in_words(memory_bytes));
  return {};
}

void require_finite(const OrderSpace& space) {
  if (const auto i = first_not_finite(space.partial_sums, space.products))
    throw Error(ErrorKind::unsupported,
                fmt::format("extreme orders: partial sum number {} is inf or NaN, and so is every result; they must be "
                            "finite",
                            *i));
}

}  // namespace

bool may_overflow(const OrderSpace& space) {
  const FormatInfo& f = info(space.formats.accumulate);
  // |computed| <= (1 + u)^m sum |x| < 2 sum |x| where m u <= 1/2; the sum is halved so as not to overflow itself
  const double m_u = static_cast<double>(space.partial_sums.size()) * f.unit_roundoff();
  double half_sum = 0;
  for (const double x : space.partial_sums) half_sum += std::fabs(x) / 2;
  return space.family == OrderFamily::assignments || m_u > 0.5 || half_sum >= std::ldexp(1.0, f.e_max - 2);
}

void refuse_nan() {
  throw Error(
      ErrorKind::unsupported,
      "extreme orders: some orders overflow to inf and -inf and add them, which is NaN; scale the terms down or "
      "accumulate in a wider format");
}

std::string extremes_obstacle(const OrderSpace& space, double memory_bytes) {
  const FloatEnvironment environment;
  return memory_obstacle(space, TermGroups::of(space), memory_bytes);
}

std::optional<Extremes> extremes(const OrderSpace& space, const WalkOptions& options) {
  const FloatEnvironment environment;
  require_finite(space);
  if (space.family == OrderFamily::fixed) {
    ExtremeOrder only = extreme_order(space, space.partial_sums[0]);
    only.order = {0};
    return Extremes{only, only};
  }
  const TermGroups groups = TermGroups::of(space);
  if (const std::string why = memory_obstacle(space, groups, options.memory_bytes); !why.empty())
    throw Error(ErrorKind::unsupported, "extreme orders of " + why);
  return with_threads(options.threads, [&](std::size_t) {
    if (space.family == OrderFamily::sequences) return extreme_sequences(space, groups, options);
    if (space.family == OrderFamily::trees) return extreme_trees(space, groups, options);
    return extreme_assignments(space, groups, options);
  });
}

}  // namespace orderlab
