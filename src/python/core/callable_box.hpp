// A function of Python as a black box, called in this process on the thread that called the command.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "orderlab/error.hpp"
#include "orderlab/probe.hpp"
#include "python/core/attendant.hpp"

namespace orderlab::python {

/// The function and how it is called.
struct GivenCallable {
  pybind11::object function;
  std::string name;
  pybind11::dtype dtype;            ///< dtype of its arrays, whose numbers have the format of the terms
  bool products = false;            ///< it takes two arrays
  std::optional<std::size_t> axis;  ///< it takes an array of two dimensions, and the keyword axis
};

/// The box failed since its function raised something, or returned what is no sum.
class CallableRaised : public Error {
 public:
  CallableRaised(const std::string& message, std::exception_ptr raised)
      : Error(ErrorKind::input, message), raised_(std::move(raised)) {}

  /// What the function raised.
  [[noreturn]] void rethrow() const { std::rethrow_exception(raised_); }

 private:
  std::exception_ptr raised_;
};

/// Every call gets arrays of its own, which it may change. Both arguments have to live as long as the box. What is no
/// Exception of Python, as KeyboardInterrupt, goes to the attendant.
///
/// Errors: CallableRaised.
BoxMaker callable_box(const GivenCallable& callable, Attendant& attendant);

}  // namespace orderlab::python
