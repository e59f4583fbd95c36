// Fragments of tensor cores against plain loops over the matrices by the fused model. Longer than most files: every
// shape, layout and fault of three kinds of instructions.
#include <doctest/doctest.h>

#include <vector>

#include "orderlab/fused.hpp"
#include "orderlab/tensor_cores_on_host.hpp"
#include "orderlab/terms.hpp"
#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

/// rows x columns numbers of a format, row by row.
struct HostMatrix {
  Format format;
  std::size_t rows;
  std::size_t columns;
  std::vector<double> numbers;

  HostMatrix(Format f, std::size_t r, std::size_t c, std::uint64_t seed, const char* distribution = "normal(0,2)")
      : format(f), rows(r), columns(c) {
    const Terms drawn = generate_terms(distribution, r * c, f, seed);
    for (std::size_t i = 0; i < r * c; ++i) numbers.push_back(drawn.view().left(i));
  }

  double at(std::size_t row, std::size_t column) const { return numbers[row * columns + column]; }

  /// As T holds them, row by row or column by column.
  template <class T>
  std::vector<T> held(bool by_rows = true) const {
    std::vector<T> all;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      all.push_back(static_cast<T>(by_rows ? numbers[i] : at(i % rows, i / rows)));
    return all;
  }

  /// Their patterns; tf32 as fp32.
  std::vector<std::uint32_t> codes() const {
    const Format as = format == Format::tf32 ? Format::fp32 : format;
    std::vector<std::uint32_t> all;
    for (const double x : numbers) all.push_back(static_cast<std::uint32_t>(round_to_bits(as, x)));
    return all;
  }
};

/// Patterns of c + a b, each sum by the unit, `depth` products in an instruction.
std::vector<std::uint64_t> plain_product(const FusedUnit& unit, const HostMatrix& a, const HostMatrix& b,
                                         const HostMatrix& c, Format sums, std::size_t depth) {
  std::vector<std::uint64_t> d;
  for (std::size_t row = 0; row < a.rows; ++row)
    for (std::size_t column = 0; column < b.columns; ++column) {
      double sum = c.at(row, column);
      for (std::size_t first = 0; first < a.columns; first += depth) {
        std::vector<Factors> products;
        for (std::size_t k = first; k < first + depth; ++k) products.push_back({a.at(row, k), b.at(k, column)});
        sum = fused_sum(unit, sums, products, sum).sum;
      }
      d.push_back(round_to_bits(sums, sum));
    }
  return d;
}

template <class T>
std::vector<std::uint64_t> patterns(const std::vector<T>& numbers) {
  std::vector<std::uint64_t> all;
  for (const T& x : numbers) all.push_back(round_to_bits(kFormatOf<T>, static_cast<double>(x)));
  return all;
}

// ---- mma.sync. The places are those of the PTX ISA, written down from there for each format, element by element.

struct Place {
  unsigned row;
  unsigned column;
};

template <Format F>
struct Isa;

