// Where terms come from: distributions and files, which may have a shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

namespace detail {

/// Memory that is zero when it is had, so that nothing needs to write zeros: large arrays get their pages where they
/// are first written, on whichever thread that is. For vectors that get their size once.
template <class T>
struct ZeroPages {
  using value_type = T;

  T* allocate(std::size_t n) {
    void* const memory = std::calloc(n, sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }
  void construct(T*) noexcept {}

  friend bool operator==(ZeroPages, ZeroPages) { return true; }
};

}  // namespace detail

/// n terms of one format, products when a second factor was attached. They are owned, or lie in memory of the caller
/// until something writes to them.
class Terms {
 public:
  /// n zeros. Error(usage) for n = 0; Error(unsupported), naming the size, for more than is free.
  Terms(Format format, std::size_t n);

  /// The n numbers of `format` at `numbers`, where they lie, aligned; nobody else may change them. Error(usage) for
  /// n = 0.
  Terms(Format format, std::size_t n, std::shared_ptr<const std::byte> numbers);

  TermView view() const;
  Format format() const { return format_; }
  std::size_t size() const { return n_; }

  /// Conversions to the format that changed a number (files and texts only).
  std::uint64_t inexact_conversions() const { return inexact_; }

  /// Stores the double `value` rounded to the format as term i.
  void set(std::size_t i, double value);
  void count_inexact(std::uint64_t more) { inexact_ += more; }

  /// Raw storage, n numbers of the format, little endian. The first makes a copy of the caller's memory.
  std::span<std::byte> bytes();
  std::span<const std::byte> bytes() const;

  /// The same terms, none of them in memory of the caller.
  Terms owned() const;

  /// Makes every term the product with the same-numbered term of `factors`. Error(input) unless sizes and formats
  /// agree.
  void multiply_by(Terms factors);

  /// "xxh3:" and 32 hex digits: XXH3-128 of the rounded terms (and then of the second factors).
  std::string hash() const;

 private:
  Format format_;
  std::size_t n_;
  std::vector<std::byte, detail::ZeroPages<std::byte>> data_;  ///< empty while they lie in `borrowed_`
  std::shared_ptr<const std::byte> borrowed_;
  std::shared_ptr<const Terms> factors_;
  std::uint64_t inexact_ = 0;
};

/// A distribution as it lists itself.
struct TermDistribution {
  std::string_view name;
  std::string_view parameters;  ///< "(a,b)", as a user writes them
  std::string_view summary;
  std::string_view source;
  bool portable;  ///< the same bits on every machine: no libm in it
};

std::span<const TermDistribution* const> distributions();

/// n independent draws from `distribution` ("normal(0,1)"), each rounded once to `format`. Term i depends on (seed, i)
/// only, except for cancel, whose terms depend on all before them. `input` numbers independent inputs (0 is the usual
/// one). The terms are the same for any loop.
///
/// Errors: usage for n = 0, an unknown distribution (with the nearest name), wrong parameters, or a condition number
///         that cancel misses by more than 1 % with these terms.
Terms generate_terms(std::string_view distribution, std::size_t n, Format format, std::uint64_t seed,
                     std::uint64_t input = 0, const Loop& loop = serial_loop);

/// No term of `distribution`, rounded to `format`, is larger in magnitude; empty where there is no such limit, or none
/// is derived. Errors: usage, as generate_terms.
std::optional<double> largest_magnitude_of(std::string_view distribution, Format format);

/// The canonical text of a distribution: no spaces, numbers in shortest form, counts as digits.
std::string canonical_distribution(std::string_view distribution);

/// Terms of a file: .npy, .txt, .csv, .f64, .f32, or "-" for text on standard input. `format` empty means the file's
/// own (fp64 for text).
///
/// Errors: input, one line with file and line number; nothing is ever skipped or guessed.
Terms read_terms(const std::string& path, std::optional<Format> format);

/// Terms written out: numbers separated by commas (the CLI's --values).
Terms parse_terms(std::string_view text, Format format);

/// Extents of an array, the slowest dimension first; none for a single number.
using Shape = std::vector<std::size_t>;

/// Number of elements. Error(unsupported) above 2^31 - 1.
std::size_t element_count(const Shape& shape);

/// "1000x20"; "1" for a single number.
std::string to_string(const Shape& shape);

/// Reads what to_string writes; counts as in "1e3x20". Error(usage, "WHAT TEXT: ...").
Shape parse_shape(std::string_view what, std::string_view text);

/// Numbers in C order: the last dimension fastest.
struct Tensor {
  Shape shape;
  Terms terms;
};

/// Whole numbers in C order.
struct IndexTensor {
  Shape shape;
  std::vector<std::int64_t> values;
};

/// An array of a file that read_terms reads: of .npy its shape and, for one in Fortran order, its elements in C order;
/// other files have one dimension. `raw` is what numbers of a .npy are whose type does not say; empty: `format`.
///
/// Errors: input as read_terms; unsupported for more than 2^31 - 1 elements.
Tensor read_tensor(const std::string& path, std::optional<Format> format, std::optional<Format> raw = {});

/// Whole numbers of a .npy of any integer type, or of text, one dimension. Errors: input for an array of another type
/// (naming `.astype(np.int64)`), a number of text that is not whole or beyond 64 bits, with its line; unsupported as
/// read_tensor.
IndexTensor read_index(const std::string& path);

/// The bytes of a .npy file of that shape, numbers little endian in C order; bf16, which NumPy lacks, and tf32 as fp32;
/// e4m3 and e5m2 as bit patterns, in the types that ml_dtypes has them in.
///
/// Shape: as many numbers of `format` as the shape has elements.
std::string npy_bytes(Format format, const Shape& shape, std::span<const std::byte> numbers);

}  // namespace orderlab
