// Black boxes: whatever adds numbers in an order that is not known.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Something that takes terms and answers with a number, its sum of them. Not for several threads at once.
class Box {
 public:
  virtual ~Box() = default;

  /// Its sum of the terms, which are of the setting's number, format and kind (see BoxSetting).
  ///
  /// Errors: input where the box crashes, hangs, or answers with anything but a number. One line.
  virtual double sum(const TermView& terms) = 0;

  /// Its sums of several inputs. Each call of a box that adds elementwise takes `together` of them.
  virtual void sums(std::span<const TermView> inputs, std::span<double> results);
  virtual std::size_t together() const { return 1; }

  /// Is called often while it is not asked. A box on its caller's thread can look after that one's signals.
  virtual void between_calls() {}

  /// The most significant decimal digits of its answers so far.
  virtual std::size_t digits() const { return kAllDigits; }
  static constexpr std::size_t kAllDigits = 17;

  /// Whether terms reach it as text: programs read NaN, infinities, and numbers of extreme exponents in ways of their
  /// own.
  virtual bool reads_text() const { return false; }

  /// Whether it ever changed the input that it was given.
  virtual bool changes_input() const { return false; }
};

/// What a box is started for.
struct BoxSetting {
  std::size_t n = 0;             ///< terms of every input
  Format format = Format::fp32;  ///< format of the terms
  std::size_t offset = 0;        ///< elements from a multiple of 4096 bytes to the first term
  std::size_t threads = 0;       ///< OMP_NUM_THREADS of the box; 0: as the environment has it
};

/// How to make the box that is asked about.
struct BoxMaker {
  std::string name;                                             ///< as the user knows it: "numpy:sum", "libfoo.so:sum"
  bool products = false;                                        ///< the terms are products x * y
  std::function<std::unique_ptr<Box>(const BoxSetting&)> make;  ///< Errors: as Box::sum

  // What a report says of it.
  std::string kind = "function";         ///< or "command", "lines" of a command, "library", "python", "kernel"
  std::optional<std::size_t> axis = {};  ///< axis of an array that it adds along
};

/// A box that calls `sum`, in this process.
BoxMaker function_box(std::string name, std::function<double(const TermView&)> sum, bool products = false);

}  // namespace orderlab
