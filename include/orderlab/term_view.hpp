// The terms of a sum as everything below the file and generator code sees them.
#pragma once

#include <cstddef>

#include "orderlab/format.hpp"

namespace orderlab {

/// n numbers of `format` at `x`, or n unevaluated products x[i] * y[i] where `y` is not null. Owns nothing.
struct TermView {
  Format format = Format::fp64;
  std::size_t n = 0;
  const void* x = nullptr;
  const void* y = nullptr;

  bool products() const { return y != nullptr; }

  /// Terms begin, ..., begin + count - 1.
  TermView part(std::size_t begin, std::size_t count) const {
    const auto skip = [&](const void* data) -> const void* {
      constexpr std::size_t kByte = 8;
      const std::size_t bytes = begin * static_cast<std::size_t>(info(format).bits) / kByte;
      return data == nullptr ? nullptr : static_cast<const std::byte*>(data) + bytes;
    };
    return {format, count, skip(x), skip(y)};
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
