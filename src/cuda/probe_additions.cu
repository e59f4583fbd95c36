// What each kind of addition makes of subnormals, signed zeros, overflow and NaN.
#include <array>
#include <cuda/atomic>
#include <limits>
#include <nv/target>
#include <string_view>

#include "cuda/formats.cuh"
#include "cuda/gpu.cuh"
#include "cuda/gpu_facts.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

namespace {

constexpr std::string_view kKinds[] = {"red", "atom", "returned", "shared", "atomic_ref", "plain"};
constexpr unsigned kKindCount = std::size(kKinds);

/// One addition, as bits.
struct Pair {
  std::string_view name;
  std::uint64_t cell;
  std::uint64_t value;
};

std::vector<Pair> pairs_of(Format format) {
  const FormatInfo& f = info(format);
  const std::uint64_t minus = std::uint64_t{1} << (f.bits - 1);
  const std::uint64_t least_normal = std::uint64_t{1} << (f.precision - 1);
  const std::uint64_t subnormal = least_normal / 3;
  const std::uint64_t one = round_to_bits(format, 1);
  const std::uint64_t infinity = round_to_bits(format, std::numeric_limits<double>::infinity());
  const std::uint64_t quiet = std::uint64_t{1} << (f.precision - 2);
  return {{"subnormals", subnormal, subnormal},
          {"subnormal_to_zero", 0, subnormal},
          {"minus_subnormal_to_zero", 0, minus | subnormal},
          {"zero_to_subnormal", subnormal, 0},
          {"subnormal_result", least_normal, minus | 1},
          {"normal_result", least_normal - 1, 1},
          {"minus_zeros", minus, minus},
          {"minus_zero_to_zero", 0, minus},
          {"subnormal_to_one", one, subnormal},
          {"overflow", infinity - 1, infinity - 1},
          {"infinities", infinity, minus | infinity},
          {"nan_cell", infinity | quiet | 5, one},
          {"minus_nan_value", one, minus | infinity | quiet | 5},
          {"signalling_nan_cell", infinity | 5, one}};
}

/// Thread i makes cells[i] + values[i] in every way; kind k goes to results[k * count + i].
template <class T>
__global__ void add_in_every_way(const T* cells, const T* values, unsigned count, T* results) {
  __shared__ T shared_cells[kWarp];
  const unsigned i = threadIdx.x;
  T* const result = results + i;  // of kind k: result[k * count]
  result[0] = cells[i];
  atomicAdd(&result[0], values[i]);
  result[count] = cells[i];
  result[2 * count] = atomicAdd(&result[count], values[i]);
  shared_cells[i] = cells[i];
  atomicAdd(&shared_cells[i], values[i]);
  result[3 * count] = shared_cells[i];
  result[4 * count] = cells[i];
  if constexpr (sizeof(T) >= sizeof(float))
    ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(result[4 * count])
        .fetch_add(values[i], ::cuda::std::memory_order_relaxed);
  result[5 * count] = cells[i] + values[i];
}

template <class T>
std::vector<CaptureEntry> pair_probes() {
  constexpr Format kFormat = FormatOf<T>::value;
  const std::vector<Pair> pairs = pairs_of(kFormat);
  std::vector<T> cells;
  std::vector<T> values;
  for (const Pair& pair : pairs) {
    cells.push_back(of_raw_bits<T>(pair.cell));
    values.push_back(of_raw_bits<T>(pair.value));
  }
  FreshMemory memory;
  Gpu gpu(memory);
  const auto count = static_cast<unsigned>(pairs.size());
  T* const results = gpu.zeros<T>(std::size_t{count} * kKindCount);
  gpu.launch("add_in_every_way", add_in_every_way<T>, 1, count, 0, gpu.input(std::span<const T>(cells)),
             gpu.input(std::span<const T>(values)), count, results);
  const std::vector<T> found = gpu.read(results, std::size_t{count} * kKindCount);

  std::vector<CaptureEntry> probes;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = bits_text(kFormat, pairs[i].cell) + " + " + bits_text(kFormat, pairs[i].value) + ":";
    for (std::size_t kind = 0; kind < kKindCount; ++kind)
      if (sizeof(T) >= sizeof(float) || kKinds[kind] != "atomic_ref")
        text += " " + std::string(kKinds[kind]) + " " + bits_text(kFormat, raw_bits(found[kind * count + i]));
    probes.push_back({"add_" + std::string(info(kFormat).name) + "_" + std::string(pairs[i].name), text});
  }
  return probes;
}

/// Leaves the cells as they are on a GPU without vector atomics.
template <class Vector>
__global__ void add_vector(Vector* cells, const Vector* values) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (atomicAdd(cells, *values);))
}

template <class Vector>
CaptureEntry vector_probe(const std::string& name) {
  constexpr std::size_t kParts = sizeof(Vector) / sizeof(float);
  const std::vector<Pair> pairs = pairs_of(Format::fp32);
  alignas(Vector) std::array<float, kParts> cells;
  alignas(Vector) std::array<float, kParts> values;
  constexpr std::size_t kChosen[] = {0, 4, 6};  // subnormals, a subnormal result, signed zeros
  std::string text;
  for (std::size_t i = 0; i < kParts; ++i) {
    const bool control = i + 1 == kParts;  // 1 + 1: an addition that was not made must not look like a flush
    const Pair& pair = pairs[kChosen[control ? 0 : i]];
    cells[i] = control ? 1.0F : of_raw_bits<float>(pair.cell);
    values[i] = control ? 1.0F : of_raw_bits<float>(pair.value);
  }
  FreshMemory memory;
  Gpu gpu(memory);
  auto* const sums = static_cast<Vector*>(memory.scratch(sizeof(Vector)));
  check(cudaMemcpy(sums, cells.data(), sizeof(Vector), cudaMemcpyHostToDevice), "cudaMemcpy");
  const void* const added = memory.input(values.data(), sizeof(Vector), 0);
  gpu.launch("add_vector", add_vector<Vector>, 1, 1, 0, sums, static_cast<const Vector*>(added));
  std::array<float, kParts> found;
  memory.copy_out(found.data(), sums, sizeof(Vector), false);
  for (std::size_t i = 0; i < kParts; ++i)
    text += (i == 0 ? "" : ", ") + bits_text(Format::fp32, raw_bits(cells[i])) + " + " +
            bits_text(Format::fp32, raw_bits(values[i])) + ": " + bits_text(Format::fp32, raw_bits(found[i]));
  return {"add_" + name, text};
}

}  // namespace

std::vector<CaptureEntry> addition_probes() {
  std::vector<CaptureEntry> all;
  for (const auto& part :
       {pair_probes<float>(), pair_probes<double>(), pair_probes<__half>(), pair_probes<__nv_bfloat16>()})
    all.insert(all.end(), part.begin(), part.end());
  all.push_back(vector_probe<float2>("float2"));
  all.push_back(vector_probe<float4>("float4"));
  return all;
}

}  // namespace orderlab::cuda
