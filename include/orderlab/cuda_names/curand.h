// cuRAND's interface of the host on a simulated GPU: XORWOW and Philox4x32-10, into device memory, or into the
// host's for a generator of the host.
//
// XORWOW gives number i of all from place i / 4096 of sequence i mod 4096, as cuRAND documents; pairs of normal numbers
// are made of two places of a sequence. Philox gives its numbers as they follow each other, which cuRAND need not do.
// The normal distribution has the C library's logarithm, sine and cosine.
#pragma once

#include "curand_kernel.h"
#include "orderlab/library_on_gpu.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are cuRAND's
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()
enum curandStatus_t {
  CURAND_STATUS_SUCCESS,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED,
  CURAND_STATUS_ALLOCATION_FAILED,
  CURAND_STATUS_TYPE_ERROR,
  CURAND_STATUS_OUT_OF_RANGE,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE,
  CURAND_STATUS_INITIALIZATION_FAILED,
  CURAND_STATUS_ARCH_MISMATCH,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef curandStatus_t curandStatus;
enum curandRngType_t {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32
};
typedef curandRngType_t curandRngType;
enum curandOrdering_t {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT,
  CURAND_ORDERING_PSEUDO_SEEDED,
  CURAND_ORDERING_PSEUDO_LEGACY
};

struct orderlab_generator {
  bool is_philox = false;
  bool on_host = false;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long offset = 0;  ///< numbers that were given
  std::vector<curandStateXORWOW> sequences;
  curandStatePhilox4_32_10 philox{};
  bool is_ready = false;
  static constexpr unsigned kSequences = 4096;

  void start() {
    if (std::exchange(is_ready, true)) return;
    if (is_philox) return curand_init(seed, 0, offset, &philox);
    sequences.resize(kSequences);
    for (unsigned i = 0; i < kSequences; ++i)
      curand_init(seed, i, offset / kSequences + (i < offset % kSequences ? 1 : 0), &sequences[i]);
  }

  /// values[i] = draw(state) for the next count values.
  template <class T, class F>
  std::vector<T> numbers(std::size_t count, F draw) {
    start();
    std::vector<T> values(count);
    for (T& value : values) {
      value = is_philox ? draw(&philox) : draw(&sequences[offset % kSequences]);
      ++offset;
    }
    return values;
  }
};
typedef orderlab_generator* curandGenerator_t;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  const bool is_philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  if (!is_philox && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new orderlab_generator;
  (*generator)->is_philox = is_philox;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  const curandStatus_t status = curandCreateGenerator(generator, type);
  if (status == CURAND_STATUS_SUCCESS) (*generator)->on_host = true;
  return status;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  generator->seed = seed;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  generator->offset = offset;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  generator->start();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  *version = 10305;
  return CURAND_STATUS_SUCCESS;
}

template <class T, class F>
curandStatus_t orderlab_generate(const char* name, curandGenerator_t generator, T* output, std::size_t count, F draw,
                                 const std::source_location& where) {
  const std::vector<T> values = generator->numbers<T>(count, draw);
  if (generator->on_host)
    std::copy(values.begin(), values.end(), output);
  else
    orderlab::host_program::scatter(name, values, output, {where, generator->stream});
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, std::size_t count, ORDERLAB_WHERE) {
  return orderlab_generate(
      "curandGenerate", generator, output, count, [](auto* state) { return curand(state); }, where);
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, std::size_t count,
                                            ORDERLAB_WHERE) {
  return orderlab_generate(
      "curandGenerateUniform", generator, output, count, [](auto* state) { return curand_uniform(state); }, where);
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, std::size_t count,
                                                  ORDERLAB_WHERE) {
  return orderlab_generate(
      "curandGenerateUniformDouble", generator, output, count, [](auto* state) { return curand_uniform_double(state); },
      where);
}
/// An odd count is refused, as by cuRAND.
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, std::size_t count, float mean,
                                           float deviation, ORDERLAB_WHERE) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return orderlab_generate(
      "curandGenerateNormal", generator, output, count,
      [=](auto* state) { return mean + deviation * curand_normal(state); }, where);
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, std::size_t count,
                                                 double mean, double deviation, ORDERLAB_WHERE) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return orderlab_generate(
      "curandGenerateNormalDouble", generator, output, count,
      [=](auto* state) { return mean + deviation * curand_normal_double(state); }, where);
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, std::size_t count, float mean,
                                              float deviation, ORDERLAB_WHERE) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return orderlab_generate(
      "curandGenerateLogNormal", generator, output, count,
      [=](auto* state) { return curand_log_normal(state, mean, deviation); }, where);
}
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
