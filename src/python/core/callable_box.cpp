#include "python/core/callable_box.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "box/call_shape.hpp"
#include "core/float_environment.hpp"

namespace py = pybind11;

namespace orderlab::python {

namespace {

constexpr std::align_val_t kPage{4096};  // BoxSetting::offset counts from a multiple of it

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")).cast<std::string>(); }

// Scalars of numpy become float without their imaginary part, and with a warning.
bool is_complex(const py::object& answer) {
  return PyComplex_Check(answer.ptr()) || std::string_view(Py_TYPE(answer.ptr())->tp_name).starts_with("numpy.c");
}

// float(), but of one number only: neither of a text nor of an array of several.
double number_of(const py::object& answer) {
  if (PyFloat_Check(answer.ptr())) return PyFloat_AS_DOUBLE(answer.ptr());
  if (py::isinstance<py::array>(answer)) {
    const auto array = py::reinterpret_borrow<py::array>(answer);
    if (array.size() != 1)
      throw py::type_error("f: returned an array of shape " + shape_text(array) +
                           "; it must return one number, the sum");
    return number_of(array.attr("item")());
  }
  if (PyNumber_Check(answer.ptr()) != 0 && !is_complex(answer)) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Float(answer.ptr()));
    if (!number) throw py::error_already_set();
    return PyFloat_AS_DOUBLE(number.ptr());
  }
  throw py::type_error("f: returned " + std::string(Py_TYPE(answer.ptr())->tp_name) +
                       "; it must return one number, the sum");
}

class CallableBox final : public Box {
 public:
  CallableBox(const GivenCallable& callable, Attendant& attendant, const BoxSetting& setting)
      : callable_(callable),
        attendant_(attendant),
        shape_{setting.n, setting.format, callable.products, callable.axis},
        offset_bytes_(setting.offset * shape_.number_bytes()) {}

  std::size_t together() const override { return shape_.together(); }

  void between_calls() override {
    const py::gil_scoped_acquire gil;
    attendant_.attend();
  }

  double sum(const TermView& terms) override {
    double result = 0;
    sums({&terms, 1}, {&result, 1});
    return result;
  }

  void sums(std::span<const TermView> inputs, std::span<double> results) override {
    const FloatEnvironment environment;
    const py::gil_scoped_acquire gil;
    for (std::size_t begin = 0; begin < inputs.size(); begin += together()) {
      const std::size_t count = std::min(together(), inputs.size() - begin);
      try {
        call(inputs.subspan(begin, count), results.subspan(begin, count));
      } catch (py::error_already_set& raised) {
        const std::exception_ptr exception = std::current_exception();
        if (!raised.matches(PyExc_Exception)) attendant_.raise(exception);
        throw CallableRaised(callable_.name + ": " + raised.what(), exception);
      } catch (const py::builtin_exception& wrong) {
        throw CallableRaised(wrong.what(), std::current_exception());
      }
    }
  }

 private:
  void call(std::span<const TermView> inputs, std::span<double> results) const {
    if (attendant_.stop_token().stop_requested()) throw Error(ErrorKind::input, callable_.name + ": stopped");
    std::byte* x = nullptr;
    std::byte* y = nullptr;
    const py::array first = new_array(x);
    const py::object second = shape_.products ? py::object(new_array(y)) : py::none();
    lay_inputs(shape_, inputs, x, y);
    if (shape_.axis) return call_along_axis(first, results);
    results[0] = number_of(shape_.products ? answer_of(first, second) : answer_of(first));
  }

  // By the function, in its caller's environment.
  template <class... Arguments>
  py::object answer_of(Arguments&&... arguments) const {
    const CallersFloatEnvironment environment;
    return callable_.function(std::forward<Arguments>(arguments)...);
  }

  void call_along_axis(const py::array& array, std::span<double> results) const {
    const py::object answer = answer_of(array, py::arg("axis") = *shape_.axis);
    const auto sums = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(answer);
    if (!sums || sums.ndim() != 1 || sums.size() != static_cast<py::ssize_t>(together())) {
      const std::string found =
          sums && sums.ndim() > 0 ? "an array of shape " + shape_text(sums) : Py_TYPE(answer.ptr())->tp_name;
      throw py::type_error("f: returned " + found + " along axis " + std::to_string(*shape_.axis) +
                           "; it must return " + std::to_string(together()) + " sums");
    }
    std::copy_n(sums.data(), results.size(), results.begin());
  }

  // An array in memory of its own, as far behind a page's begin as the setting says.
  py::array new_array(std::byte*& data) const {
    auto* const memory = static_cast<std::byte*>(::operator new(offset_bytes_ + shape_.array_bytes(), kPage));
    const py::capsule owner(memory, [](void* all) { ::operator delete(all, kPage); });
    data = memory + offset_bytes_;
    const auto n = static_cast<py::ssize_t>(shape_.n);
    const auto together = static_cast<py::ssize_t>(this->together());
    std::vector<py::ssize_t> extents{n};
    if (shape_.axis) extents = *shape_.axis == 0 ? std::vector{n, together} : std::vector{together, n};
    return py::array(callable_.dtype, std::move(extents), data, owner);
  }

  const GivenCallable& callable_;
  Attendant& attendant_;
  CallShape shape_;
  std::size_t offset_bytes_;
};

}  // namespace

BoxMaker callable_box(const GivenCallable& callable, Attendant& attendant) {
  const auto make = [&callable, &attendant](const BoxSetting& setting) -> std::unique_ptr<Box> {
    return std::make_unique<CallableBox>(callable, attendant, setting);
  };
  return {callable.name, callable.products, make, "function", callable.axis};
}

}  // namespace orderlab::python
