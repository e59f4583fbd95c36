// The partial sums that a step reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "run/arithmetic.hpp"

namespace orderlab {

/// An array, or, for numbers with heights, terms that no step has touched yet.
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
      if (leaves_ != nullptr) return A::leaf(leaves_[i]);
    return values_[i];
  }

  /// At most `count` partial sums from `begin` on.
  Input part(std::size_t begin, std::size_t count) const {
    Input some = *this;
    some.size_ = std::min(count, size_ - begin);
    if (leaves_ != nullptr)
      some.leaves_ += begin;
    else
      some.values_ += begin;
    return some;
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
template <>
class Input<HeightsAlone> {
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

  Input part(std::size_t begin, std::size_t count) const {
    Input some = *this;
    some.size_ = std::min(count, size_ - begin);
    if (values_ != nullptr) some.values_ += begin;
    return some;
  }

  void copy_to(std::span<Value> out) const {
    for (std::size_t i = 0; i < size_; ++i) out[i] = (*this)[i];
  }

 private:
  const Value* values_;
  std::size_t size_;
  Value height_ = 0;
};

template <class A>
using Output = std::span<typename A::Value>;

}  // namespace orderlab
