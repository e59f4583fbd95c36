// Orders that have the bits of a box, until one of them is left.
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

/// Finds orders and writes those that replay all random inputs to `result`, whose accumulator it reads.
class Candidates {
 public:
  static constexpr std::size_t kMatchedInputs = 3;  ///< random inputs whose bits make an order a candidate

  Candidates(AskedBox& box, BoxReplay& replay, ProbedOrder& result) : box_(box), replay_(replay), result_(result) {}

  /// Tries the orders of the options, all hypotheses, and orders that sort.
  void match(const ProbeOptions& options);
  const std::vector<Candidate>& all() const { return all_; }

  /// Formats that additions of the measured precision may be done in, Kahan's sum included.
  std::vector<Format> accumulate_formats() const;

  /// The formats of terms, such additions and results.
  Formats formats_in(Format accumulate) const;

  /// Whether the order has the bits of the box on the first inputs; false where it cannot add so many terms.
  bool has_bits(const Candidate& candidate, std::size_t inputs);

  /// Takes its orders over to the result if it replays all inputs.
  void take(const Candidate& candidate);

  /// Takes candidates whose order is so, by their bits alone: they replay all inputs, and none of so many orders as
  /// were tried would by chance. Whether the result has an order now.
  template <class Is>
  bool take_by_bits(Is is) {
    for (const Candidate& candidate : all_)
      if (is(candidate.order.order) && evident(candidate)) take(candidate);
    return !result_.orders.empty();
  }

  /// Takes all candidates whatever their evidence is, as orders of one term have none.
  void take_all() {
    for (const Candidate& candidate : all_) take(candidate);
  }

  /// Whether the bits of its answers are evidence for it among all that were tried.
  bool evident(const Candidate& candidate);

  /// The same for pipelines that make the tree.
  bool take_names(const TreeShape& shape);

  /// Keeps orders, with another start where need be, that give the sign of a sum of zeros that are all negative.
  void fit_start();

 private:
  void add_if_new(const WrittenOrder& order);

  AskedBox& box_;
  BoxReplay& replay_;
  ProbedOrder& result_;
  std::vector<Candidate> all_;
  std::vector<Candidate> tried_;
};

}  // namespace orderlab
