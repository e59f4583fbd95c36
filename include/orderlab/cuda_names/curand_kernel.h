// cuRAND's generators in kernels: XORWOW (Marsaglia, "Xorshift RNGs", 2003; cuRAND's seeds) and Philox4x32-10
// [Salmon2011], with uniform, normal and log-normal numbers. Bits and uniform numbers are those of cuRAND; normal
// numbers are made by the same formula, but with the C library's logarithm, sine and cosine.
#pragma once

#include "cuda_runtime.h"
#include "orderlab/philox.hpp"
#include "orderlab/xorwow.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are cuRAND's
namespace orderlab::host_program::random {

/// The second of two normal numbers, which the next call gives.
struct Kept {
  float next = 0;
  double next_double = 0;
  bool has_next = false;
  bool has_next_double = false;
};

}  // namespace orderlab::host_program::random

struct curandStateXORWOW : orderlab::host_program::XorwowState, orderlab::host_program::random::Kept {};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

struct curandStatePhilox4_32_10 : orderlab::host_program::random::Kept {
  std::uint32_t key[2];
  std::uint32_t counter[4];
  std::uint32_t output[4];
  unsigned used;  ///< numbers of output that were given
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// ---- XORWOW
inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
  static_cast<orderlab::host_program::XorwowState&>(*state) = orderlab::host_program::xorwow_skipped(*state, n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  static_cast<orderlab::host_program::XorwowState&>(*state) = orderlab::host_program::xorwow_sequence(*state, n);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStateXORWOW* state) {
  *state = {};
  static_cast<orderlab::host_program::XorwowState&>(*state) = orderlab::host_program::xorwow_seeded(seed);
  if (sequence != 0) skipahead_sequence(sequence, state);
  if (offset != 0) skipahead(offset, state);
}
inline unsigned curand(curandStateXORWOW* state) { return orderlab::host_program::next_of(*state); }

// ---- Philox
inline void orderlab_refill(curandStatePhilox4_32_10* state) {
  const auto numbers = orderlab::philox({state->counter[0], state->counter[1], state->counter[2], state->counter[3]},
                                        {state->key[0], state->key[1]});
  for (unsigned i = 0; i < 4; ++i) state->output[i] = numbers[i];
}
/// Adds n to two words of the counter, from `word` on.
inline bool orderlab_add(std::uint32_t* word, unsigned long long n) {
  const std::uint64_t old = word[0] | std::uint64_t{word[1]} << 32;
  const std::uint64_t sum = old + n;
  word[0] = static_cast<std::uint32_t>(sum);
  word[1] = static_cast<std::uint32_t>(sum >> 32);
  return sum < old;
}
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  state->used += static_cast<unsigned>(n % 4);
  const unsigned long long carry = state->used / 4;
  state->used %= 4;
  if (orderlab_add(state->counter, n / 4 + carry)) orderlab_add(state->counter + 2, 1);
  orderlab_refill(state);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  orderlab_add(state->counter + 2, n);
  orderlab_refill(state);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
  *state = {};
  state->key[0] = static_cast<std::uint32_t>(seed);
  state->key[1] = static_cast<std::uint32_t>(seed >> 32);
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
inline unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned number = state->output[state->used++];
  if (state->used == 4) {
    state->used = 0;
    if (orderlab_add(state->counter, 1)) orderlab_add(state->counter + 2, 1);
    orderlab_refill(state);
  }
  return number;
}
inline uint4 curand4(curandStatePhilox4_32_10* state) {
  uint4 numbers;
  numbers.x = curand(state);
  numbers.y = curand(state);
  numbers.z = curand(state);
  numbers.w = curand(state);
  return numbers;
}

// ---- Numbers from 0, which is never given, to 1
namespace orderlab::host_program::random {

inline float uniform_of(unsigned x) { return std::fma(static_cast<float>(x), 0x1p-32F, 0x1p-33F); }
inline double uniform_double_of(unsigned x, unsigned y) {
  return std::fma(static_cast<double>(x ^ static_cast<unsigned long long>(y) << 21), 0x1p-53, 0x1p-54);
}

/// Two normal numbers by the method of Box and Muller.
inline float2 normals_of(unsigned x, unsigned y) {
  constexpr float kTwoPi = 6.2831855F;
  const float length = std::sqrt(-2.0F * std::log(uniform_of(x)));
  const float angle = std::fma(static_cast<float>(y), 0x1p-32F * kTwoPi, 0x1p-33F * kTwoPi);
  return {std::sin(angle) * length, std::cos(angle) * length};
}
inline double2 normals_of(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  constexpr double kPi = 3.14159265358979323846;
  const double length = std::sqrt(-2.0 * std::log(uniform_double_of(x0, x1)));
  const double turn = 2 * uniform_double_of(y0, y1) * kPi;
  return {std::sin(turn) * length, std::cos(turn) * length};
}

}  // namespace orderlab::host_program::random

#define ORDERLAB_DISTRIBUTIONS(STATE)                                                                             \
  inline float curand_uniform(STATE* state) { return orderlab::host_program::random::uniform_of(curand(state)); } \
  inline double curand_uniform_double(STATE* state) {                                                             \
    const unsigned x = curand(state);                                                                             \
    return orderlab::host_program::random::uniform_double_of(x, curand(state));                                   \
  }                                                                                                               \
  inline float2 curand_normal2(STATE* state) {                                                                    \
    const unsigned x = curand(state);                                                                             \
    return orderlab::host_program::random::normals_of(x, curand(state));                                          \
  }                                                                                                               \
  inline double2 curand_normal2_double(STATE* state) {                                                            \
    const unsigned x0 = curand(state);                                                                            \
    const unsigned x1 = curand(state);                                                                            \
    const unsigned y0 = curand(state);                                                                            \
    return orderlab::host_program::random::normals_of(x0, x1, y0, curand(state));                                 \
  }                                                                                                               \
  inline float curand_normal(STATE* state) {                                                                      \
    if (std::exchange(state->has_next, !state->has_next)) return state->next;                                     \
    const float2 both = curand_normal2(state);                                                                    \
    state->next = both.y;                                                                                         \
    return both.x;                                                                                                \
  }                                                                                                               \
  inline double curand_normal_double(STATE* state) {                                                              \
    if (std::exchange(state->has_next_double, !state->has_next_double)) return state->next_double;                \
    const double2 both = curand_normal2_double(state);                                                            \
    state->next_double = both.y;                                                                                  \
    return both.x;                                                                                                \
  }                                                                                                               \
  inline float curand_log_normal(STATE* state, float mean, float deviation) {                                     \
    return std::exp(mean + deviation * curand_normal(state));                                                     \
  }                                                                                                               \
  inline double curand_log_normal_double(STATE* state, double mean, double deviation) {                           \
    return std::exp(mean + deviation * curand_normal_double(state));                                              \
  }
ORDERLAB_DISTRIBUTIONS(curandStateXORWOW)
ORDERLAB_DISTRIBUTIONS(curandStatePhilox4_32_10)
#undef ORDERLAB_DISTRIBUTIONS
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  using orderlab::host_program::random::uniform_of;
  return {uniform_of(x.x), uniform_of(x.y), uniform_of(x.z), uniform_of(x.w)};
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float2 a = curand_normal2(state);
  const float2 b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}
// NOLINTEND(readability-identifier-naming)
