// What steps mean: the definition of every order, for every meaning of arithmetic.hpp. Whatever else runs steps faster
// (fast_paths.hpp) is tested bit for bit against this.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/overloaded.hpp"
#include "core/stop.hpp"
#include "order/counts.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/steps.hpp"
#include "run/blocks.hpp"
#include "run/group_trees.hpp"
#include "run/input.hpp"
#include "run/plan_steps.hpp"
#include "run/plane_tree.hpp"
#include "run/step_memory.hpp"
#include "run/work_queue.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {

template <class A>
class Interpreter {
 public:
  using Value = typename A::Value;

  /// Draws come from `stream`.
  Interpreter(A& arith, StepMemory& memory, const RandomStream& stream)
      : arith_(arith), memory_(memory), stream_(stream) {}

  /// Shape: out.size() == count_left(step, in.size()).
  void run(const Step& step, const Input<A>& in, Output<A> out) {
    std::visit(Overloaded{[&](const steps::Move& move) { run(move, in, out); },  //
                          [&](const steps::Add& add) { run(add, in, out, false); },
                          [&](const steps::Within& within) { run(within, in, out); },
                          [&](const steps::Split& split) { run(split, in, out); },
                          [&](const steps::Fold& fold) { run(fold, in, out); },
                          [&](const steps::Fuse& fuse) { run(fuse, in, out); },
                          [&](const steps::Round& round) { run(round, in, out); },
                          [&](const steps::In&) { in.copy_to(out); }},  // whoever runs the steps after it knows
               step.is);
  }

