// Additions written down instead of done, so that they can be done in rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/steps.hpp"
#include "run/rows.hpp"

namespace orderlab {

/// A meaning of steps, as those of arithmetic.hpp: a partial sum is the row that holds it. What is more than plain
/// additions is not written down; plain() says whether there was any.
class Recorder {
 public:
  struct Value {
    std::uint16_t row;
  };
  using Number = Value;
  using Wide = Recorder;
  static constexpr bool kTagged = false;

  /// Appends to `program` the additions of numbers of `format`.
  Recorder(RowProgram& program, Format format) : program_(&program), format_(format) {}

  bool plain() const { return plain_; }

  Value add(Value a, Value b) {
    program_->additions.push_back({a.row, b.row});
    ++program_->roundings;
    return a;
  }
  Value start(Value a) {
    program_->additions.push_back({a.row, RowAddition::kZero});
    return a;
  }

  /// In fp32 they flush. Every such sum begins with start_ftz.
  Value start_ftz(Value a) { return format_ == Format::fp32 ? not_plain(a) : start(a); }
  Value add_ftz(Value a, Value b) { return add(a, b); }

  double rank(Value) {
    plain_ = false;
    return 0;
  }

  template <class Next>
  Value group(Accumulate, bool, std::size_t count, Next next) {
    for (std::size_t i = 1; i < count; ++i) next();
    return not_plain(next());
  }

  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>&, std::size_t count, Next next) {
    return group(Accumulate::fma, true, count, next);
  }

  Wide widened() const { return *this; }
  static Value widen(Value v) { return v; }
  Value narrow(Value v) { return not_plain(v); }
  static void absorb(const Wide&) {}

 private:
  Value not_plain(Value v) {
    plain_ = false;
    return v;
  }

  RowProgram* program_;
  Format format_;
  bool plain_ = true;
};

/// Rows 0, 1, ..., `members` - 1.
inline std::vector<Recorder::Value> recorded_rows(std::size_t members) {
  std::vector<Recorder::Value> rows(members);
  for (std::size_t i = 0; i < members; ++i) rows[i].row = static_cast<std::uint16_t>(i);
  return rows;
}

/// The additions of a tree over `members`.
template <class Tree>
RowProgram program_of(std::size_t members, Tree tree) {
  RowProgram program;
  program.additions.reserve(members);
  Recorder recorder(program, Format::fp64);
  auto rows = recorded_rows(members);
  tree(recorder, std::span(rows));
  program.sum = rows.front().row;
  return program;
}

}  // namespace orderlab
