// Making the runs of a plan. No CUDA types: what runs on the GPU is behind gpu_kernels.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/capture/plan.hpp"
#include "cuda/capture_file.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab::cuda {

/// Terms drawn once and kept: term i is the same for every n.
class TermStore {
 public:
  /// The first n terms of `input`, with second factors if `products`. Valid as long as the store.
  TermView terms(const Dyadic& input, Format format, std::size_t n, bool products);

  /// The first n terms that another seed gives, as bytes.
  const std::vector<std::byte>& drawn(const Dyadic& input, Format format, std::uint64_t seed, std::size_t n);

 private:
  std::map<std::string, std::vector<std::byte>> stored_;  // by distribution, format and seed
};

/// Makes one planned run on the GPU.
CapturedRun make_run(const PlannedRun& planned, TermStore& store);

/// Arrival orders of the thread blocks of `spa`: `launches` rows, row[ticket] = thread block, as CSV.
std::string arrival_orders(std::size_t launches, TermStore& store);

}  // namespace orderlab::cuda
