// Black boxes that run in processes of their own, so that they may crash or hang.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "orderlab/probe.hpp"

namespace orderlab {

/// What every process of a box is allowed.
struct BoxLimits {
  double seconds = 10;        ///< for one answer, and for its start
  std::stop_token stop = {};  ///< when a stop is requested, a call that waits for its answer fails
};

// A box starts its process in the first call, and ends it with all that it has started, daemons included, when it is
// destroyed or fails, and when this process is killed. A failure is final: every later call throws it again.
// A box has the environment of this process, except that numbers are written as in C (LC_NUMERIC, whatever LC_ALL
// says), that BoxSetting::threads becomes OMP_NUM_THREADS, and that OMP_WAIT_POLICY is passive unless it is set. Errors
// of every box: unsupported where a limit of this process leaves it no descriptor, process or memory.

/// A shell command that reads the terms on standard input, one a line, and writes their sum; one process a call. With
/// `lines` one process answers many calls: every line that it reads has all terms, with blanks between them, and every
/// line that it writes is a sum. Terms are the shortest decimals that read back as the same double. An answer is one
/// decimal or hexadecimal number (0x1.8p+3), inf or nan, with blanks around it. The command must exit with status 0.
/// With `products` each term is two numbers, x and y, with a blank between them.
///
/// Errors: usage for a command that is empty; of the box: input.
BoxMaker command_box(const std::string& command, bool lines = false, const BoxLimits& limits = {},
                     bool products = false);

/// A function of a shared library: "FILE:SYMBOL" is T symbol(size_t n, const T* x), "FILE:SYMBOL:dot" is
/// T symbol(size_t n, const T* x, const T* y), "FILE:SYMBOL:blas" the dot of a BLAS, Fortran's (every argument a
/// pointer, a symbol that ends with `_`) or C's. T is the format of the terms: double, float, _Float16 or __bf16; what
/// is returned is a T, or a number of `answers` where that is given. FILE is a file here, else the dynamic linker looks
/// for it. With `one_array` "FILE:SYMBOL:blas" is a function of one array of a BLAS, such as asum and nrm2: n, x and
/// its increment.
///
/// Errors: usage for a text that is not so; of the box: input, also where there is no such file or symbol.
BoxMaker library_box(const std::string& library, const BoxLimits& limits = {}, bool one_array = false,
                     std::optional<Format> answers = {});

/// A function of Python: "MODULE:FUNCTION" is called with one numpy array, "MODULE:FUNCTION:dot" with two; functions of
/// `math`, `builtins` and `statistics` with lists, those of `torch` with tensors. An array of bf16 needs the package
/// ml_dtypes. float() of what it returns is the answer. With `axis` (0 or 1) it is called with an array of two
/// dimensions and axis=axis, and sums 64 inputs along it. The interpreter is python3, or what the environment variable
/// ORDERLAB_PYTHON names.
///
/// Errors: as library_box.
BoxMaker python_box(const std::string& function, std::optional<std::size_t> axis = {}, const BoxLimits& limits = {});

}  // namespace orderlab
