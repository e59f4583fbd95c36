#include "probe/stage_calls.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <string_view>

#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

constexpr std::size_t kMostChanges = 12;
// Their trees over ranks have the shape of many orders that are no reduction over ranks: they are among the hypotheses
// only.
constexpr std::string_view kUntried[] = {"double_tree", "rank_tree"};

constexpr std::size_t kFewCounts = 8;    // that each of several parameters of a stage gets
constexpr std::size_t kMostCalls = 600;  // for one stage

// Values of a parameter; empty: the stage cannot be called.
std::vector<Argument> values_of(const Parameter& parameter, std::span<const std::size_t> counts) {
  std::vector<Argument> values;
  const bool absent = parameter.default_text == "-";
  if (parameter.kind == ParameterKind::count) {
    if (absent) values.emplace_back();
    std::uint64_t fallback = 0;
    const std::string_view text = parameter.default_text;
    const bool has =
        std::from_chars(text.data(), text.data() + text.size(), fallback).ec == std::errc() && !text.empty();
    if (has) values.emplace_back(fallback);
    for (const std::size_t count : counts)
      if (static_cast<double>(count) >= parameter.low && static_cast<double>(count) <= parameter.high &&
          !(has && count == fallback))
        values.emplace_back(std::uint64_t{count});
  } else if (parameter.kind == ParameterKind::choice) {
    const bool changes_shape =
        parameter.choices.data() != kAccumulateNames.data() && parameter.choices.data() != kFromNames.data();
    if (absent) values.emplace_back();
    for (const std::string_view choice : parameter.choices)
      if (changes_shape || choice == parameter.default_text) values.emplace_back(choice);
  } else if (absent) {
    values.emplace_back();
  }
  return values;
}

bool allows(const StageCall& call, std::size_t m) {
  try {
    if (call.stage->check != nullptr) call.stage->check(call.arguments);
    if (call.stage->check_count != nullptr) call.stage->check_count(call.arguments, m);
  } catch (const Error&) {
    return false;
  }
  return !is_random(call) && !is_by_value(call) && !changes_format(call);  // shapes have no formats
}

void append_calls(const Stage& stage, std::span<const std::size_t> counts, std::size_t m,
                  std::vector<StageCall>& calls) {
  const auto is_count = [](const Parameter& parameter) { return parameter.kind == ParameterKind::count; };
  if (std::count_if(stage.parameters.begin(), stage.parameters.end(), is_count) > 1)
    counts = counts.first(std::min(counts.size(), kFewCounts));
  std::vector<std::vector<Argument>> values;
  std::size_t ways = 1;
  for (const Parameter& parameter : stage.parameters) {
    values.push_back(values_of(parameter, counts));
    ways *= values.back().size();
  }
  for (std::size_t way = 0; way < std::min(ways, kMostCalls); ++way) {
    std::vector<Argument> arguments;
    std::size_t rest = way;
    for (const auto& some : values) {
      arguments.push_back(some[rest % some.size()]);
      rest /= some.size();
    }
    StageCall call{&stage, Arguments(std::move(arguments))};
    if (allows(call, m)) calls.push_back(std::move(call));
  }
}

}  // namespace

std::vector<std::size_t> suggested_counts(const TreeShape& shape, std::span<const Node> nodes) {
  // How many partial sums are below each node, and which of them is first.
  std::vector<std::size_t> number(shape.node_count(), 0);
  std::vector<std::size_t> first(shape.node_count(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    number[nodes[i]] = 1;
    first[nodes[i]] = i;
  }
  for (Node node = 0; node < shape.node_count(); ++node) {
    const Node above = shape.parent(node);
    if (above == TreeShape::kNone || number[node] == 0) continue;
    number[above] += number[node];
    first[above] = std::min(first[above], first[node]);
  }

  const std::size_t m = nodes.size();
  std::vector<std::size_t> counts;
  std::vector<std::size_t> further;
  const auto suggest = [m](std::vector<std::size_t>& list, std::size_t count) {
    if (count > 1 && count <= m && std::find(list.begin(), list.end(), count) == list.end()) list.push_back(count);
  };
  const auto suggest_size = [&](std::size_t size) {
    suggest(counts, size);
    for (const std::size_t count : {std::bit_ceil(size), (m + size - 1) / size, m / size}) suggest(further, count);
  };
  // Up from the first partial sum. What is added changes after the last of many that are added in turn, or of a tree.
  std::size_t last_number = 0;
  std::size_t last_first = 0;
  std::size_t last_step = 0;
  std::size_t changes = 0;
  for (Node node = nodes.front(); shape.parent(node) != TreeShape::kNone && changes < kMostChanges;) {
    const Node above = shape.parent(node);
    std::size_t beside_first = m;
    for (const Node child : shape.children(above))
      if (child != node) beside_first = std::min(beside_first, first[child]);
    const std::size_t beside_number = number[above] - number[node];
    const std::size_t step = beside_first - last_first;
    if (beside_number != last_number || step != last_step) {
      ++changes;
      suggest_size(number[node]);
      suggest(counts, beside_first);
      if (last_first > 0) suggest(counts, beside_first / last_first);
      suggest(further, 2 * beside_first);
    }
    last_number = beside_number;
    last_first = beside_first;
    last_step = step;
    node = above;
  }
  suggest_size(m);
  for (const std::size_t count : further) suggest(counts, count);
  return counts;
}

std::vector<StageCall> stage_calls(std::span<const std::size_t> counts, std::size_t m) {
  std::vector<StageCall> calls;
  for (const Stage* stage : stages())
    if (std::find(std::begin(kUntried), std::end(kUntried), stage->name) == std::end(kUntried))
      append_calls(*stage, counts, m, calls);
  return calls;
}

}  // namespace orderlab
