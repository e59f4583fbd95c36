// double_tree: NCCL's tree all-reduce, chains inside the hosts and one of two binary trees between them.
#include "order/stages/double_tree.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"

namespace orderlab {

namespace {

constexpr Parameter kDoubleTreeParameters[] = {
    {.name = "gpus", .kind = ParameterKind::count, .default_text = "", .low = 1},
    kNcclTreeParameter,
    kNcclPatternParameter};

/// Children of node `r` of the binary tree over 0 .. nodes-1 that has its leaves at the odd numbers and 0 at the top.
struct Children {
  std::optional<std::size_t> first;
  std::optional<std::size_t> second;

  Children(std::size_t r, std::size_t nodes) {
    const std::size_t lowest_bit = r == 0 ? std::bit_ceil(nodes) : r & (~r + 1);
    std::size_t distance = lowest_bit / 2;
    if (r != 0 && distance != 0) first = r - distance;
    while (distance != 0 && distance >= nodes - r) distance /= 2;
    if (distance != 0) second = r + distance;
  }
};

/// The hosts at work; the partial sums lie host by host, in each along its chain.
template <class A>
class Hosts {
 public:
  using Value = typename A::Value;

  Hosts(A& arith, const Input<A>& in, const Arguments& arguments)
      : arith_(arith),
        in_(in),
        gpus_(std::min<std::size_t>(in.size(), arguments.count(0))),
        hosts_(ceil_div(in.size(), gpus_)),
        mirrored_or_shifted_(arguments.choice(1) != kNcclFirst),
        first_child_gpu_(arguments.choice(2) == kNcclOneGpu ? 0 : 1),
        second_child_gpu_(arguments.choice(2) == kNcclSplit ? 1 : 0) {}

  /// What the host at node `r` of the tree sends up: every GPU adds to its own what it receives, from its chain first.
  Value sum(std::size_t r) {
    const Children children(r, hosts_);
    const std::size_t begin = host_at(r) * gpus_;
    const std::size_t last = std::min(gpus_, in_.size() - begin) - 1;
    Value above{};
    for (std::size_t gpu = last + 1; gpu-- > 0;) {
      Value own = in_[begin + gpu];
      if (gpu != last) own = arith_.add(own, above);
      if (children.first && gpu == std::min(first_child_gpu_, last)) own = arith_.add(own, sum(*children.first));
      if (children.second && gpu == std::min(second_child_gpu_, last)) own = arith_.add(own, sum(*children.second));
      above = own;
    }
    return above;
  }

 private:
  // The second tree is the first one mirrored, or shifted by a host where their number is odd.
  std::size_t host_at(std::size_t r) const {
    if (!mirrored_or_shifted_) return r;
    return hosts_ % 2 == 0 ? hosts_ - 1 - r : (r + 1) % hosts_;
  }

  A& arith_;
  const Input<A>& in_;
  std::size_t gpus_;
  std::size_t hosts_;
  bool mirrored_or_shifted_;
  std::size_t first_child_gpu_;
  std::size_t second_child_gpu_;
};

struct DoubleTree {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    out[0] = Hosts<A>(arith, in, context.arguments).sum(0);
  }
};

}  // namespace

extern const Stage kDoubleTree;
const Stage kDoubleTree{
    .name = "double_tree",
    .summary =
        "each run of `gpus` is a host, added from its end to its front; between hosts a binary tree, the first or the "
        "second of NCCL's two; child hosts send to positions 1 and 0 (balanced), 1 and 1 (split), 0 and 0 (tree)",
    .source = "NCCL, src/graph/trees.cc and connect.cc, src/device/all_reduce.h",
    .parameters = kDoubleTreeParameters,
    .reduces = true,
    .guarantee = Guarantee::run_to_run,
    .count = [](const Arguments&, std::size_t, Format) { return std::size_t{1}; },
    .code = &kReduceCode<DoubleTree>,
};

}  // namespace orderlab
