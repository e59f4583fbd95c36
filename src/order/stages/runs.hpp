// Stages that add each run of k consecutive partial sums, the last one being shorter if need be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"

namespace orderlab {

/// Copies each run of `k` of `in` and calls tree(arithmetic, run), which leaves the run's sum at its front.
template <class A, class Tree>
void reduce_runs(std::size_t k, A& arith, const Input<A>& in, Output<A> out, Tree tree) {
  A local = arith;  // a copy the compiler can keep in registers: nothing else can point at it
  std::vector<typename A::Value> run(std::min(k, in.size()));
  for (std::size_t r = 0; r < out.size(); ++r) {
    const std::size_t present = std::min(k, in.size() - r * k);
    for (std::size_t i = 0; i < present; ++i) run[i] = in[r * k + i];
    tree(local, std::span(run).first(present));
    out[r] = run.front();
  }
  arith = local;
}

}  // namespace orderlab
