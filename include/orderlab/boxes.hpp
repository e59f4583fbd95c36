// Black boxes that run in processes of their own, so that they may crash or hang.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "orderlab/box.hpp"

namespace orderlab {

/// What every process of a box is allowed.
struct BoxLimits {
  double seconds = 10;  ///< for one answer, and for its start
};

/// A shell command that reads the terms on standard input, one a line, and writes their sum; one process a call. With
/// `lines` one process answers many calls: every line that it reads has all terms, with blanks between them, and every
/// line that it writes is a sum.
///
/// Errors: usage for a command that is empty; of the box: input.
BoxMaker command_box(const std::string& command, bool lines = false, const BoxLimits& limits = {});

/// A function of a shared library: "FILE:SYMBOL" is T symbol(size_t n, const T* x), "FILE:SYMBOL:dot" is
/// T symbol(size_t n, const T* x, const T* y), "FILE:SYMBOL:blas" the dot of a BLAS, Fortran's (every argument a
/// pointer, a symbol that ends with `_`) or C's. T is the format of the terms.
///
/// Errors: usage for a text that is not so; of the box: input, also where there is no such file or symbol.
BoxMaker library_box(const std::string& library, const BoxLimits& limits = {});

/// A function of Python: "MODULE:FUNCTION" is called with one numpy array, those of `math` and `builtins` with a list.
/// With `axis` (0 or 1) it is called with an array of two dimensions and axis=axis, and sums along it.
///
/// Errors: as library_box.
BoxMaker python_box(const std::string& function, std::optional<std::size_t> axis = {}, const BoxLimits& limits = {});

}  // namespace orderlab
