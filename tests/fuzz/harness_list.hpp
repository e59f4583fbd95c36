// The harnesses, one line each: HARNESS is NAME_fuzz.cpp, its corpus the folder corpus/NAME.
#pragma once

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
