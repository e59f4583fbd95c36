// The same results by MPFR: sums without rounding, and one rounding to a format by mpfr_subnormalize.
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab::testing {

/// An MPFR number, by default wide enough for every sum of products of doubles in these tests (2148 + 2048 + 64 bits).
class Mpfr {
 public:
  static constexpr mpfr_prec_t kExact = 4400;

  explicit Mpfr(mpfr_prec_t bits = kExact) { mpfr_init2(value_, bits); }
  Mpfr(double x, mpfr_prec_t bits) : Mpfr(bits) { mpfr_set_d(value_, x, MPFR_RNDN); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  ~Mpfr() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

/// sum = exact sum of x[i], or of x[i] * y[i] where `y` is not empty.
inline void mpfr_exact_sum(Mpfr& sum, const std::vector<double>& x, const std::vector<double>& y = {}) {
  constexpr mpfr_prec_t kProduct = 106;
  std::vector<Mpfr> terms(x.size());
  std::vector<mpfr_ptr> pointers;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mpfr_set_prec(terms[i].get(), kProduct);
    mpfr_set_d(terms[i].get(), x[i], MPFR_RNDN);
    if (!y.empty()) mpfr_mul_d(terms[i].get(), terms[i].get(), y[i], MPFR_RNDN);
    pointers.push_back(terms[i].get());
  }
  mpfr_sum(sum.get(), pointers.data(), x.size(), MPFR_RNDN);
}

/// The bit pattern of `x` rounded once to `format`.
inline std::uint64_t rounded_bits(Format format, const Mpfr& x) {
  const FormatInfo& f = info(format);
  Mpfr rounded(f.precision);
  int ternary = mpfr_set(rounded.get(), x.get(), MPFR_RNDN);
  const mpfr_exp_t e_min = mpfr_get_emin();
  const mpfr_exp_t e_max = mpfr_get_emax();
  mpfr_set_emin(f.e_min - f.precision + 2);  // MPFR's significands lie in [1/2, 1)
  mpfr_set_emax(f.e_max + 1);
  ternary = mpfr_check_range(rounded.get(), ternary, MPFR_RNDN);
  mpfr_subnormalize(rounded.get(), ternary, MPFR_RNDN);
  mpfr_set_emin(e_min);
  mpfr_set_emax(e_max);
  return round_to_bits(format, mpfr_get_d(rounded.get(), MPFR_RNDN));
}

/// "0x1.8p3 ..." of the terms, for messages.
inline std::string hex_list(const std::vector<double>& x) {
  std::string text;
  for (const double term : x) {
    char buffer[32];
    mpfr_snprintf(buffer, sizeof buffer, "%a ", term);
    text += buffer;
  }
  return text;
}

}  // namespace orderlab::testing