struct Isa16 {  // m16n8k16
  static constexpr unsigned kA = 8, kB = 4, kDepth = 16, kBits = 16;
  static Place a(unsigned g, unsigned t, unsigned i) {
    return {i < 2 || (i >= 4 && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
  }
  static Place b(unsigned g, unsigned t, unsigned i) { return {i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g}; }
};
template <>
struct Isa<Format::fp16> : Isa16 {};
template <>
struct Isa<Format::bf16> : Isa16 {};
template <>
struct Isa<Format::tf32> {  // m16n8k8
  static constexpr unsigned kA = 4, kB = 2, kDepth = 8, kBits = 32;
  static Place a(unsigned g, unsigned t, unsigned i) {
    return {i == 0 || i == 2 ? g : g + 8, i == 0 || i == 1 ? t : t + 4};
  }
  static Place b(unsigned g, unsigned t, unsigned i) { return {i == 0 ? t : t + 4, g}; }
};
struct Isa8 {  // m16n8k32
  static constexpr unsigned kA = 16, kB = 8, kDepth = 32, kBits = 8;
  static Place a(unsigned g, unsigned t, unsigned i) {
    return {i < 4 || (i >= 8 && i < 12) ? g : g + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
  }
  static Place b(unsigned g, unsigned t, unsigned i) { return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g}; }
};
template <>
struct Isa<Format::e4m3> : Isa8 {};
template <>
struct Isa<Format::e5m2> : Isa8 {};

/// d += a b. `swap`: rows of A change places as if the layout were another one.
template <Format F>
__global__ void isa_product(const std::uint32_t* a, const std::uint32_t* b, float* d, bool swap) {
  using I = Isa<F>;
  const unsigned g = threadIdx.x / 4;
  const unsigned t = threadIdx.x % 4;
  std::uint32_t of_a[4] = {};
  std::uint32_t of_b[2] = {};
  for (unsigned i = 0; i < I::kA; ++i) {
    const Place place = I::a(g, t, i);
    const unsigned row = swap ? place.row ^ 8 : place.row;
    of_a[i * I::kBits / 32] |= a[row * I::kDepth + place.column] << (i * I::kBits % 32);
  }
  for (unsigned i = 0; i < I::kB; ++i) {
    const Place place = I::b(g, t, i);
    of_b[i * I::kBits / 32] |= b[place.row * 8 + place.column] << (i * I::kBits % 32);
  }
  const auto place_of_sum = [=](unsigned i) { return (i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1); };
  float sums[4] = {};
  for (unsigned i = 0; i < 4; ++i) sums[i] = d[place_of_sum(i)];
  mma<F>(sums, of_a, of_b);
  for (unsigned i = 0; i < 4; ++i) d[place_of_sum(i)] = sums[i];
}

template <Format F>
struct IsaCase {
  HostMatrix a{F, 16, Isa<F>::kDepth, 1};
  HostMatrix b{F, Isa<F>::kDepth, 8, 2};
  HostMatrix c{Format::fp32, 16, 8, 3, "normal(0,8)"};

  std::vector<std::uint64_t> run(unsigned architecture, bool swap = false) const {
    simt::Device device(schedule(0));
    device.use_tensor_cores_of(architecture);
    const std::vector<std::uint32_t> of_a = a.codes();
    const std::vector<std::uint32_t> of_b = b.codes();
    const std::vector<float> of_c = c.held<float>();
    float* const d = device.copy(std::span(of_c));
    device.launch("isa_product", isa_product<F>, 1, 32, 0, device.input(std::span(of_a)), device.input(std::span(of_b)),
                  d, swap);
    return patterns(device.read(d, 128));
  }

  std::vector<std::uint64_t> expected(unsigned architecture) const {
    const FusedUnit* const unit = find_fused_unit(tensor_unit(TensorInstruction::mma, F, architecture));
    REQUIRE(unit != nullptr);
    return plain_product(*unit, a, b, c, Format::fp32, Isa<F>::kDepth);
  }
};

template <Format F>
void check_isa_product() {
  const IsaCase<F> one;
  CAPTURE(info(F).name);
  std::size_t known = 0;
  for (const unsigned architecture : {0U, 700U, 750U, 800U, 860U, 890U, 900U, 1000U, 1200U}) {
    if (find_fused_unit(tensor_unit(TensorInstruction::mma, F, architecture)) == nullptr) continue;
    CAPTURE(architecture);
    CHECK(one.run(architecture) == one.expected(architecture));
    ++known;
  }
  CHECK(known >= 5);
  CHECK(one.run(0, true) != one.expected(0));
  if (info(F).bits > 8) CHECK(one.run(0) != one.run(800));
}

// ---- wmma

template <class Layout>
constexpr bool kByRows = std::is_same_v<Layout, nvcuda::wmma::row_major>;

template <int m, int n, int k, class T, class Sum, class ALayout, class BLayout, class Stored>
__global__ void wmma_product(const Stored* a, const Stored* b, const Sum* c, Sum* d) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, m, n, k, T, ALayout> of_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, BLayout> of_b;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sums;
  wmma::load_matrix_sync(of_a, a, kByRows<ALayout> ? k : m);
  wmma::load_matrix_sync(of_b, b, kByRows<BLayout> ? n : k);
  wmma::load_matrix_sync(sums, c, m, wmma::mem_col_major);
  wmma::mma_sync(sums, of_a, of_b, sums);
  wmma::store_matrix_sync(d, sums, n, wmma::mem_row_major);
}

template <int m, int n, int k, class T, class Sum, class ALayout, class BLayout>
void check_wmma_product() {
  using Number = nvcuda::wmma::orderlab_host::Number<T>;
  using Stored = typename Number::Stored;
  const Format sum = kFormatOf<Sum>;
  const HostMatrix a(Number::format, m, k, 4);
  const HostMatrix b(Number::format, k, n, 5);
  const HostMatrix c(sum, m, n, 6);
  const std::vector<Stored> of_a = a.held<Stored>(kByRows<ALayout>);
  const std::vector<Stored> of_b = b.held<Stored>(kByRows<BLayout>);
  const std::vector<Sum> of_c = c.held<Sum>(false);
  simt::Device device(schedule(0));
  Sum* const d = device.uninitialised<Sum>(m * n);
  device.launch("wmma_product", wmma_product<m, n, k, T, Sum, ALayout, BLayout, Stored>, 1, 32, 0,
                device.input(std::span(of_a)), device.input(std::span(of_b)), device.input(std::span(of_c)), d);
  const FusedUnit* const unit = find_fused_unit(tensor_unit(TensorInstruction::mma, Number::format, 0));
  REQUIRE(unit != nullptr);
  CAPTURE(m);
  CAPTURE(info(Number::format).name);
  CAPTURE(info(sum).name);
  CHECK(patterns(device.read(d, m * n)) == plain_product(*unit, a, b, c, sum, k));
}

template <int m, int n, int k, class T, class Sum>
void check_wmma_layouts() {
  using nvcuda::wmma::col_major;
  using nvcuda::wmma::row_major;
  check_wmma_product<m, n, k, T, Sum, row_major, row_major>();
  check_wmma_product<m, n, k, T, Sum, row_major, col_major>();
  check_wmma_product<m, n, k, T, Sum, col_major, row_major>();
  check_wmma_product<m, n, k, T, Sum, col_major, col_major>();
}

// As kernels out there are written: a warp has a tile of 16 x 16 of D = alpha A B + beta C; A by rows, B by columns.

constexpr int kTile = 16;

__global__ void tiled_gemm(const half* a, const half* b, const float* c, float* d, int n, int k, float alpha,
                           float beta) {
  using namespace nvcuda::wmma;
  const int warp_m = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / static_cast<unsigned>(warpSize));
  const int warp_n = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int row = warp_m * kTile;
  const int column = warp_n * kTile;

