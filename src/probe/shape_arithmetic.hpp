// Nodes of a known tree as what an order adds.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "probe/tree_shape.hpp"
#include "run/arithmetic.hpp"

namespace orderlab {

/// A meaning of steps, as those in run/arithmetic.hpp: the sum of two nodes is the node above both, and kNone where the
/// tree has none; where that is once so, `other` is true. In a large tree it throws Other then.
class ShapeArithmetic {
 public:
  using Number = TreeShape::Node;
  using Value = TreeShape::Node;
  using Wide = ShapeArithmetic;
  static constexpr bool kTagged = false;

  struct Other {};

  /// `other` outlives it.
  ShapeArithmetic(const TreeShape& shape, bool& other) : shape_(&shape), other_(&other) {}

  static double rank(Value) { return 0; }  // unreachable: what sorts is not tried

  Value add(Value a, Value b) const {
    if (a == TreeShape::kNone || b == TreeShape::kNone) return TreeShape::kNone;
    const Value above = shape_->parent(a);
    if (above != TreeShape::kNone && above == shape_->parent(b) && shape_->children(above).size() == 2) return above;
    *other_ = true;
    if (shape_->leaf_count() > kLarge) throw Other{};
    return TreeShape::kNone;
  }
  Value add_ftz(Value a, Value b) const { return add(a, b); }
  static Value start(Value a) { return a; }
  static Value start_ftz(Value a) { return a; }

  template <class Next>
  Value group(Accumulate, bool, std::size_t count, Next next) const {
    Value sum = next();
    for (std::size_t i = 1; i < count; ++i) sum = add(sum, next());
    return sum;
  }

  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>&, std::size_t count, Next next) const {
    return group(Accumulate::fma, true, count, next);
  }

  Wide widened() const { return *this; }
  static Value widen(Value v) { return v; }
  static Value narrow(Value v) { return v; }
  static void absorb(const Wide&) {}

 private:
  static constexpr std::size_t kLarge = 2000;  // leaves for which it takes less time to throw than to go on

  const TreeShape* shape_;
  bool* other_;
};

}  // namespace orderlab
