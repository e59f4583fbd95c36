// Arrays of NumPy as arrays that commands are given.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "cli/given_array.hpp"

namespace orderlab::python {

/// The array where it lies; it lives as long as the result. Expects what orderlab/_arrays.py gives: C order, aligned,
/// native byte order, not empty, of float64, float32, float16, int64, or of bfloat16 (as uint16, with `is_bfloat16`).
cli::GivenArray given_array(const pybind11::array& array, bool is_bfloat16);

/// Numbers as an array that owns them.
template <class T>
pybind11::array_t<T> array_of(std::vector<T> numbers) {
  auto* const owned = new std::vector<T>(std::move(numbers));
  const pybind11::capsule owner(owned, [](void* memory) { delete static_cast<std::vector<T>*>(memory); });
  pybind11::array_t<T> array(static_cast<pybind11::ssize_t>(owned->size()), owned->data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace orderlab::python