  fragment<matrix_a, kTile, kTile, kTile, half, row_major> a_frag;
  fragment<matrix_b, kTile, kTile, kTile, half, col_major> b_frag;
  fragment<accumulator, kTile, kTile, kTile, float> acc_frag;
  fragment<accumulator, kTile, kTile, kTile, float> c_frag;
  fill_fragment(acc_frag, 0.0F);
  for (int i = 0; i < k; i += kTile) {
    load_matrix_sync(a_frag, a + row * k + i, static_cast<unsigned>(k));
    load_matrix_sync(b_frag, b + column * k + i, static_cast<unsigned>(k));
    mma_sync(acc_frag, a_frag, b_frag, acc_frag);
  }
  load_matrix_sync(c_frag, c + row * n + column, static_cast<unsigned>(n), mem_row_major);
  for (int i = 0; i < c_frag.num_elements; ++i) c_frag.x[i] = alpha * acc_frag.x[i] + beta * c_frag.x[i];
  store_matrix_sync(d + row * n + column, c_frag, static_cast<unsigned>(n), mem_row_major);
}

// ---- What is at fault

struct Missing {
  static __global__ void ended(float* out) {
    const std::uint32_t a[4] = {};
    const std::uint32_t b[2] = {};
    float sums[4] = {};
    if (threadIdx.x != 5) mma<Format::fp16>(sums, a, b);
    out[threadIdx.x] = sums[0];
  }
  static __global__ void elsewhere(float* out) {
    const std::uint32_t a[4] = {};
    const std::uint32_t b[2] = {};
    float sums[4] = {};
    if (threadIdx.x != 5)
      mma<Format::fp16>(sums, a, b);
    else
      mma<Format::fp16>(sums, a, b);
    out[threadIdx.x] = sums[0];
  }
  static __global__ void all(float* out) {
    const std::uint32_t a[4] = {};
    const std::uint32_t b[2] = {};
    float sums[4] = {};
    mma<Format::e4m3>(sums, a, b);
    out[threadIdx.x] = sums[0];
  }
};

template <int offset, unsigned stride>
__global__ void load_tile(float* memory) {
  using namespace nvcuda;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::load_matrix_sync(sums, memory + offset, stride, wmma::mem_row_major);
  wmma::store_matrix_sync(memory + offset, sums, stride, wmma::mem_row_major);
}

