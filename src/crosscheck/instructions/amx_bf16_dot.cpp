// TDPBF16PS: to each fp32 number of a tile it adds 32 products of bf16 numbers, from a row of one tile and a column of
// another. Linux gives a process the registers of tiles when it asks for them.
#include "crosscheck/instructions/instruction.hpp"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace orderlab {

namespace {

constexpr std::size_t kTileRows = 16;
constexpr std::size_t kTilePairs = 16;  // in a row of factors; numbers in a row of sums

constexpr LaunchShape kTdpShapes[] = {{.threads = kTileRows * kTilePairs}};
constexpr Formats kTdpFormats[] = {{Format::bf16, Format::fp32, Format::fp32}};

#if defined(__x86_64__) && defined(__linux__)

/// What LDTILECFG reads.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

struct alignas(64) Tile {
  std::array<std::array<std::uint32_t, kTilePairs>, kTileRows> rows{};
};

/// The upper and lower half of a register that says which registers the system saves.
std::uint64_t enabled_states() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

bool has_amx_bf16() {
  constexpr unsigned kOsxsave = 1U << 27;                   // leaf 1, ecx
  constexpr unsigned kAmxBf16 = 1U << 22;                   // leaf 7, edx
  constexpr unsigned kAmxTile = 1U << 24;                   // leaf 7, edx
  constexpr std::uint64_t kTiles = std::uint64_t{3} << 17;  // their configuration and their data
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsxsave) == 0) return false;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return (d & kAmxBf16) != 0 && (d & kAmxTile) != 0 && (enabled_states() & kTiles) == kTiles;
}

/// Asks Linux for the registers, once for all threads of the process.
bool may_use_tiles() {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;
  static const bool kPermitted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return kPermitted;
}

std::string tdp_problem() {
  if (!has_amx_bf16()) return "this CPU lacks AMX_BF16";
  return may_use_tiles() ? "" : "Linux does not let this process use AMX";
}

/// Adds the products of x and y to every number of the tile `sums`. Every row of x is the same, every column of y.
__attribute__((target("amx-tile,amx-bf16"))) void tdp_sums(std::span<const Tile> x, std::span<const Tile> y,
                                                           Tile& sums) {
  constexpr long kStride = sizeof(sums.rows[0]);
  TileConfig config;
  for (std::size_t tile = 0; tile < 3; ++tile) {
    config.row_bytes[tile] = kStride;
    config.rows[tile] = kTileRows;
  }
  // g++'s intrinsics do not say which memory they read.
  __asm__ volatile("" : : "r"(&config), "r"(x.data()), "r"(y.data()) : "memory");
  _tile_loadconfig(&config);
  _tile_zero(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    _tile_loadd(1, x[i].rows.data(), kStride);
    _tile_loadd(2, y[i].rows.data(), kStride);
    _tile_dpbf16ps(0, 1, 2);
  }
  _tile_stored(0, sums.rows.data(), kStride);
  _tile_release();
}

std::vector<std::uint32_t> tdp_sums_of(const FactorCodes& factors, const LaunchShape&) {
  const std::vector<std::uint32_t> x = code_pairs(factors.x, kTilePairs);
  const std::vector<std::uint32_t> y = code_pairs(factors.y, kTilePairs);
  std::vector<Tile> rows(x.size() / kTilePairs);
  std::vector<Tile> columns(rows.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < kTileRows; ++k) {
      rows[i / kTilePairs].rows[k][i % kTilePairs] = x[i];
      columns[i / kTilePairs].rows[i % kTilePairs][k] = y[i];
    }
  Tile sums;
  tdp_sums(rows, columns, sums);
  std::vector<std::uint32_t> all;
  for (const auto& row : sums.rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

#else

std::string tdp_problem() { return "AMX_BF16 is used on Linux on x86-64 only"; }
std::vector<std::uint32_t> tdp_sums_of(const FactorCodes&, const LaunchShape&) { return {}; }

#endif

}  // namespace

extern const Instruction kAmxBf16Dot;
const Instruction kAmxBf16Dot{
    .kernel = {.name = "amx_bf16_dot",
               .summary = "dot product by TDPBF16PS, an instruction of CPUs with AMX_BF16",
               .source = "Intel's Software Developer's Manual",
               .formats = {},
               .shapes = kTdpShapes,
               .products = true,
               .runs = Runs::instruction,
               .uncontracted = true,
               .mixed_formats = kTdpFormats,
               .claim = [](const LaunchShape&, std::size_t) -> std::string { return "fused(amx_bf16)"; }},
    .name = "TDPBF16PS",
    .problem = tdp_problem,
    .sums = tdp_sums_of,
};

}  // namespace orderlab
