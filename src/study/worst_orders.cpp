#include "study/worst_orders.hpp"

#include <utility>
#include <vector>

#include "orderlab/error.hpp"

namespace orderlab::study {

namespace {

StageCall plain_call(std::string_view name) { return parse_order(name).stages().front(); }

}  // namespace

Order shuffled_form(const Order& order) {
  const std::string what = "order " + order.expression() + ": ";
  if (!order.random())
    throw Error(ErrorKind::usage, what + "is fixed, so no order of it is worse; `orderlab sum` gives its one result");
  std::vector<StageCall> stages = order.stages();
  const std::size_t first = order.first_random();
  const auto quoted = [&](std::size_t i) { return "`" + std::string(stages[i].stage->name) + "`"; };
  for (const StageCall& call : stages)
    if (is_queue(call))
      throw Error(ErrorKind::usage, what + "`" + std::string(call.stage->name) +
                                        "` draws who adds which chunk, which worst cannot search; `orderlab enumerate` "
                                        "lists all results of few chunks");
  if (stages[first].stage->reduces)
    throw Error(ErrorKind::usage, what + quoted(first) +
                                      " draws trees over partial sums in fixed places, which worst cannot search; put "
                                      "`shuffle |` before it");
  for (std::size_t i = first + 1; i < stages.size(); ++i)
    if (is_random(stages[i]) && !(i == first + 1 && i + 1 == stages.size() && stages[i].stage->reduces))
      throw Error(ErrorKind::usage, what + quoted(i) + " is a second random stage after " + quoted(first) +
                                        "; worst permutes what one random stage arranges");
  stages[first] = plain_call("shuffle");
  return {{}, std::move(stages)};
}

bool ends_with_tree(const Order& order) {
  return order.stages().back().stage->reduces && is_random(order.stages().back());
}

Order sequential_form(const Order& shuffled) {
  std::vector<StageCall> stages = shuffled.stages();
  stages.back() = plain_call("seq");
  return {{}, std::move(stages)};
}

std::string coverage_of(const Order& order, bool sequences_for_trees) {
  if (sequences_for_trees) return "Of the trees, only sequences were searched; other trees may lie beyond.";
  if (is_uniform(order.stages()[order.first_random()])) return {};
  return "Any permutation was allowed; the arrival model of this order may never draw these.";
}

}  // namespace orderlab::study
