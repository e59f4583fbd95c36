// Are atomics of one instruction, of one thread block or of a grid added to the cell one by one?
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "cuda/formats.cuh"
#include "cuda/gpu.cuh"
#include "cuda/gpu_facts.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::cuda {

namespace {

constexpr int kRepeats = 200;

template <class T>
__global__ void add_ones(T* cell, T start, T one, unsigned* other_values) {
  __shared__ T shared_cell;
  if (threadIdx.x == 0) shared_cell = start;
  __syncthreads();
  atomicAdd(&cell[0], one);
  const T before = atomicAdd(&cell[1], one);
  if (raw_bits(before) != raw_bits(start)) atomicAdd(other_values, 1U);
  atomicAdd(&shared_cell, one);
  __syncthreads();
  if (threadIdx.x == 0 && raw_bits(shared_cell) != raw_bits(start)) cell[2] = shared_cell;
}

/// Adds 1 from every thread to 2^p, p the precision of T. One by one, every sum is a tie that rounds to 2^p again, in
/// whatever order; as soon as two are added to each other first, the result is larger.
template <class T>
CaptureEntry ones_probe(unsigned grid, unsigned threads) {
  constexpr Format kFormat = FormatOf<T>::value;
  const T start = of_raw_bits<T>(round_to_bits(kFormat, 1 / info(kFormat).unit_roundoff()));
  const T one = of_raw_bits<T>(round_to_bits(kFormat, 1));
  const std::vector<T> starts(3, start);
  std::map<std::string, int> results;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    FreshMemory memory;
    Gpu gpu(memory);
    T* const cells = gpu.scratch<T>(starts.size());
    check(cudaMemcpy(cells, starts.data(), starts.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    unsigned* const others = gpu.zeros<unsigned>(1);
    gpu.launch("add_ones", add_ones<T>, grid, threads, 0, cells, start, one, others);
    const std::vector<T> found = gpu.read(cells, starts.size());
    ++results["red " + bits_text(kFormat, raw_bits(found[0])) + " atom " + bits_text(kFormat, raw_bits(found[1])) +
              " returned_others " + std::to_string(gpu.result(others)) + " shared " +
              bits_text(kFormat, raw_bits(found[2]))];
  }
  std::string text = "from " + bits_text(kFormat, raw_bits(start)) + ":";
  for (const auto& [result, count] : results) text += " " + result + " in " + std::to_string(count) + " runs";
  return {"ones_" + std::string(info(kFormat).name) + "_" + std::to_string(grid) + "x" + std::to_string(threads), text};
}

template <class T>
__global__ void add_one_warp(const T* values, T* cells, T* returned) {
  atomicAdd(&cells[0], values[threadIdx.x]);
  returned[threadIdx.x] = atomicAdd(&cells[1], values[threadIdx.x]);
}

/// The lanes in the order in which their atomics returned, if adding one by one in that order returns just that and
/// leaves `sum`. All values are at least 1 and their sum is far below 2^24, so that no two return the same.
template <class T>
bool one_by_one(const std::vector<T>& values, const std::vector<T>& returned, T sum, std::vector<unsigned>& lanes) {
  lanes.resize(values.size());
  std::iota(lanes.begin(), lanes.end(), 0U);
  std::ranges::sort(lanes, {}, [&](unsigned lane) { return returned[lane]; });
  T cell{};
  for (const unsigned lane : lanes) {
    if (raw_bits(cell) != raw_bits(returned[lane])) return false;
    cell += values[lane];
  }
  return raw_bits(cell) == raw_bits(sum);
}

template <class T>
CaptureEntry warp_probe() {
  constexpr std::uint64_t kSeed = 1;
  const RandomStream draws(kSeed, streams::kTerms, 0);
  std::vector<T> values;
  for (unsigned lane = 0; lane < kWarp; ++lane)
    values.push_back(static_cast<T>((1 + 0x1p-32 * draws.block(lane)[0]) * (1 << (lane % 4 * 3))));

  std::set<std::uint64_t> red;
  std::set<std::uint64_t> atom;
  std::set<std::vector<unsigned>> orders;
  int broken = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    FreshMemory memory;
    Gpu gpu(memory);
    T* const cells = gpu.zeros<T>(2);
    T* const returned = gpu.zeros<T>(kWarp);
    gpu.launch("add_one_warp", add_one_warp<T>, 1, kWarp, 0, gpu.input(std::span<const T>(values)), cells, returned);
    const std::vector<T> found = gpu.read(cells, 2);
    std::vector<unsigned> lanes;
    if (!one_by_one(values, gpu.read(returned, kWarp), found[1], lanes)) ++broken;
    red.insert(raw_bits(found[0]));
    atom.insert(raw_bits(found[1]));
    orders.insert(lanes);
  }
  std::string text = std::to_string(kRepeats) + " runs, " + std::to_string(broken) + " not one by one, " +
                     std::to_string(orders.size()) + " orders of the lanes, results: red " +
                     std::to_string(red.size()) + ", atom " + std::to_string(atom.size()) + "; first order";
  for (const unsigned lane : *orders.begin()) text += " " + std::to_string(lane);
  return {"warp_" + std::string(info(FormatOf<T>::value).name), text};
}

}  // namespace

std::vector<CaptureEntry> combination_probes() {
  std::vector<CaptureEntry> all{warp_probe<float>(), warp_probe<double>()};
  for (const auto& [grid, threads] : {std::pair{1U, kWarp}, std::pair{1U, 1024U}, std::pair{512U, 256U}})
    for (CaptureEntry (*probe)(unsigned, unsigned) :
         {&ones_probe<float>, &ones_probe<double>, &ones_probe<__half>, &ones_probe<__nv_bfloat16>})
      all.push_back(probe(grid, threads));
  return all;
}

}  // namespace orderlab::cuda
