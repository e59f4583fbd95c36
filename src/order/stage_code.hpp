// How a stage's templates become functions: one for every meaning of arithmetic.hpp. A stage file writes
//   struct CubRake { template <class A> static void reduce(const StageContext&, A&, Input<A>, std::span<...> out); };
// and hands kReduceCode<CubRake> to its Stage; a static `unit` is StageCode::unit. Arranging stages have `arrange` and
// kArrangeCode, and those that add groups kGroupCode (grouped.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "order/arithmetic.hpp"
#include "order/height_runs.hpp"
#include "order/heights_alone.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/stage.hpp"

namespace orderlab {

/// Memory of one thread for what a stage needs besides its partial sums; it only grows, so samples after the first
/// allocate nothing.
class StageMemory {
 public:
  static constexpr std::size_t kArrays = 3;

  /// `count` objects of arbitrary value, until array `which` < kArrays is asked for again.
  template <class T>
  std::span<T> array(std::size_t which, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    Block& block = blocks_[which];
    const std::size_t bytes = count * sizeof(T);
    if (block.size < bytes) block = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
    return {reinterpret_cast<T*>(block.data.get()), count};
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t size = 0;
  };
  std::array<Block, kArrays> blocks_;
};

/// Arguments of the call, the random stream of this stage in this sample, and memory.
struct StageContext {
  const Arguments& arguments;
  RandomStream stream;
  StageMemory& memory;
};

/// The partial sums that a stage reads: an array, or, for tagged values, terms that no stage has touched yet.
template <class A>
class Input {
 public:
  using Value = typename A::Value;
  using Number = typename A::Number;

  explicit Input(std::span<const Value> values) : values_(values.data()), size_(values.size()) {}

  static Input of_leaves(std::span<const Number> leaves) {
    if constexpr (A::kTagged) {
      Input input{std::span<const Value>()};
      input.leaves_ = leaves.data();
      input.size_ = leaves.size();
      return input;
    } else {
      return Input(leaves);
    }
  }

  /// The values where they lie one after the other.
  std::span<const Value> values() const { return {values_, size_}; }

  std::size_t size() const { return size_; }

  /// Whether these begin at `values`.
  bool begins(const Value* values) const { return values_ == values; }

  Value operator[](std::size_t i) const {
    if constexpr (A::kTagged)
      if (leaves_ != nullptr) return Value{leaves_[i], {}};
    return values_[i];
  }

  /// Copies all partial sums to `out`.
  void copy_to(std::span<Value> out) const {
    if (leaves_ == nullptr)
      std::copy_n(values_, size_, out.begin());
    else
      for (std::size_t i = 0; i < size_; ++i) out[i] = (*this)[i];
  }

 private:
  const Value* values_;
  const Number* leaves_ = nullptr;
  std::size_t size_;
};

/// Heights are mostly all equal, and then not stored.
template <class F>
class Input<HeightsAlone<F>> {
 public:
  using Value = std::uint64_t;

  explicit Input(std::span<const Value> values) : values_(values.data()), size_(values.size()) {}
  static Input of_equal(std::size_t size, Value height) {
    Input input{std::span<const Value>()};
    input.size_ = size;
    input.height_ = height;
    return input;
  }

  std::size_t size() const { return size_; }
  Value operator[](std::size_t i) const { return values_ == nullptr ? height_ : values_[i]; }

 private:
  const Value* values_;
  std::size_t size_;
  Value height_ = 0;
};

template <class A>
using Output = std::span<typename A::Value>;

template <class A>
using ReduceFunction = void (*)(const StageContext&, A&, Input<A>, Output<A>);
template <class A>
using ArrangeFunction = void (*)(const StageContext&, Input<A>, Output<A>);

namespace detail {

template <class... A>
struct Meanings {
  using Reduce = std::tuple<ReduceFunction<A>...>;
  using Arrange = std::tuple<ArrangeFunction<A>...>;
  template <class S>
  static constexpr Reduce reduce() {
    return {&S::template reduce<A>...};
  }
  template <class S>
  static constexpr Arrange arrange() {
    return {&S::template arrange<A>...};
  }
};

using AllMeanings =
    Meanings<Floats<double>, Floats<float>, Floats<Half>, Floats<Bfloat16>,                                          //
             Floats<Product<double>>, Floats<Product<float>>, Floats<Product<Half>>, Floats<Product<Bfloat16>>,      //
             Heights<double>, Heights<float>, Heights<Half>, Heights<Bfloat16>,                                      //
             Heights<Product<double>>, Heights<Product<float>>, Heights<Product<Half>>, Heights<Product<Bfloat16>>,  //
             Symbolic<double>, Symbolic<float>, Symbolic<Half>, Symbolic<Bfloat16>,                                  //
             Symbolic<Product<double>>, Symbolic<Product<float>>, Symbolic<Product<Half>>, Symbolic<Product<Bfloat16>>>;

}  // namespace detail

/// The functions of one stage. For a reducing stage `heights` gives the heights of its results, sums of a format; an
/// arranging stage has only `arrange`.
struct StageCode {
  detail::AllMeanings::Reduce reduce{};
  detail::AllMeanings::Arrange arrange{};
  HeightRuns (*heights)(const StageContext&, Format, std::size_t left, const HeightRuns& in) = nullptr;

  /// How the stage adds m partial sums if it is one group from left to right: the last stage of several samples can
  /// then be evaluated together (row_sums.hpp). Null: it never is.
  std::optional<LeftToRight> (*one_group)(const Arguments& arguments, std::size_t m) = nullptr;

  /// Number of partial sums, of m, that can be reduced on their own: splitting the input into consecutive parts, all
  /// but the last of a multiple of this length, gives consecutive parts of the output (in_parts.hpp). 0 or null: none.
  std::size_t (*unit)(const Arguments& arguments, std::size_t m, Format accumulate) = nullptr;
};

/// Heights as the stage's own `reduce` finds them, one by one.
template <class S>
HeightRuns heights_one_by_one(const StageContext& context, Format format, std::size_t left, const HeightRuns& in) {
  const std::vector<std::uint64_t> heights = in.all_equal() ? std::vector<std::uint64_t>() : in.one_by_one();
  std::vector<std::uint64_t> out(left);
  with_type_of(format, [&](auto* type) {
    using A = HeightsAlone<std::remove_pointer_t<decltype(type)>>;
    A arith;
    const auto input = in.all_equal() ? Input<A>::of_equal(in.size(), in.first()) : Input<A>(heights);
    S::template reduce<A>(context, arith, input, out);
  });
  HeightRuns runs;
  for (const std::uint64_t height : out) runs.append(1, height);
  return runs;
}

/// S::unit where S has one.
template <class S>
constexpr auto unit_of() -> decltype(StageCode::unit) {
  if constexpr (requires { &S::unit; })
    return &S::unit;
  else
    return nullptr;
}

template <class S>
inline constexpr StageCode kReduceCode{
    .reduce = detail::AllMeanings::reduce<S>(), .heights = heights_one_by_one<S>, .unit = unit_of<S>()};
template <class S>
inline constexpr StageCode kArrangeCode{.arrange = detail::AllMeanings::arrange<S>()};

}  // namespace orderlab
