#include "python/core/arrays.hpp"

#include <optional>

namespace py = pybind11;

namespace orderlab::python {

namespace {

std::optional<Format> format_of(const py::dtype& type, bool is_bfloat16) {
  if (is_bfloat16) return Format::bf16;
  if (type.kind() == 'i') return std::nullopt;
  return type.itemsize() == 8 ? Format::fp64 : type.itemsize() == 4 ? Format::fp32 : Format::fp16;
}

}  // namespace

cli::GivenArray given_array(const py::array& array, bool is_bfloat16) {
  cli::GivenArray given{format_of(array.dtype(), is_bfloat16), {}, nullptr};
  for (py::ssize_t d = 0; d < array.ndim(); ++d) given.shape.push_back(static_cast<std::size_t>(array.shape(d)));
  PyObject* const owner = array.ptr();
  Py_INCREF(owner);
  const auto* const data = static_cast<const std::byte*>(array.data());
  given.data = std::shared_ptr<const std::byte>(data, [owner](const std::byte*) {
    const py::gil_scoped_acquire gil;  // a command ends on a thread of its own
    Py_DECREF(owner);
  });
  return given;
}

}  // namespace orderlab::python
