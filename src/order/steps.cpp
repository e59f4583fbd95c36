#include "orderlab/steps.hpp"

#include <algorithm>
#include <string>

#include "core/overloaded.hpp"
#include "order/counts.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

std::size_t count_of(const Groups& g, std::size_t m) {
  if (g.first >= m || g.count == 0) return 0;
  const std::size_t begun = g.count == 1 ? 1 : std::min(g.count, ceil_div(m - g.first, g.stride));
  return (begun - 1) * g.width + std::min(g.width, m - g.first - (begun - 1) * g.stride);
}

std::size_t count_of(const steps::Fold& fold, std::size_t m) {
  const std::size_t whole = m / fold.tile;
  const std::size_t rest = m % fold.tile;
  const std::size_t blocks = std::min(whole, fold.blocks);
  const std::size_t left = blocks == 0 ? 0 : blocks * count_left(fold.initial, fold.tile);
  return left + (rest > 0 && whole < fold.blocks ? count_left(fold.rest, rest) : 0);
}

}  // namespace

std::size_t count_left(const Step& step, std::size_t m) {
  return std::visit(Overloaded{[&](const steps::Move&) { return m; }, [&](const steps::Round&) { return m; },
                               [&](const steps::In&) { return m; },
                               [&](const steps::Add& add) {
                                 std::size_t count = 0;
                                 for (const Groups& g : add.groups) count += count_of(g, m);
                                 return count;
                               },
                               [&](const steps::Within& within) {
                                 const std::size_t whole = within.whole(m);
                                 const std::size_t rest = m - whole * within.size;
                                 return (whole == 0 ? 0 : whole * count_left(within.full, within.size)) +
                                        (rest == 0 ? 0 : count_left(within.rest, rest));
                               },
                               [&](const steps::Split&) { return std::size_t{1}; },
                               [&](const steps::Fuse& fuse) { return (m - 1) / fuse.run + 1; },
                               [&](const steps::Fold& fold) { return count_of(fold, m); }},
                    step.is);
}

std::size_t count_left(const Steps& steps, std::size_t m) {
  for (const Step& step : steps) m = count_left(step, m);
  return m;
}

bool is_random(const Step& step) {
  if (const auto* add = std::get_if<steps::Add>(&step.is)) return add->how.random();
  const auto* move = std::get_if<steps::Move>(&step.is);
  if (move == nullptr) return false;
  return move->kind == steps::Move::Kind::uniform ||
         (move->kind == steps::Move::Kind::arrive && move->arrival.model->random);
}

bool is_uniform(const Step& step) {
  if (!is_random(step)) return false;
  const auto* move = std::get_if<steps::Move>(&step.is);
  if (move != nullptr) return move->kind == steps::Move::Kind::uniform || move->arrival.model->uniform;
  const auto queue = queue_of(step);
  return queue == nullptr || !queue->variation;
}

bool is_by_value(const Step& step) {
  const auto* move = std::get_if<steps::Move>(&step.is);
  return move != nullptr && move->kind == steps::Move::Kind::by_value;
}

bool is_uniform(const Steps& steps) {
  if (steps.size() == 1) return is_uniform(steps.front());
  const auto drawn = [](const Step& step) { return is_random(step); };
  return queue_of(steps.back()) != nullptr && is_uniform(steps.back()) &&
         std::none_of(steps.begin(), steps.end() - 1, drawn);
}

std::shared_ptr<const WorkQueue> queue_of(const Step& step) {
  const auto* add = std::get_if<steps::Add>(&step.is);
  return add == nullptr ? nullptr : add->how.queue;
}

bool changes_format(const Step& step) {
  return std::holds_alternative<steps::Round>(step.is) || std::holds_alternative<steps::In>(step.is);
}

AddFormat format_after(const Steps& steps, AddFormat before) {
  for (const Step& step : steps)
    if (const auto* in = std::get_if<steps::In>(&step.is)) before = {in->add, in->store};
  return before;
}

namespace steps {

Step add(Groups groups, Combination how) { return {Add{{std::move(groups)}, std::move(how)}}; }

Step add_runs(std::size_t k, Combination how) {
  return add({.count = Groups::kAll, .stride = k, .members = k}, std::move(how));
}

std::vector<std::size_t> part_sizes(std::size_t m, std::size_t most, Halves halves) {
  std::vector<std::size_t> sizes{m};  // sizes of ranges, each once
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t size = sizes[i];
    if (size <= most) {
      parts.push_back(size);
      continue;
    }
    for (const std::size_t part : {halves.left(size), size - halves.left(size)})
      if (std::find(sizes.begin(), sizes.end(), part) == sizes.end()) sizes.push_back(part);
  }
  return parts;
}

namespace detail {

void check_movable(std::size_t m) {
  if (m > std::size_t{1} << 32)
    throw Error(ErrorKind::unsupported,
                std::to_string(m) + " partial sums in a listed order: at most 2^32 can be listed");
}

Step move_in_order(std::vector<std::uint32_t> order) {
  return {
      Move{.kind = Move::Kind::given, .order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order))}};
}

}  // namespace detail

}  // namespace steps

}  // namespace orderlab
