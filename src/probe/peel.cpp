#include "probe/peel.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "probe/shape_arithmetic.hpp"
#include "probe/stage_calls.hpp"
#include "run/interpreter.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

constexpr std::size_t kMostStages = 6;
constexpr std::size_t kMostTried = 50'000;  // calls of stages

// The partial sums that are left, as nodes of the tree, and the stages that left them.
struct State {
  std::vector<Node> nodes;
  std::vector<StageCall> stages;
};

class Peeling {
 public:
  Peeling(const TreeShape& shape, Format accumulate, std::size_t most)
      : shape_(shape), accumulate_(accumulate), most_(most) {}

  std::vector<std::vector<StageCall>> run() {
    const auto top = shape_.children(shape_.root());
    ends_.assign(top.begin(), top.end());
    if (ends_.size() <= 2) ends_ = {shape_.root()};
    std::sort(ends_.begin(), ends_.end());
    std::vector<Node> leaves(shape_.leaf_count());
    for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = static_cast<Node>(i);
    std::vector<State> states{{std::move(leaves), {}}};
    seen_.insert(states.front().nodes);
    for (std::size_t depth = 0; depth < kMostStages && found_.empty() && !states.empty(); ++depth) {
      std::vector<State> next;
      for (const State& state : states) step(state, next);
      std::stable_sort(next.begin(), next.end(),
                       [](const State& a, const State& b) { return a.nodes.size() < b.nodes.size(); });
      states = std::move(next);
    }
    const auto arguments = [](const std::vector<StageCall>& stages) {
      const std::string text = Order({}, stages).expression();
      return std::count(text.begin(), text.end(), ',');
    };
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const auto& a, const auto& b) { return arguments(a) < arguments(b); });
    return std::move(found_);
  }

 private:
  void step(const State& state, std::vector<State>& next) {
    for (StageCall& call : stage_calls(suggested_counts(shape_, state.nodes), state.nodes.size())) {
      if (!state.stages.empty() && !call.stage->reduces) continue;  // moved in between: no name worth having
      if (++tried_ > kMostTried) return;
      std::optional<std::vector<Node>> left = taken_up(call, state.nodes);
      if (!left || *left == state.nodes) continue;
      State after{std::move(*left), state.stages};
      after.stages.push_back(std::move(call));
      if (ended(after.nodes)) {
        if (found_.size() < most_) found_.push_back(std::move(after.stages));
      } else if (seen_.insert(after.nodes).second) {
        next.push_back(std::move(after));
      }
    }
  }

  bool ended(std::vector<Node> nodes) const {
    if (nodes.size() != ends_.size()) return false;
    std::sort(nodes.begin(), nodes.end());
    return nodes == ends_;
  }

  // The nodes that the stage leaves of these; empty where it adds what the tree does not.
  std::optional<std::vector<Node>> taken_up(const StageCall& call, const std::vector<Node>& nodes) {
    try {
      const Steps steps = describe(call, nodes.size(), accumulate_);
      if (steps.empty() || begins_otherwise(steps.front(), nodes)) return std::nullopt;
      std::vector<Node> left(count_left(steps, nodes.size()));
      bool other = false;
      ShapeArithmetic arithmetic(shape_, other);
      Interpreter<ShapeArithmetic>(arithmetic, memory_, RandomStream(0, 0, 0))
          .run(steps, Input<ShapeArithmetic>(std::span<const Node>(nodes)), left);
      if (other) return std::nullopt;
      return left;
    } catch (const ShapeArithmetic::Other&) {
      return std::nullopt;
    }
  }

  // Whether the first addition of the step is not one of the tree, where that is seen at once: most calls end here.
  bool begins_otherwise(const Step& step, const std::vector<Node>& nodes) const {
    const auto* within = std::get_if<steps::Within>(&step.is);
    if (within != nullptr) {
      const Steps& inner = within->size <= nodes.size() ? within->full : within->rest;
      return !inner.empty() && begins_otherwise(inner.front(), nodes);
    }
    const auto* add = std::get_if<steps::Add>(&step.is);
    if (add == nullptr || add->how.tree != Combination::Tree::in_turn) return false;
    const Groups& groups = add->groups.front();
    const std::size_t second = groups.first + (groups.items > 1 ? groups.step : groups.pass);
    if (groups.members < 2 || second >= nodes.size()) return false;
    return shape_.parent(nodes[groups.first]) != shape_.parent(nodes[second]);
  }

  const TreeShape& shape_;
  Format accumulate_;
  std::size_t most_;
  StepMemory memory_;
  std::size_t tried_ = 0;
  std::set<std::vector<Node>> seen_;
  std::vector<Node> ends_;  // sorted
  std::vector<std::vector<StageCall>> found_;
};

}  // namespace

std::vector<std::vector<StageCall>> peel(const TreeShape& shape, Format accumulate, std::size_t most) {
  return Peeling(shape, accumulate, most).run();
}

}  // namespace orderlab
