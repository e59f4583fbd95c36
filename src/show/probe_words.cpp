#include "show/probe_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "probe/tree_shape.hpp"
#include "show/input_text.hpp"
#include "show/tree.hpp"

namespace orderlab {

namespace {

// Whether its additions have more bits than the format of its sums, and Kahan's one more than that.
bool adds_wider(const ProbedOrder& probed) {
  const auto& accumulator = probed.accumulator;
  return accumulator && accumulator->narrowest &&
         *accumulator->narrowest > info(probed.formats.accumulate).precision + 1;
}

}  // namespace

std::string verdict_text(const ProbedOrder& probed) {
  std::string text(name_of(probed.verdict));
  if (!probed.orders.empty()) text += ": " + order_text(probed);
  if (!probed.reason.empty()) text += (probed.orders.empty() ? ": " : "; ") + probed.reason;
  return text;
}

std::string precision_text(const ProbedOrder& probed) {
  if (!probed.accumulator) return "";
  const AccumulatorPrecision& accumulator = *probed.accumulator;
  std::string text = "no bit lost";
  if (accumulator.narrowest) {
    text = plural(static_cast<std::uint64_t>(*accumulator.narrowest), "bit");
    if (accumulator.widest != accumulator.narrowest)
      text = fmt::format("{} to {} bits", *accumulator.narrowest, *accumulator.widest);
    else if (probed.replayed > 0 && !adds_wider(probed))
      text = fmt::format("{} ({})", to_string(probed.formats), text);
  }
  return text + (accumulator.flushes ? ", subnormal terms become zero" : "");
}

std::string additions_text(const ProbedOrder& probed) {
  return adds_wider(probed) ? fmt::format("additions with {} bits", *probed.accumulator->narrowest)
                            : "sums in " + to_string(probed.formats);
}

std::string missed_text(const ProbedOrder& probed) {
  if (probed.compared == 0) return "";
  return fmt::format("an order used in fewer than 1 of {:.0f} calls may have been missed (95 %)",
                     std::floor(1 / excluded_share(probed.compared)));
}

std::string order_text(const ProbedOrder& probed) { return probed.orders.empty() ? "" : probed.orders.front().text; }

std::string newick_text(const ProbedOrder& probed) {
  if (!probed.tree) return "";
  const TreeShape shape = TreeShape::of(*probed.tree);
  constexpr Formats kOne{Format::fp64, Format::fp64, Format::fp64};
  return tree_newick(tree_of(shape, {kOne, {}}));
}

std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end - i > 1) text += (end - i > 2 ? "-" : ", ") + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace orderlab
