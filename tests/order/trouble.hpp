// Terms biased to trouble, in a format and in memory as an evaluator reads them. Every draw is a function of the seed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

/// Numbers of one format, or products of two of them, each rounded from a double.
class TypedTerms {
 public:
  TypedTerms(Format format, const std::vector<double>& x) : x_(store(format, x)), n_(x.size()), format_(format) {}
  TypedTerms(Format format, const std::vector<double>& x, const std::vector<double>& y) : TypedTerms(format, x) {
    y_ = store(format, y);
    products_ = true;
  }

  TermView view() const { return {format_, n_, data(x_), products_ ? data(y_) : nullptr}; }

 private:
  using Storage = std::variant<std::vector<double>, std::vector<float>, std::vector<Half>, std::vector<Bfloat16>>;

  static Storage store(Format format, const std::vector<double>& numbers) {
    return with_type_of(format, [&](auto* type) -> Storage {
      using T = std::remove_pointer_t<decltype(type)>;
      std::vector<T> typed;
      for (const double number : numbers) typed.push_back(round_to<T>(number));
      return typed;
    });
  }
  static const void* data(const Storage& storage) {
    return std::visit([](const auto& typed) -> const void* { return typed.data(); }, storage);
  }

  Storage x_;
  Storage y_;
  std::size_t n_;
  Format format_;
  bool products_ = false;
};

/// What is hard about the terms.
enum class Trouble : std::uint8_t {
  near_one,        ///< all digits meet
  wide,            ///< every exponent of the format
  cancelling,      ///< pairs that cancel, or nearly do, far apart
  subnormal,       ///< below and about the normal range
  signed_zeros,    ///< zeros of both signs, few other numbers
  negative_zeros,  ///< nothing but -0
  ties,            ///< powers of two one precision apart: additions that are ties
  special,         ///< as wide, with infinities and NaN
};
inline constexpr Trouble kTroubles[] = {Trouble::near_one,  Trouble::wide,         Trouble::cancelling,
                                        Trouble::subnormal, Trouble::signed_zeros, Trouble::negative_zeros,
                                        Trouble::ties,      Trouble::special};

inline double troublesome_number(IndexGenerator& draw, Format format, Trouble trouble) {
  const FormatInfo& f = info(format);
  switch (trouble) {
    case Trouble::wide:
      return any_finite(draw, format);
    case Trouble::subnormal:
      return with_random_sign(draw, static_cast<double>(below(draw, 5)) * f.smallest_subnormal() *
                                        (chance(draw, 2) ? 1.0 : std::ldexp(1.0, f.precision - 2)));
    case Trouble::signed_zeros:
      return with_random_sign(draw, chance(draw, 10) ? f.smallest_subnormal() : 0.0);
    case Trouble::negative_zeros:
      return -0.0;
    case Trouble::ties: {
      const double odd = 1 + 2 * static_cast<double>(below(draw, 3)) * f.unit_roundoff();
      return with_random_sign(draw, chance(draw, 2) ? odd : f.unit_roundoff());
    }
    case Trouble::special:
      if (chance(draw, 20)) return with_random_sign(draw, std::numeric_limits<double>::infinity());
      return chance(draw, 60) ? std::numeric_limits<double>::quiet_NaN() : any_finite(draw, format);
    default:
      return near_one(draw) * (format == Format::fp16 ? 0x1p-5 : 1.0);  // below 2^15 in fp16
  }
}

/// n troublesome numbers of `format`.
inline std::vector<double> troublesome_numbers(std::uint64_t seed, Format format, Trouble trouble, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, static_cast<std::uint16_t>(trouble), n), 0);
  std::vector<double> numbers(n);
  for (double& number : numbers) number = troublesome_number(draw, format, trouble);
  if (trouble == Trouble::cancelling) {
    for (double& number : numbers) number = any_finite(draw, format) / 4;
    for (std::size_t i = 0; i < n / 2; ++i)
      numbers[n - 1 - i] = chance(draw, 4) ? -numbers[i] * (1 + 2 * info(format).unit_roundoff()) : -numbers[i];
    shuffle(draw, numbers);
  }
  return numbers;
}

/// Formats to try an order in: each alone, and mixtures that widen, narrow and round the result.
inline std::vector<Formats> formats_to_try() {
  std::vector<Formats> all;
  for (const char* text : {"fp64", "fp32", "fp16", "bf16", "fp16:fp32", "fp16:fp32:fp16", "bf16:fp32:bf16", "fp64:fp16",
                           "fp64:fp32", "fp32:fp64:bf16", "fp16:bf16:fp64"})
    all.push_back(parse_formats(text));
  return all;
}

}  // namespace orderlab::testing