/// Tiles of zeros; that of A begins `offset` bytes late, and its blocks of rows are `across` bytes apart.
template <unsigned offset, unsigned across>
__global__ void multiply_tiles(float* memory) {
  __shared__ __align__(128) std::uint32_t tiles[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) tiles[i] = 0;
  __syncthreads();
  float sums[4] = {1, 1, 1, 1};
  const SharedTile a{reinterpret_cast<const unsigned char*>(tiles) + offset, 128, across};
  wgmma<Format::fp16>(sums, a, {tiles, 128, 256});
  memory[threadIdx.x] = sums[0];
}

__global__ void read_after_store(float* memory, bool wait) {
  using namespace nvcuda;
  __shared__ float tile[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 1.0F);
  wmma::store_matrix_sync(tile, sums, 16, wmma::mem_row_major);
  if (wait) __syncwarp();
  for (unsigned i = 0; i < 8; ++i) memory[8 * threadIdx.x + i] = tile[8 * threadIdx.x + i];
}

}  // namespace

TEST_CASE("mma.sync has the layouts of the PTX ISA, and each sum the bits of the unit, from its start on") {
  check_isa_product<Format::fp16>();
  check_isa_product<Format::bf16>();
  check_isa_product<Format::tf32>();
  check_isa_product<Format::e4m3>();
  check_isa_product<Format::e5m2>();
}

TEST_CASE("factors of tf32 are cut, not rounded") {
  IsaCase<Format::tf32> one;
  const auto expected = one.run(0);
  for (HostMatrix* matrix : {&one.a, &one.b}) {
    matrix->format = Format::fp32;
    for (double& x : matrix->numbers) x = value_of_bits(Format::fp32, round_to_bits(Format::fp32, x) | 0x1FFF);
  }
  CHECK(one.run(0) == expected);
  CHECK(nvcuda::wmma::__float_to_tf32(1 + 0x1p-11F) == 1 + 0x1p-10F);
  CHECK(nvcuda::wmma::__float_to_tf32(-1 - 0x1.8p-12F) == -1.0F);
  CHECK(nvcuda::wmma::__float_to_tf32(HUGE_VALF) == HUGE_VALF);
}

TEST_CASE("fragments of wmma of every shape, format and layout have the bits of the unit") {
  check_wmma_layouts<16, 16, 16, half, float>();
  check_wmma_layouts<32, 8, 16, half, float>();
  check_wmma_layouts<8, 32, 16, half, float>();
  check_wmma_layouts<16, 16, 16, half, half>();
  check_wmma_layouts<32, 8, 16, half, half>();
  check_wmma_layouts<8, 32, 16, half, half>();
  check_wmma_layouts<16, 16, 16, nv_bfloat16, float>();
  check_wmma_layouts<32, 8, 16, nv_bfloat16, float>();
  check_wmma_layouts<8, 32, 16, nv_bfloat16, float>();
  check_wmma_layouts<16, 16, 8, nvcuda::wmma::precision::tf32, float>();
}

TEST_CASE("a fragment has as many numbers as on a GPU") {
  using namespace nvcuda::wmma;
  CHECK(fragment<matrix_a, 16, 16, 16, half, row_major>::num_elements == 16);
  CHECK(fragment<matrix_b, 8, 32, 16, half, col_major>::num_elements == 16);
  CHECK(fragment<matrix_a, 16, 16, 16, nv_bfloat16, row_major>::num_elements == 8);
  CHECK(fragment<matrix_a, 32, 8, 16, nv_bfloat16, row_major>::num_elements == 16);
  CHECK(fragment<matrix_b, 32, 8, 16, nv_bfloat16, row_major>::num_elements == 4);
  CHECK(fragment<matrix_a, 16, 16, 8, precision::tf32, row_major>::num_elements == 4);
  CHECK(fragment<accumulator, 8, 32, 16, float>::num_elements == 8);
  CHECK(fragment<accumulator, 16, 16, 16, half>::num_elements == 8);
}

TEST_CASE("a tiled product as others write it runs unchanged") {
  constexpr int m = 64;
  constexpr int n = 32;
  constexpr int k = 80;
  const HostMatrix a(Format::fp16, m, k, 7);
  const HostMatrix b(Format::fp16, k, n, 8);
  const HostMatrix c(Format::fp32, m, n, 9);
  HostMatrix zero = c;
  for (double& x : zero.numbers) x = 0;
  const std::vector<half> of_a = a.held<half>();
  const std::vector<half> of_b = b.held<half>(false);
  const std::vector<float> of_c = c.held<float>();
  simt::Device device(schedule(1, 4));
  float* const d = device.uninitialised<float>(m * n);
  device.launch("tiled_gemm", tiled_gemm, {2, 2}, 64, 0, device.input(std::span(of_a)), device.input(std::span(of_b)),
                device.input(std::span(of_c)), d, n, k, 0.5F, 2.0F);
  std::vector<float> expected;
  const auto sums = plain_product(*find_fused_unit("h100_fp16"), a, b, zero, Format::fp32, 16);
  for (std::size_t i = 0; i < sums.size(); ++i)
    expected.push_back(0.5F * static_cast<float>(value_of_bits(Format::fp32, sums[i])) + 2.0F * of_c[i]);
  CHECK(patterns(device.read(d, m * n)) == patterns(expected));
}

