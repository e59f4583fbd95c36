#include "cuda/capture/runs.hpp"

#include <cstring>

#include "core/drawn_index.hpp"
#include "cuda/gpu_kernels.hpp"

namespace orderlab::cuda {

const std::vector<std::byte>& TermStore::drawn(const Dyadic& input, Format format, std::uint64_t seed, std::size_t n) {
  const Format held = held_format(format);
  const std::size_t bytes = info(format).held_bytes();
  std::vector<std::byte>& terms =
      stored_[to_string(input) + " " + std::string(info(format).name) + " " + std::to_string(seed)];
  for (std::size_t i = terms.size() / bytes; i < n; ++i) {
    std::uint64_t bits = input.term_bits(format, seed, i);
    if (held != format) bits = round_to_bits(held, value_of_bits(format, bits));
    const auto* const first = reinterpret_cast<const std::byte*>(&bits);  // little endian
    terms.insert(terms.end(), first, first + bytes);
  }
  return terms;
}

TermView TermStore::terms(const Dyadic& input, Format format, std::size_t n, bool products) {
  return {format, n, drawn(input, format, kTermSeed, n).data(),
          products ? drawn(input, format, kFactorSeed, n).data() : nullptr};
}

CapturedRun make_run(const PlannedRun& planned, TermStore& store) {
  const KernelInfo& kernel = *planned.kernel;
  const ArrayExtents& extents = planned.extents;
  const bool indexed = kernel.outputs != nullptr && extents.bins != 0;
  std::vector<std::int64_t> index;
  ArrayView arrays{.extents = extents};
  if (indexed) {
    index = drawn_index(kernel.outputs->indices(extents), extents.bins, kIndexSeed);
    arrays.index = index;
    arrays.self = store.drawn(planned.input, planned.format, kSelfSeed, extents.outputs()).data();
  }
  GpuRun run = run_on_gpu({kernel.name, store.terms(planned.input, planned.format, planned.n, kernel.products),
                           planned.shape, planned.record, arrays, planned.sums.value_or(planned.format)});
  CapturedRun captured;
  captured.kernel = kernel.name;
  captured.format = planned.format;
  captured.sums = planned.sums;
  captured.n = planned.n;
  captured.shape = planned.shape;
  captured.input = to_string(planned.input);
  captured.seed = kTermSeed;
  captured.aligned = run.alignment;
  captured.repeat = planned.repeat;
  captured.bits = run.bits;
  if (kernel.outputs != nullptr) {
    captured.bits = 0;
    captured.rows = extents.rows;
    captured.columns = extents.columns;
    captured.outputs = std::move(run.outputs);
    captured.looked_back = std::move(run.looked_back);
  }
  if (indexed) {
    captured.bins = extents.bins;
    captured.self_seed = kSelfSeed;
    captured.index_seed = kIndexSeed;
  }
  captured.returned = std::move(run.returned);
  captured.tickets = std::move(run.tickets);
  if (kernel.products) captured.with_seed = kFactorSeed;
  if (run.temporary_bytes > 0) {
    captured.temporary_bytes = run.temporary_bytes;
    captured.blocks = run.shape.grid;
  }
  return captured;
}

std::string arrival_orders(std::size_t launches, TermStore& store) {
  constexpr std::size_t kTerms = 1000000;
  constexpr LaunchShape kShape{64, 2};  // as the published recording of a V100
  const TermView terms = store.terms(capture_inputs(Format::fp64).front(), Format::fp64, kTerms, false);
  std::string text;
  for (std::size_t launch = 0; launch < launches; ++launch) {
    const std::vector<std::uint32_t> tickets = run_on_gpu({"spa", terms, kShape, true}).tickets;
    for (std::size_t i = 0; i < tickets.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(tickets[i]);
    text += "\n";
  }
  return text;
}

}  // namespace orderlab::cuda