  void run(const Steps& steps, Input<A> in, Output<A> out) {
    if (steps.size() == 1) return run(steps.front(), in, out);
    std::vector<Value> held;  // what the step before left
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      std::vector<Value> left = take(count_left(steps[i], in.size()));
      run(steps[i], in, left);
      if (i > 0) give_back(std::move(held));
      held = std::move(left);
      in = Input<A>(std::span<const Value>(held));
    }
    run(steps.back(), in, out);
    give_back(std::move(held));
  }

  /// The groups of `g`. If `kept`, out holds sums that come before the members of their groups.
  template <class Tree>
  void add_groups(const Groups& g, Tree tree, const Input<A>& in, Output<A> out, bool kept) {
    if (g.abreast && !kept) return add_abreast(g, in, out);
    A local = arith_;  // a copy the compiler can keep in registers: nothing else can point at it
    StopCounter stop;
    for (std::size_t p = 0; p < g.count && g.first + p * g.stride < in.size(); ++p) {
      const std::size_t begin = g.first + p * g.stride;
      const std::size_t width = std::min(g.width, in.size() - begin);
      for (std::size_t l = 0; l < width; ++l) {
        stop.step();
        Value& sum = out[g.place + p * g.width + l];
        const std::size_t count = count_members(g, begin + l, in.size());
        Position at(g, begin + l);
        const auto next = [&] { return in[at.next()]; };
        if (!kept) {
          sum = sum_of_group(local, tree, count, next);
        } else {
          bool first = true;
          sum = sum_of_group(local, tree, 1 + count, [&] { return std::exchange(first, false) ? sum : next(); });
        }
      }
    }
    arith_ = local;
  }

 private:
  /// Where the members of a group are.
  class Position {
   public:
    Position(const Groups& g, std::size_t first) : groups_(g), pass_(first), at_(first) {}

    std::size_t next() {
      const std::size_t now = at_;
      at_ += groups_.step;
      if (++item_ == groups_.items) {
        item_ = 0;
        at_ = pass_ += groups_.pass;
      }
      return now;
    }

   private:
    const Groups& groups_;
    std::size_t pass_;
    std::size_t at_;
    std::size_t item_ = 0;
  };

  // How many members the group has whose first one is at `first` < m.
  static std::size_t count_members(const Groups& g, std::size_t first, std::size_t m) {
    if (g.items == Groups::kAll) return std::min(g.members, ceil_div(m - first, g.step));
    const std::size_t passes = (m - first) / g.pass;
    const std::size_t last = first + passes * g.pass;
    return std::min(g.members, passes * g.items + (last < m ? std::min(g.items, ceil_div(m - last, g.step)) : 0));
  }

  template <class Tree, class Next>
  Value sum_of_group(A& arith, Tree tree, std::size_t count, Next next) {
    if constexpr (kInTurn<Tree>) {
      return add_in_turn(arith, tree, count, next);
    } else {
      members_.resize(count);
      for (Value& member : members_) member = next();
      tree(arith, std::span(members_));
      return members_.front();
    }
  }

  // Plain sums from the first member on, as lanes do it.
  void add_abreast(const Groups& g, const Input<A>& in, Output<A> out) {
    for (std::size_t p = 0; p < g.count; ++p) {
      const std::size_t begin = g.first + p * g.stride;
      const Output<A> sums = out.subspan(g.place + p * g.width, g.width);
      for (std::size_t l = 0; l < g.width; ++l) sums[l] = in[begin + l];
      StopCounter stop;
      for (std::size_t i = 1; i < g.members; ++i, stop.step())
        for (std::size_t l = 0; l < g.width; ++l) sums[l] = arith_.add(sums[l], in[begin + i * g.step + l]);
    }
  }

  void run(const steps::Add& add, const Input<A>& in, Output<A> out, bool kept) {
    if (add.how.tree == Combination::Tree::drawn) {
      out[0] = in.size() >> 30 == 0 ? sum_of_drawn<std::uint32_t>(in) : sum_of_drawn<std::uint64_t>(in);
      return;
    }
    if (add.how.tree == Combination::Tree::queued) {
      out[0] = sum_of_queued(*add.how.queue, in);
      return;
    }
    with_tree(add.how, [&](auto tree) {
      for (const Groups& g : add.groups) add_groups(g, tree, in, out, kept);
    });
  }

  template <class Index>
  Value sum_of_drawn(const Input<A>& in) {
    PlaneTree<Index> shape(in.size(), stream_, memory_);
    if constexpr (!A::kTagged && requires { in.values(); }) {
      return shape.sum(in.values(), arith_);
    } else {
      const auto leaves = memory_.template array<Value>(3, in.size());
      in.copy_to(leaves);
      return shape.sum(std::span<const Value>(leaves), arith_);
    }
  }

  // A worker without a run would add +0.0, which changes nothing.
  Value sum_of_queued(const WorkQueue& queue, const Input<A>& in) {
    const std::vector<std::uint32_t> takers = draw_takers(queue, in.size(), stream_);
    std::vector<std::optional<Value>> sums(queue.workers);  // in the order in which workers finish
    A local = arith_;                                       // as in add_groups
    std::size_t at = 0;
    StopCounter stop;
    for (std::size_t i = 0; i < takers.size(); ++i) {
      const std::size_t end = queue.end_of(i, at, in.size());
      std::optional<Value>& kept = sums[takers[i]];
      Value sum = kept ? local.add(*kept, in[at]) : local.start(in[at]);
      for (++at; at < end; ++at, stop.step()) sum = local.add(sum, in[at]);
      kept = sum;
    }
    std::optional<Value> total;
    for (const std::optional<Value>& sum : sums)
      if (sum) total = total ? local.add(*total, *sum) : local.start(*sum);
    arith_ = local;
    return *total;
  }

  void run(const steps::Within& within, const Input<A>& in, Output<A> out) {
    const std::size_t end = within.whole(in.size()) * within.size;
    std::size_t done = 0;
    const auto run_piece = [&](const Steps& steps, const Input<A>& piece) {
      stop_point();
      const std::size_t left = count_left(steps, piece.size());
      run(steps, piece, out.subspan(done, left));
      done += left;
    };
    for (std::size_t begin = 0; begin < end; begin += within.size) run_piece(within.full, in.part(begin, within.size));
    if (end < in.size()) run_piece(within.rest, in.part(end, in.size() - end));
  }

  void run(const steps::Split& split, const Input<A>& in, Output<A> out) {
    std::size_t begin = 0;
    const auto sum_of_part = [&](std::size_t size) {
      stop_point();
      Value sum;
      run(split.steps_of(size), in.part(begin, size), {&sum, 1});
      begin += size;
      return sum;
    };
    StopCounter stop;
    const auto sum_in_turn = [&, how = parts_in_turn(split)](std::size_t size) {
      stop.step();
      return add_in_turn(arith_, {how->accumulate, how->from_zero}, size, [&] { return in[begin++]; });
    };
    if (parts_in_turn(split) == nullptr)
      out[0] = add_blocks(arith_, in.size(), split.most, split.halves, sum_of_part);
    else
      out[0] = add_blocks(arith_, in.size(), split.most, split.halves, sum_in_turn);  // the same, sooner
  }

  void run(const steps::Fold& fold, const Input<A>& in, Output<A> out) {
    const std::size_t blocks = std::min(fold.blocks, ceil_div(in.size(), fold.tile));
    const std::size_t width = in.size() < fold.tile ? out.size() : count_left(fold.initial, fold.tile);
    for (std::size_t block = 0; block < blocks; ++block) {
      const Output<A> sums = out.subspan(block * width, std::min(width, out.size() - block * width));
      bool kept = false;
      for (std::size_t begin = block * fold.tile; begin < in.size(); begin += blocks * fold.tile) {
        stop_point();
        const Input<A> tile = in.part(begin, fold.tile);
        const Steps& steps = tile.size() < fold.tile       ? fold.rest
                             : kept && !fold.later.empty() ? fold.later
                                                           : fold.initial;
        if (fold.join == steps::Fold::Join::first)
          run(std::get<steps::Add>(steps.front().is), tile, sums, kept);
        else
          sums[0] = fold.wide ? joined_wide(steps, tile, kept ? &sums[0] : nullptr)
                              : joined(steps, tile, kept ? &sums[0] : nullptr);
        kept = true;
      }
    }
  }

  void run(const steps::Fuse& fuse, const Input<A>& in, Output<A> out) {
    std::size_t at = 0;
    for (Value& sum : out) {
      stop_point();
      sum = arith_.fused(fuse.unit, std::min(fuse.run, in.size() - at), [&] { return in[at++]; });
    }
  }

  Value joined(const Steps& steps, const Input<A>& tile, const Value* kept) {
    Value sum;
    run(steps, tile, {&sum, 1});
    return kept == nullptr ? arith_.start(sum) : arith_.add(*kept, sum);
  }

  Value joined_wide(const Steps& steps, const Input<A>& tile, const Value* kept) {
    using Wide = typename A::Wide;
    std::vector<typename Wide::Value> widened(tile.size());
    for (std::size_t i = 0; i < tile.size(); ++i) widened[i] = A::widen(tile[i]);
    Wide wide = arith_.widened();
    const typename Wide::Value* total = nullptr;
    typename Wide::Value before;
    if (kept != nullptr) total = &(before = A::widen(*kept));
    const auto sum = Interpreter<Wide>(wide, memory_, stream_)
                         .joined(steps, Input<Wide>(std::span<const typename Wide::Value>(widened)), total);
    arith_.absorb(wide);
    return arith_.narrow(sum);
  }

  void run(const steps::Move& move, const Input<A>& in, Output<A> out) {
    switch (move.kind) {
      case steps::Move::Kind::rotate:
        return rotate(move, in, out);
      case steps::Move::Kind::given:
        return take_in_order(*move.order, in, out);
      case steps::Move::Kind::by_value:
        return sort(move, in, out);
      case steps::Move::Kind::arrive:
        if (!move.arrival.model->uniform) {
          const auto order = memory_.array<std::uint32_t>(0, in.size());
          move.arrival.model->draw(*move.arrival.arguments, stream_, order);
          return take_in_order(order, in, out);
        }
        [[fallthrough]];  // the same permutation without its indices
      case steps::Move::Kind::uniform:
        in.copy_to(out);
        shuffle_values(out, stream_);
    }
  }

  // Numbers of one type are in plans that change no format; heights and shapes do not change by rounding.
  void run(const steps::Round& round, const Input<A>& in, Output<A> out) {
    in.copy_to(out);
    if constexpr (requires(Value v) { arith_.rounded_to(v, round.format); })
      for (Value& value : out) value = arith_.rounded_to(value, round.format);
  }

  static void rotate(const steps::Move& move, const Input<A>& in, Output<A> out) {
    std::size_t i = move.start;
    StopCounter stop;
    for (Value& value : out) {
      stop.step();
      value = in[i];
      if (move.backwards)
        i = (i == 0 ? in.size() : i) - 1;
      else
        i = i + 1 == in.size() ? 0 : i + 1;
    }
  }

  static void take_in_order(std::span<const std::uint32_t> order, const Input<A>& in, Output<A> out) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      stop_point_at(k);
      out[k] = in[order[k]];
    }
  }

  void sort(const steps::Move& move, const Input<A>& in, Output<A> out) {
    const auto rank = [&](const Value& value) {
      const auto number = move.by_magnitude ? magnitude_of(arith_.rank(value)) : arith_.rank(value);
      return move.descending ? -number : number;
    };
    in.copy_to(out);
    StopCounter stop;
    std::stable_sort(out.begin(), out.end(), [&](const Value& a, const Value& b) {
      stop.step();
      const auto x = rank(a);
      const auto y = rank(b);
      const bool y_is_nan = !(y == y);
      return y_is_nan ? x == x : x < y;
    });
  }

  std::vector<Value> take(std::size_t size) {
    std::vector<Value> buffer;
    if (!spare_.empty()) {
      buffer = std::move(spare_.back());
      spare_.pop_back();
    }
    buffer.resize(size);
    return buffer;
  }
  void give_back(std::vector<Value> buffer) { spare_.push_back(std::move(buffer)); }

  template <class>
  friend class Interpreter;

  A& arith_;
  StepMemory& memory_;
  RandomStream stream_;
  std::vector<Value> members_;             ///< members of the group that is being added
  std::vector<std::vector<Value>> spare_;  ///< buffers for what steps leave inside others
};

}  // namespace orderlab
