#include "study/narrower_orders.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "core/stop.hpp"
#include "order/formats_along.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/plan.hpp"

namespace orderlab::study {

namespace {

/// Formats of fewer numbers than the accumulate format, that of the terms first.
std::vector<Format> narrower_formats(const Formats& formats) {
  std::vector<Format> narrower;
  for (const Format format : {formats.terms, Format::fp32, Format::bf16, Format::fp16})
    if (info(format).uses.sums && format != formats.accumulate && holds_all_of(formats.accumulate, format) &&
        std::find(narrower.begin(), narrower.end(), format) == narrower.end())
      narrower.push_back(format);
  return narrower;
}

// Splits and ranks that programs have.
constexpr std::uint64_t kSplits[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128};
constexpr std::uint64_t kTileOfSplits = 32;  // splits are whole tiles of so many terms

/// Chunks of n terms, each of which becomes a partial sum.
std::vector<std::string> ways_to_split(std::size_t n, bool products) {
  std::vector<std::string> ways;
  for (const std::uint64_t splits : kSplits) {
    if (splits >= n) break;
    const std::uint64_t length = (n + splits - 1) / splits;
    const std::uint64_t tiles = (length + kTileOfSplits - 1) / kTileOfSplits * kTileOfSplits;
    for (const std::string acc : {"", ",acc=fma"}) {
      if (!products && !acc.empty()) continue;
      ways.push_back("chunks(" + std::to_string(splits) + acc + ")");
      if (length * splits != n) ways.push_back("seq(" + std::to_string(length) + acc + ")");
      if (tiles != length && tiles < n) ways.push_back("seq(" + std::to_string(tiles) + acc + ")");
    }
  }
  return ways;
}

std::vector<std::string> rounding_orders(const Input& input) {
  const std::size_t n = input.facts.n;
  const std::string wide(info(input.facts.formats.accumulate).name);
  std::vector<std::string> texts;
  for (const Format format : narrower_formats(input.facts.formats)) {
    const std::string narrow(info(format).name);
    const std::string stored = "in(" + wide + ",store=" + narrow + ") | seq(from=zero)";
    texts.push_back(stored);
    for (const std::string& split : ways_to_split(n, input.facts.products)) {
      texts.push_back(split + " | round(" + narrow + ") | in(" + narrow + ") | seq");
      texts.push_back(split + " | round(" + narrow + ") | seq");
      texts.push_back(split + " | " + stored);
    }
  }
  if (!input.facts.products) return texts;
  for (const FusedUnit& unit : fused_units())
    if (unit.built() && unit.terms == input.facts.formats.terms &&
        unit.rounding(input.facts.formats.accumulate) != FusedRounding::none)
      texts.push_back("fused(" + std::string(unit.name) + ")");
  return texts;
}

/// The sum of an order; empty for one that the terms or formats do not allow, and when stopped.
std::optional<NarrowerSum> sum_by(const std::string& text, const Input& input) {
  try {
    const Order order = parse_order(text);
    const auto plan = compile(order, input.facts.n, input.facts.formats, input.facts.products);
    const double sum = sum_of(*plan, input.terms.view());
    const Formats& formats = input.facts.formats;
    return NarrowerSum{{text, order.expression(), {}, round_to_bits(formats.result, sum)}, formats};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return std::nullopt;
  }
}

}  // namespace

std::vector<NarrowerSum> narrower_sums(const Input& input, OrderDevice device, const Loop& loop, const Watch& watch) {
  std::vector<NarrowerSum> all;
  for (const Format format : narrower_formats(input.facts.formats)) {
    if (watch.stop.stop_requested()) break;
    Formats formats = input.facts.formats;
    formats.accumulate = format;
    for (KnownSum& one : known_sums(input, formats, device, loop, watch, [](std::uint64_t) { return false; }).orders)
      all.push_back({std::move(one), formats});
  }
  const std::vector<std::string> texts = rounding_orders(input);
  std::vector<std::optional<NarrowerSum>> sums(texts.size());
  loop(texts.size(), [&](std::size_t i) {
    if (!watch.stop.stop_requested()) sums[i] = sum_by(texts[i], input);
  });
  for (std::optional<NarrowerSum>& one : sums)
    if (one) all.push_back(*std::move(one));
  return all;
}

}  // namespace orderlab::study
