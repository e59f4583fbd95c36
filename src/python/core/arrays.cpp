#include "python/core/arrays.hpp"

namespace py = pybind11;

namespace orderlab::python {

cli::GivenArray given_array(const py::array& array, const std::string& format) {
  cli::GivenArray given;
  if (!format.empty()) given.format = parse_formats(format).terms;
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
