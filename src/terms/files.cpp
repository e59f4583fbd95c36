// How binary numbers of files become terms.
#include "terms/files.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "terms/array_files.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

/// A number of 8 bits as files have it.
template <Format F>
struct Pattern8 {
  std::uint8_t bits;
  explicit operator double() const { return value_of_bits(F, bits); }
};

/// Calls `f` with a null pointer to the type of numbers of `format` in files.
template <class F>
void with_file_type(Format format, F&& f) {
  if (format == Format::e4m3) return f(static_cast<Pattern8<Format::e4m3>*>(nullptr));
  if (format == Format::e5m2) return f(static_cast<Pattern8<Format::e5m2>*>(nullptr));
  with_type_of(format, std::forward<F>(f));
}

/// The bytes of a number of T, least significant first.
template <class T>
std::array<std::byte, sizeof(T)> bytes_of_number(const std::byte* at, bool big_endian) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// A double that rounds to every narrower format as `value` does: where it has more than 53 bits, the ones that are
/// cut off are kept as a last bit of 1. For fp64 the nearest double.
/// Source: [BoldoMelquiond2008].
template <class T>
double real_of_whole(T value, Format target) {
  if (const auto nearest = static_cast<double>(value); target == Format::fp64 || sizeof(T) < 8) return nearest;
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = negative ? ~bits + 1 : bits;
  constexpr int kPrecision = 53;
  const int cut = std::max(0, static_cast<int>(std::bit_width(magnitude)) - kPrecision);
  std::uint64_t kept = magnitude >> cut;
  if (kept << cut != magnitude) kept |= 1;
  const double size = std::ldexp(static_cast<double>(kept), cut);
  return negative ? -size : size;
}

/// Whether the whole number `value` is the double `stored`.
template <class T>
bool is_whole_number(double stored, T value) {
  if (sizeof(T) < 8) return stored == static_cast<double>(value);
  constexpr double kEnd = std::is_signed_v<T> ? 0x1p63 : 0x1p64;
  return stored >= (std::is_signed_v<T> ? -kEnd : 0.0) && stored < kEnd && static_cast<T>(stored) == value;
}

/// Stores the numbers of a chunk from term `first` on; returns how many changed.
template <class Source, class T>
std::uint64_t convert(std::span<const std::byte> chunk, Format format, bool big_endian, T* x) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i * sizeof(Source) < chunk.size(); ++i) {
    const auto number = std::bit_cast<Source>(bytes_of_number<Source>(chunk.data() + i * sizeof(Source), big_endian));
    if constexpr (std::is_integral_v<Source>) {
      x[i] = rounded_term<T>(format, real_of_whole(number, format));
      const double stored = static_cast<double>(x[i]);
      if (!is_whole_number(stored, number)) ++changed;
    } else {
      const double value = static_cast<double>(number);
      x[i] = rounded_term<T>(format, value);
      if (is_other_number(static_cast<double>(x[i]), value)) ++changed;
    }
  }
  return changed;
}

/// Calls `f` with a null pointer to the integer type of that size.
template <class F>
void with_whole_type(const Layout& layout, F&& f) {
  const bool is_signed = layout.kind == NumberKind::integer;
  const auto one_of = [&](auto with_sign, auto without) { is_signed ? f(&with_sign) : f(&without); };
  if (layout.bytes == 1) return one_of(std::int8_t{}, std::uint8_t{});
  if (layout.bytes == 2) return one_of(std::int16_t{}, std::uint16_t{});
  if (layout.bytes == 4) return one_of(std::int32_t{}, std::uint32_t{});
  one_of(std::int64_t{}, std::uint64_t{});
}

/// Calls use(piece, number of its first) for the next n numbers of `file`, in pieces.
template <class Use>
void in_pieces(InputStream& file, std::size_t bytes_each, std::size_t n, Use use) {
  constexpr std::size_t kChunk = std::size_t{1} << 17;  // numbers; at most 1 MiB
  std::vector<std::byte> buffer;
  for (std::size_t first = 0; first < n; first += kChunk) {
    buffer.resize(std::min(kChunk, n - first) * bytes_each);
    const auto wanted = static_cast<std::streamsize>(buffer.size());
    if (file.sgetn(reinterpret_cast<char*>(buffer.data()), wanted) != wanted)
      throw file_error(file.name(), "is truncated: it ends after less than " + std::to_string(first + kChunk) + " of " +
                                        std::to_string(n) + " numbers");
    use(std::span<const std::byte>(buffer), first);
  }
}

}  // namespace

std::uint64_t binary_size(const InputStream& file) {
  if (!file.size()) throw file_error(file.name(), "is a pipe, from which only text can be read; name a file");
  if (*file.size() == 0) throw file_error(file.name(), "is empty; " + std::string(kNeedsNumber));
  return *file.size();
}

Terms read_binary(InputStream& file, Layout layout, std::size_t n, Format format) {
  Terms terms(format, n);
  with_type_of(format, [&](auto* target) {
    using T = std::remove_pointer_t<decltype(target)>;
    T* const x = numbers<T>(terms);
    const auto read = [&](auto* source) {
      using Source = std::remove_pointer_t<decltype(source)>;
      in_pieces(file, sizeof(Source), n, [&](std::span<const std::byte> piece, std::size_t first) {
        terms.count_inexact(convert<Source>(piece, format, layout.big_endian, x + first));
      });
    };
    if (layout.kind == NumberKind::real)
      with_file_type(layout.format, read);
    else
      with_whole_type(layout, read);
  });
  return terms;
}

std::vector<std::int64_t> read_binary_whole(InputStream& file, Layout layout, std::size_t n) {
  std::vector<std::int64_t> values(n);
  with_whole_type(layout, [&](auto* source) {
    using Source = std::remove_pointer_t<decltype(source)>;
    in_pieces(file, sizeof(Source), n, [&](std::span<const std::byte> piece, std::size_t first) {
      for (std::size_t i = 0; i * sizeof(Source) < piece.size(); ++i) {
        const auto value =
            std::bit_cast<Source>(bytes_of_number<Source>(piece.data() + i * sizeof(Source), layout.big_endian));
        if (!std::in_range<std::int64_t>(value))
          throw file_error(file.name(), "number " + std::to_string(first + i + 1) + " is " + std::to_string(value) +
                                            ", beyond 2^63 - 1, the largest index");
        values[first + i] = static_cast<std::int64_t>(value);
      }
    });
  });
  return values;
}

Tensor in_c_order(const std::string& file, FileArray array) {
  require_elements(file, array.shape);
  if (!array.fortran_order || array.shape.size() < 2) return {std::move(array.shape), std::move(array.terms)};
  Terms terms(array.terms.format(), array.terms.size());
  with_type_of(terms.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    to_c_order<T>(numbers<T>(array.terms), array.shape, numbers<T>(terms));
  });
  terms.count_inexact(array.terms.inexact_conversions());
  return {std::move(array.shape), std::move(terms)};
}

}  // namespace orderlab
