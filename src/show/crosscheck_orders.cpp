// The orders in which kernels without a claim were seen to add.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/crosscheck.hpp"
#include "show/crosscheck_words.hpp"
#include "show/input_text.hpp"
#include "show/probe_words.hpp"

namespace orderlab {

namespace {

// "named: spa", "random above stable clusters: ...".
std::string seen_text(const SeenOrder& seen) {
  std::string text(seen.verdict ? name_of(*seen.verdict) : "not known");
  if (seen.verdict == ProbeVerdict::random && !seen.orders.empty()) text += " above stable clusters";
  if (!seen.orders.empty()) text += ": " + seen.orders.front();
  if (!seen.reason.empty()) text += (seen.orders.empty() ? ": " : "; ") + seen.reason;
  return text;
}

/// What was seen in one launch shape, and at which sizes.
struct SeenAtSizes {
  LaunchShape shape;
  std::string text;
  std::vector<std::size_t> sizes;
};

std::vector<SeenAtSizes> in_groups(const std::vector<SeenOrder>& all) {
  std::vector<SeenAtSizes> groups;
  for (const SeenOrder& seen : all) {
    const std::string text = seen_text(seen);
    auto group = groups.begin();
    while (group != groups.end() && (group->shape != seen.shape || group->text != text)) ++group;
    if (group == groups.end()) group = groups.insert(group, {seen.shape, text, {}});
    group->sizes.push_back(seen.n);
  }
  return groups;
}

}  // namespace

std::string seen_orders_text(const CrossCheckRow& row) {
  std::string text;
  const std::vector<SeenAtSizes> groups = in_groups(row.seen);
  for (const SeenAtSizes& group : groups) {
    const auto of_shape = std::count_if(groups.begin(), groups.end(),
                                        [&](const SeenAtSizes& other) { return other.shape == group.shape; });
    const std::string sizes = of_shape == 1 ? "" : ", n=" + ranges_text(group.sizes);
    text += fmt::format("  {}{}: {}\n", shape_text(group.shape), sizes, group.text);
  }
  return text;
}

std::string summary(const CrossCheckRow& row) {
  const FloatEnvironment environment;
  std::string text = fmt::format("{}, {}: {}, ", row.kernel->name, to_string(row.formats), plural(row.cases, "case"));
  if (claims(row))
    text += fmt::format("{} differ from the claim\n", row.mismatches);
  else
    text += row.mismatches == 0 ? "no claim\n" : fmt::format("{} failed\n", row.mismatches);
  return text + differences(row) + seen_orders_text(row);
}

}  // namespace orderlab
