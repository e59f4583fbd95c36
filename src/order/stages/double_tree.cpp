// double_tree: NCCL's tree all-reduce, chains inside the hosts and one of two binary trees between them.
#include "order/stages/double_tree.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "order/counts.hpp"
#include "orderlab/order.hpp"

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

/// The additions of all hosts; the partial sums lie host by host, in each along its chain.
class Hosts {
 public:
  Hosts(std::size_t m, const Arguments& arguments)
      : m_(m),
        gpus_(std::min<std::size_t>(m, arguments.count(0))),
        hosts_(ceil_div(m, gpus_)),
        mirrored_or_shifted_(arguments.choice(1) != kNcclFirst),
        first_child_gpu_(arguments.choice(2) == kNcclOneGpu ? 0 : 1),
        second_child_gpu_(arguments.choice(2) == kNcclSplit ? 1 : 0) {}

  /// What the host at node `r` of the tree sends up: every GPU adds to its own what it receives, from its chain first.
  /// Returns the position of that sum.
  std::size_t send_up(std::size_t r) {
    const Children children(r, hosts_);
    const std::size_t begin = host_at(r) * gpus_;
    const std::size_t last = std::min(gpus_, m_ - begin) - 1;
    for (std::size_t gpu = last + 1; gpu-- > 0;) {
      const std::size_t own = begin + gpu;
      if (gpu != last) receive(own, own + 1);
      if (children.first && gpu == std::min(first_child_gpu_, last)) receive(own, send_up(*children.first));
      if (children.second && gpu == std::min(second_child_gpu_, last)) receive(own, send_up(*children.second));
    }
    return begin;
  }

  std::vector<Addition> take_additions() { return std::move(additions_); }

 private:
  void receive(std::size_t to, std::size_t from) {
    additions_.push_back({static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(from)});
  }

  // The second tree is the first one mirrored, or shifted by a host where their number is odd.
  std::size_t host_at(std::size_t r) const {
    if (!mirrored_or_shifted_) return r;
    return hosts_ % 2 == 0 ? hosts_ - 1 - r : (r + 1) % hosts_;
  }

  std::size_t m_;
  std::size_t gpus_;
  std::size_t hosts_;
  bool mirrored_or_shifted_;
  std::size_t first_child_gpu_;
  std::size_t second_child_gpu_;
  std::vector<Addition> additions_;
};

Steps describe_double_tree(const Arguments& arguments, std::size_t m, Format) {
  Hosts hosts(m, arguments);
  hosts.send_up(0);
  auto additions = std::make_shared<const std::vector<Addition>>(hosts.take_additions());
  return {steps::add({}, {.tree = Combination::Tree::given, .additions = std::move(additions)})};
}

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
    .describe = describe_double_tree,
};

}  // namespace orderlab
