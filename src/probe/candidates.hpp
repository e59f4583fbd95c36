// Orders that have the bits of a box on some random inputs.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"
#include "probe/replay.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// An order in formats, and others with the same tree.
struct Candidate {
  WrittenOrder order;
  Formats formats;
  std::vector<WrittenOrder> also;
};

/// Whether the order depends on the values.
bool sorts(const Order& order);

/// Whether a stage has one of these accumulators; that of Neumaier, which is as good as exact.
bool has_accumulator(const Order& order, std::initializer_list<std::string_view> names);
bool compensates(const Order& order);

/// Whether the order has the bits of the box on the first inputs; false where it cannot add so many terms.
bool has_bits(BoxReplay& replay, const Order& order, const Formats& formats, std::size_t inputs);

/// Orders that replay all inputs, in the same formats.
struct ReplayedOrders {
  std::vector<WrittenOrder> orders = {};
  Formats formats = {};  ///< formats of the first candidate

  void add_if_new(const WrittenOrder& order);

  /// Adds its orders, unless it has other formats than the first one.
  void add(const Candidate& candidate);
};

/// All orders that were tried, and those of them that are candidates.
class Candidates {
 public:
  static constexpr std::size_t kMatchedInputs = 3;  ///< random inputs whose bits make an order a candidate

  /// Tries the orders of the options, all hypotheses, and orders that sort, with additions in each of these formats.
  Candidates(AskedBox& box, BoxReplay& replay, const std::vector<Format>& accumulate, const ProbeOptions& options);

  const std::vector<Candidate>& all() const { return all_; }

  bool replays_all(const Candidate& candidate) const;

  /// Whether the bits of its answers are evidence for it among all that were tried: it replays all inputs, and none of
  /// so many orders would by chance.
  bool evident(const Candidate& candidate) const;

  /// The evident candidates among those with such an order.
  ReplayedOrders evident_ones(bool (*is_such)(const Order& order)) const;

 private:
  void try_order(const WrittenOrder& order, Format accumulate, const std::vector<WrittenOrder>& also);

  AskedBox& box_;
  BoxReplay& replay_;
  std::vector<Candidate> all_;
  std::vector<Candidate> tried_;
};

/// Pipelines that make the tree and replay all inputs, with additions in the first of these formats that has any.
ReplayedOrders orders_with_shape(AskedBox& box, BoxReplay& replay, const TreeShape& shape,
                                 const std::vector<Format>& accumulate);

}  // namespace orderlab
