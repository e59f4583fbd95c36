// lanes: vectors of w lanes, u of them, are added lane by lane: the accumulators of an unrolled vector loop.
#include <limits>
#include <string>
#include <utility>

#include "order/left_to_right.hpp"
#include "order/rest.hpp"
#include "order/stages/halving.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kRowsInTurn = "seq";
constexpr std::string_view kRowsAsTree = "adjacent";
constexpr std::string_view kRowTrees[] = {kRowsInTurn, kRowsAsTree};
constexpr std::string_view kCarry = "carry";
constexpr std::string_view kLanesRestNames[] = {kRestNames[0], kRestNames[1], kCarry};
constexpr Parameter kLanesParameters[] = {
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "u", .kind = ParameterKind::count, .default_text = "", .low = 1},
    kAccumulateParameter,
    kFromParameter,
    {.name = "rest",
     .kind = ParameterKind::choice,
     .default_text = kRestParameter.default_text,
     .choices = kLanesRestNames,
     .keyword_only = true},
    {.name = "rows",
     .kind = ParameterKind::choice,
     .default_text = kRowsInTurn,
     .choices = kRowTrees,
     .keyword_only = true},
    {.name = "to", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true}};
constexpr std::size_t kLanesAcc = 2;
constexpr int kLanesFrom = 3;
constexpr std::size_t kLanesRest = 4;
constexpr std::size_t kLanesRows = 5;
constexpr std::size_t kLanesTo = 6;

// Each of `runs` runs becomes `left` sums: sum l is of every left-th member from l on.
Step add_lanes(std::size_t runs, std::size_t run, std::size_t left, const Combination& how, bool keep, std::size_t m) {
  Groups lanes{.count = Groups::kAll, .stride = run, .width = left, .step = left, .members = run / left};
  if (!keep) return steps::add(lanes, how);
  lanes.count = runs;
  return add_and_keep(lanes, how, runs * run, m).front();
}

// Adds the last of `sums` sums to the partial sum after it, if there are both.
Step carry(std::size_t sums, std::size_t m) {
  steps::Add step;
  const auto keep = [&](std::size_t first, std::size_t count, std::size_t place) {
    if (count > 0) step.groups.push_back({.first = first, .count = count, .stride = 1, .members = 1, .place = place});
  };
  if (sums == 0 || sums == m) {
    keep(0, m, 0);
  } else {
    keep(0, sums - 1, 0);
    step.groups.push_back({.first = sums - 1, .members = 2, .place = sums - 1});
    keep(sums + 1, m - sums - 1, sums);
  }
  return {std::move(step)};
}

Steps describe_lanes(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t w = arguments.count(0);
  const std::size_t run = w * arguments.count(1);
  const bool keep = arguments.choice(kLanesRest) != kRestParameter.default_text;
  Combination how = left_to_right(arguments, kLanesAcc, kLanesFrom);
  if (arguments.choice(kLanesRows) == kRowsAsTree) how.tree = Combination::Tree::neighbours;
  const Step rows = add_lanes(m / run, run, w, how, keep, m);
  if (!arguments.has(kLanesTo)) return {rows};
  const std::size_t to = arguments.count(kLanesTo);
  const Combination halves{.tree = Combination::Tree::halves, .width = w / to};
  const std::size_t left = count_left(rows, m);
  const Step columns = add_lanes(m / run, w, to, halves, keep, left);
  if (arguments.choice(kLanesRest) != kCarry) return {rows, columns};
  return {rows, columns, carry(m / run, count_left(columns, left))};
}

void check_lanes(const Arguments& arguments) {
  check_left_to_right(arguments, kLanesAcc, kLanesFrom, "lanes");
  check_rest(arguments, kLanesRest, left_to_right(arguments, kLanesAcc, kLanesFrom), "lanes");
  const std::uint64_t w = arguments.count(0);
  if (w > std::numeric_limits<std::uint32_t>::max() / arguments.count(1))
    throw Error(ErrorKind::usage, "lanes: w * u is too large (below 2^32)");
  const bool plain = arguments.choice(kLanesAcc) == "plain" && !arguments.has(static_cast<std::size_t>(kLanesFrom));
  if (arguments.choice(kLanesRows) == kRowsAsTree && !plain)
    throw Error(ErrorKind::usage,
                "lanes: rows=adjacent adds a tree, which has no accumulator; leave out acc= and from=");
  if (arguments.choice(kLanesRest) == kCarry && !(arguments.has(kLanesTo) && arguments.count(kLanesTo) == 1))
    throw Error(ErrorKind::usage, "lanes: rest=carry adds the one sum of a run to the rest; give to=1 as well");
  if (!arguments.has(kLanesTo)) return;
  check_power_of_two(w, "lanes: with to=, w = " + std::to_string(w));
  check_halving_to(arguments.count(kLanesTo), w, "lanes", "w");
}

}  // namespace

extern const Stage kLanes;
const Stage kLanes{
    .name = "lanes",
    .summary =
        "each run of u vectors of w lanes leaves one vector: lane l adds l, l+w, ..., l+(u-1)*w left to right, or "
        "neighbours first with rows=adjacent; to=j halves it until j lanes are left; rest=keep leaves a run shorter "
        "than w*u as it is; rest=carry also adds the last sum to the first of that run",
    .source = "accumulators of unrolled vector loops, as clang's",
    .parameters = kLanesParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_lanes,
    .describe = describe_lanes,
};

}  // namespace orderlab
