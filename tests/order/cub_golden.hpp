// Sums that an emulation of the CUDA kernels gave before these orders were written, from 1e3 to 3e7 terms. The
// emulation was written from the headers of CUB 3.0.1 and the sources of [Shanmugavelu2024]; no GPU has confirmed the
// numbers.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "order/pipelines.hpp"

namespace orderlab::testing {

struct Golden {
  std::size_t n;
  std::string_view format;
  std::string_view order;
  std::uint64_t bits;
};

inline constexpr Golden kGolden[] = {
    {1000, "fp32", "cub", 0xc1a39ae6},
    {1000, "fp32", "thrust", 0xc1a39ae6},
    {1000, "fp32", "seq", 0xc1a39ae6},
    {1000, "fp64", "cub", 0xc034735cd7eec28e},
    {1000, "fp64", "thrust", 0xc034735cd7eec28e},
    {4096, "fp32", "cub", 0x41822027},
    {4096, "fp32", "thrust", 0x41822025},
    {4096, "fp32", "seq", 0x4182201f},
    {4096, "fp64", "cub", 0x403044049c1f0cbc},
    {4096, "fp64", "thrust", 0x403044049c1f0cbe},
    {10'000, "fp32", "cub", 0x42230ead},
    {10'000, "fp32", "thrust", 0x42230eac},
    {10'000, "fp32", "seq", 0x42230ea8},
    {10'000, "fp64", "cub", 0x404461d58454928c},
    {10'000, "fp64", "thrust", 0x404461d58454928e},
    {1'000'000, "fp32", "cub", 0x43c7f00c},
    {1'000'000, "fp32", "thrust", 0x43c7f009},
    {1'000'000, "fp32", "seq", 0x43c7f0b4},
    {1'000'000, "fp64", "cub", 0x4078fe01a1d90ecc},
    {1'000'000, "fp64", "thrust", 0x4078fe01a1d90ecf},
    {1'000'000, "fp32", "sptr(256)", 0x43c7f010},
    {1'000'000, "fp32", "sprg(256)", 0x43c7f017},
    {1'000'000, "fp32", "tprc(256)", 0x43c7f017},
    {1'000'000, "fp64", "sptr(256)", 0x4078fe01a1d90ed0},
    {1'000'000, "fp64", "sprg(256)", 0x4078fe01a1d90edb},
    {1'000'000, "fp64", "tprc(256)", 0x4078fe01a1d90edb},
    {1'000'000, "fp32", "sptr(256,grid=528)", 0x43c7f00c},
    {1'000'000, "fp32", "sprg(256,grid=528)", 0x43c7f00c},
    {1'000'000, "fp32", "tprc(256,grid=528)", 0x43c7f00c},
    {1'000'000, "fp64", "sptr(256,grid=528)", 0x4078fe01a1d90ed0},
    {1'000'000, "fp64", "sprg(256,grid=528)", 0x4078fe01a1d90ecc},
    {1'000'000, "fp64", "tprc(256,grid=528)", 0x4078fe01a1d90ecc},
    {30'000'000, "fp32", "cub", 0xc58064bf},
    {30'000'000, "fp32", "thrust", 0xc58064c1},
    {30'000'000, "fp32", "seq", 0xc580671a},
    {30'000'000, "fp64", "cub", 0xc0b00c9828dcb8fc},
    {30'000'000, "fp64", "thrust", 0xc0b00c9828dcb8fb},
};

/// 2 u - 1 rounded to T, u uniform in [0, 1) with 53 bits: splitmix64 from the state 42 on.
template <class T>
std::vector<T> splitmix_terms(std::size_t n) {
  std::uint64_t state = 42;
  std::vector<T> terms(n);
  for (T& term : terms) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    z ^= z >> 31;
    term = static_cast<T>(2 * (static_cast<double>(z >> 11) * 0x1p-53) - 1);
  }
  return terms;
}

/// Checks the golden sums in T's format of `least` to `most` terms, those of fewer terms on the first of them; returns
/// how many there are.
template <class T>
std::size_t check_golden(std::size_t least, std::size_t most) {
  const Format format = kFormatOf<T>;
  const std::vector<T> terms = splitmix_terms<T>(most);
  std::size_t checked = 0;
  for (const Golden& golden : kGolden) {
    if (golden.format != info(format).name || golden.n < least || golden.n > most) continue;
    CAPTURE(std::string(golden.order));
    CAPTURE(golden.n);
    ++checked;
    const std::uint64_t bits = sum_bits_of(golden.order, view_of(terms.data(), golden.n), {format, format, format});
    CHECK(bits_text(format, bits) == bits_text(format, golden.bits));
  }
  return checked;
}

}  // namespace orderlab::testing
