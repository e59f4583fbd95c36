// What every harness is made of: its entry, choices made by bytes, and what must hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"

namespace orderlab::fuzz {

using Bytes = std::span<const std::uint8_t>;

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Ends the program, a finding, unless `holds`.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Ends the program, a finding, unless the two are equal.
inline void require_equal(std::string_view what, std::string_view one, std::string_view other) {
  if (one == other) return;
  std::fprintf(stderr, "%.*s differ:\n  '%.*s'\n  '%.*s'\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(one.size()), one.data(), static_cast<int>(other.size()), other.data());
  std::abort();
}
inline void require_equal(std::string_view what, std::uint64_t one, std::uint64_t other) {
  if (one != other) require_equal(what, bits_text(Format::fp64, one), bits_text(Format::fp64, other));
}

/// What `f` returns. A refusal is a finding here: what the program itself wrote, it must read.
template <class F>
auto accepted(std::string_view what, F f) {
  try {
    return f();
  } catch (const Error& error) {
    std::fprintf(stderr, "%.*s is refused: %s\n", static_cast<int>(what.size()), what.data(), error.what());
    std::abort();
  }
}

/// What the bytes of an input decide, from the first to the last; after that every choice is 0.
class Choices {
 public:
  explicit Choices(Bytes bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  std::uint8_t byte() {
    if (done()) return 0;
    const std::uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }

  /// A number made of so many bytes, the first one lowest.
  std::uint64_t word(int bytes = 8) {
    std::uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i) bits |= std::uint64_t{byte()} << (8 * i);
    return bits;
  }

  std::uint64_t below(std::uint64_t limit) { return word(limit <= 256 ? 1 : 2) % limit; }
  bool flag() { return (byte() & 1) != 0; }
  Format format() { return kFormats[below(kFormats.size())].format; }

  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

  /// What is left.
  std::string_view text() const { return text_of(rest_); }

 private:
  Bytes rest_;
};

/// Error is a refusal; whatever else leaves the harness is a finding.
inline int run(void (*harness)(Bytes), const std::uint8_t* data, std::size_t size) {
  try {
    harness({data, size});
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace orderlab::fuzz

/// Opens the body of the harness in the file NAME_fuzz.cpp, a function of `input`.
#define ORDERLAB_FUZZ(name)                                     \
  static void harness_##name(orderlab::fuzz::Bytes input);      \
  int fuzz_##name(const std::uint8_t* data, std::size_t size);  \
  int fuzz_##name(const std::uint8_t* data, std::size_t size) { \
    return orderlab::fuzz::run(harness_##name, data, size);     \
  }                                                             \
  static void harness_##name(orderlab::fuzz::Bytes input)