TEST_CASE("all 32 lanes of a warp take part in a matrix product, at one place") {
  CHECK(contains(fault_of(Missing::ended, 1, 32), "and lane 5 has ended (at tensor_cores_test.cpp:"));
  CHECK(contains(fault_of(Missing::all, 1, 31), "and lane 31 does not exist; launch whole warps (at "));
  CHECK(contains(fault_of(Missing::elsewhere, 1, 32), "waits for ever for thread "));
  CHECK(fault_of(Missing::all, 1, 64).empty());
  CHECK(contains(fault_of(load_tile<0, 16>, 1, 16, 256), "lane 16 does not exist"));
}

TEST_CASE("tensor cores that lack an instruction are named") {
  simt::Device device(schedule(0));
  device.use_tensor_cores_of(800);
  float* const out = device.zeros<float>(32);
  CHECK(contains(fault_of([&] { device.launch("all", Missing::all, 1, 32, 0, out); }),
                 "multiplies matrices of e4m3, for which the tensor cores of compute capability 8.0"));
}

TEST_CASE("a matrix in memory is aligned as CUDA asks for") {
  CHECK(fault_of(load_tile<0, 16>, 1, 32, 256).empty());
  CHECK(contains(fault_of(load_tile<4, 16>, 1, 32, 300), "the address is not a multiple of 32"));
  CHECK(contains(fault_of(load_tile<0, 18>, 1, 32, 300), "are 72 bytes apart; that must be a multiple of 16"));
  CHECK(contains(fault_of(load_tile<0, 16>, 1, 32, 255), "out of bounds"));
}

TEST_CASE("tiles of wgmma begin and lie at multiples of 16 bytes") {
  CHECK(fault_of(multiply_tiles<0, 256>, 1, 128, 128).empty());
  CHECK(fault_of(multiply_tiles<16, 272>, 1, 128, 128).empty());
  CHECK(contains(fault_of(multiply_tiles<4, 256>, 1, 128, 128), "the address is not a multiple of 16"));
  CHECK(contains(fault_of(multiply_tiles<0, 264>, 1, 128, 128), "are 264 bytes apart; that must be a multiple of 16"));
}

TEST_CASE("a store of a matrix is read by other lanes behind a barrier only") {
  simt::Device device(schedule(0));
  float* const out = device.zeros<float>(256);
  const auto fault = [&](bool wait) {
    return fault_of([&] { device.launch("read_after_store", read_after_store, 1, 32, 0, out, wait); });
  };
  CHECK(fault(true).empty());
  CHECK(!fault(false).empty());  // not written yet, or a conflict
}

TEST_CASE("every instruction of a listed GPU has a unit that is built, and others have none") {
  const auto known = [](TensorInstruction instruction, Format format, unsigned architecture) {
    const FusedUnit* const unit = find_fused_unit(tensor_unit(instruction, format, architecture));
    return unit != nullptr && unit->built() && unit->terms == format;
  };
  for (const TensorCores& cores : kTensorCores)
    for (const Format format : {Format::fp16, Format::bf16, Format::tf32, Format::e4m3, Format::e5m2}) {
      CAPTURE(cores.architecture);
      CAPTURE(info(format).name);
      const unsigned least = format == Format::fp16 ? 700 : info(format).bits > 8 ? 800 : 890;
      CHECK(known(TensorInstruction::mma, format, cores.architecture) == (cores.architecture >= least));
      CHECK(known(TensorInstruction::wgmma, format, cores.architecture) == (cores.architecture == 900));
    }
  CHECK(tensor_unit(TensorInstruction::mma, Format::e4m3, 0) == "h100_e4m3_mma");
  CHECK(tensor_unit(TensorInstruction::wgmma, Format::e4m3, 0) == "h100_e4m3_wgmma");
  CHECK(tensor_unit(TensorInstruction::mma, Format::tf32, 870) == "a100_tf32");
}
