// The terms of a sum as everything below the file and generator code sees them.
#pragma once

#include <cstddef>

#include "orderlab/format.hpp"

namespace orderlab {

/// Where number i of an array of `format` is; null of null.
inline const void* number_at(Format format, const void* data, std::size_t i) {
  const std::size_t bytes = i * info(format).held_bytes();
  return data == nullptr ? nullptr : static_cast<const std::byte*>(data) + bytes;
}

/// The product x * y, not evaluated.
struct Factors {
  double x;
  double y;
};

/// n numbers of `format` at `x`, or n unevaluated products x[i] * y[i] where `y` is not null. Owns nothing.
struct TermView {
  Format format = Format::fp64;
  std::size_t n = 0;
  const void* x = nullptr;
  const void* y = nullptr;

  bool products() const { return y != nullptr; }

  /// Terms begin, ..., begin + count - 1.
  TermView part(std::size_t begin, std::size_t count) const {
    return {format, count, number_at(format, x, begin), number_at(format, y, begin)};
  }

  /// Factor i of every term, as doubles (exact): x[i], and y[i] or 1.
  double left(std::size_t i) const { return load(x, i); }
  double right(std::size_t i) const { return y == nullptr ? 1.0 : load(y, i); }

 private:
  double load(const void* data, std::size_t i) const {
    return with_type_of(format, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      return static_cast<double>(static_cast<const T*>(data)[i]);
    });
  }
};

/// A view of an array of double, float, Half or Bfloat16.
template <class T>
TermView view_of(const T* x, std::size_t n, const T* y = nullptr) {
  return {kFormatOf<T>, n, x, y};
}

}  // namespace orderlab
