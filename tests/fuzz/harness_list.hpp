// The harnesses, one line each: HARNESS is NAME_fuzz.cpp, its corpus the folder corpus/NAME.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#define ORDERLAB_FUZZ_HARNESSES(HARNESS) \
  HARNESS(archives)                      \
  HARNESS(arrivals)                      \
  HARNESS(captures)                      \
  HARNESS(compressed)                    \
  HARNESS(configs)                       \
  HARNESS(counts)                        \
  HARNESS(counts_files)                  \
  HARNESS(cuda_sources)                  \
  HARNESS(distributions)                 \
  HARNESS(enumerations)                  \
  HARNESS(exact_sums)                    \
  HARNESS(given_results)                 \
  HARNESS(indices)                       \
  HARNESS(json_arrays)                   \
  HARNESS(markets)                       \
  HARNESS(npy)                           \
  HARNESS(numbers)                       \
  HARNESS(orders)                        \
  HARNESS(raw_terms)                     \
  HARNESS(recorded_launches)             \
  HARNESS(records)                       \
  HARNESS(rows)                          \
  HARNESS(safetensors)                   \
  HARNESS(store_rows)                    \
  HARNESS(stores)                        \
  HARNESS(sums)                          \
  HARNESS(tables)                        \
  HARNESS(tallies)                       \
  HARNESS(text_terms)

#define ORDERLAB_FUZZ_DECLARE(name) int fuzz_##name(const std::uint8_t* data, std::size_t size);
ORDERLAB_FUZZ_HARNESSES(ORDERLAB_FUZZ_DECLARE)
#undef ORDERLAB_FUZZ_DECLARE

namespace orderlab::fuzz {

using Harness = int (*)(const std::uint8_t* data, std::size_t size);

/// By name.
#define ORDERLAB_FUZZ_PAIR(name) {#name, fuzz_##name},
inline const std::map<std::string, Harness> kHarnesses{ORDERLAB_FUZZ_HARNESSES(ORDERLAB_FUZZ_PAIR)};
#undef ORDERLAB_FUZZ_PAIR

}  // namespace orderlab::fuzz
