// The description of a kernel, and the input and the result of one run. Plain C++: no CUDA in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab {

/// Threads of a warp.
inline constexpr unsigned kWarp = 32;

/// How a kernel is launched. The first three are b, items and grid of `tile`.
struct LaunchShape {
  unsigned threads = 0;  ///< threads of a thread block
  unsigned items = 1;    ///< terms that a thread takes in one pass
  unsigned grid = 0;     ///< thread blocks at most; 0: as many as the terms fill

  /// The value of __CUDA_ARCH__ of the GPU, for claims that depend on it: a run tells it, and the host's tensor cores
  /// are those of this GPU. 0: not told, the GPU that the host takes.
  unsigned architecture = 0;

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// Thread blocks that `n` terms need in this shape; at least one.
constexpr unsigned thread_blocks(const LaunchShape& shape, std::size_t n) {
  const std::size_t tile = std::size_t{shape.threads} * shape.items;
  const std::size_t full = n == 0 ? 1 : (n + tile - 1) / tile;
  return static_cast<unsigned>(shape.grid != 0 && shape.grid < full ? shape.grid : full);
}

/// The unit of a grid that does one float atomic: what `arrive` orders.
enum class ArrivalUnit : std::uint8_t { none, thread, warp, thread_block };

constexpr std::string_view name_of(ArrivalUnit unit) {
  constexpr std::string_view kArrivalUnitNames[] = {"none", "thread", "warp", "thread_block"};
  return kArrivalUnitNames[static_cast<std::size_t>(unit)];
}

/// Which executions of a kernel there can be.
enum class Runs : std::uint8_t {
  everywhere,   ///< its own source runs on a GPU and on the CPU
  gpu_only,     ///< a library's kernel: its order is checked on a GPU
  instruction,  ///< an instruction of some CPUs
};

/// Extents of the arrays of a kernel with many outputs: a source of rows x columns, outputs of bins x columns.
struct ArrayExtents {
  std::size_t rows = 0;
  std::size_t columns = 1;
  std::size_t bins = 0;  ///< 0: no index; one output for each element of the source

  constexpr std::size_t elements() const { return rows * columns; }
  constexpr std::size_t outputs() const { return (bins == 0 ? rows : bins) * columns; }

  friend bool operator==(const ArrayExtents&, const ArrayExtents&) = default;
};

/// What a kernel with many outputs claims: an operation along the first dimension of its source, and who does which
/// part of it. Contribution p is element p of the source, in C order.
struct OutputsClaim {
  std::string_view operation;      ///< as parse_operation reads it
  bool index_of_elements = false;  ///< each element of the source has an index of its own; else each row has one

  /// The arrays of a case with n elements, or few more.
  ArrayExtents (*extents)(std::size_t n, std::uint64_t seed) = nullptr;

  /// Each tile of the scan looks back over the tiles before it; how far is open, and recorded.
  bool looks_back = false;

  /// Contributions that arrive together, those of equal p / unit, in the launch map of the operation. 0: no order is
  /// open.
  std::size_t unit = 0;

  /// Number in the grid of the thread that adds contribution p, in a launch with that many thread blocks.
  std::size_t (*thread)(const LaunchShape& shape, std::size_t p) = nullptr;

  /// Indices that a source of these extents has.
  constexpr std::size_t indices(const ArrayExtents& arrays) const {
    return arrays.bins == 0 ? 0 : index_of_elements ? arrays.elements() : arrays.rows;
  }
};

/// GPUs by the value of __CUDA_ARCH__.
struct Architecture {
  unsigned number = 0;
  bool specific = false;  ///< with what no other GPU has, as sm_90a

  /// Whether code for this architecture has what `needed` has.
  constexpr bool has(const Architecture& needed) const {
    return needed.specific ? specific && number == needed.number : number >= needed.number;
  }

  friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// "sm_90a".
inline std::string to_string(const Architecture& architecture) {
  return "sm_" + std::to_string(architecture.number / 10) + (architecture.specific ? "a" : "");
}

/// The format of the type that with_type_of gives.
constexpr Format held_format(Format format) {
  if (format == Format::tf32) return Format::fp32;
  return format == Format::e4m3 || format == Format::e5m2 ? Format::fp16 : format;
}

/// A kernel as it describes itself.
struct KernelInfo {
  std::string_view name;
  std::string_view summary = {};
  std::string_view source = {};
  std::span<const Format> formats;      ///< formats of the terms and of the sums
  std::span<const LaunchShape> shapes;  ///< that cross-checks launch it with
  ArrivalUnit unit = ArrivalUnit::none;
  bool products = false;  ///< the terms are products x*y
  Runs runs = Runs::everywhere;

  /// No compiler fuses its products with additions: it rounds by intrinsics such as __fmul_rn and fuses by fma, or nvcc
  /// compiles it with --fmad=false.
  bool uncontracted = false;

  /// Terms, sums and result in formats that are not one, such as {fp16, fp32, fp16}: `run` is then called as
  /// run<TERM, SUM, RESULT>.
  std::span<const Formats> mixed_formats = {};

  /// The order that a launch over n terms follows, as an expression for parse_order. Of a kernel with a `map`, the
  /// order of what `map` makes of the terms. Null: the order is not known, and a cross-check reports the one it sees.
  std::string (*claim)(const LaunchShape& shape, std::size_t n) = nullptr;

  /// The claim of a kernel with many outputs, whose `claim` names the operation only; else null.
  const OutputsClaim* outputs = nullptr;

  /// GPUs that have its instructions. The host executor has them all.
  Architecture needs = {};

  constexpr bool has(Format format) const {
    for (const Format f : formats)
      if (f == format) return true;
    return false;
  }

  /// Whether it runs in these formats.
  constexpr bool runs_in(const Formats& wanted) const {
    for (const Formats& mixed : mixed_formats)
      if (mixed == wanted) return true;
    return wanted == Formats{wanted.terms, wanted.terms, wanted.terms} && has(wanted.terms);
  }

  /// Whether it runs in formats whose types are those of these.
  constexpr bool runs_in_types_of(const Formats& types) const {
    for (const Formats& mixed : mixed_formats)
      if (Formats{held_format(mixed.terms), held_format(mixed.accumulate), held_format(mixed.result)} == types)
        return true;
    return types == Formats{types.terms, types.terms, types.terms} && has(types.terms);
  }
};

inline constexpr std::array<Format, 2> kWide{Format::fp32, Format::fp64};
inline constexpr std::array<Format, 4> kEveryFormat{Format::fp32, Format::fp64, Format::fp16, Format::bf16};

/// "b,items,grid" of a launch over n terms, as `tile` and the named orders of thread blocks take them.
inline std::string tile_arguments(const LaunchShape& shape, std::size_t n) {
  return std::to_string(shape.threads) + "," + std::to_string(shape.items) + "," +
         std::to_string(thread_blocks(shape, n));
}

/// What one run takes. `y` holds the second factors of products, else nothing.
template <class T>
struct RunInput {
  std::span<const T> x;
  std::span<const T> y;
  LaunchShape shape;
  bool record = false;  ///< keep what the float atomics returned, and tickets

  // What a kernel with many outputs reads; its source is x.
  ArrayExtents extents = {};
  std::span<const T> self = {};              ///< first values of the outputs
  std::span<const std::int64_t> index = {};  ///< which outputs a row or an element of the source is added to
};

/// The arrays of a kernel with many outputs besides its source, for callers that know the format only when they run.
struct ArrayView {
  ArrayExtents extents = {};
  const void* self = nullptr;  ///< a number of the terms' format for each output; null: the kernel takes none
  std::span<const std::int64_t> index = {};
};

/// What one run gave: a result of type T from sums of type Sum.
template <class T, class Sum = T>
struct RunResult {
  T sum{};
  LaunchShape shape = {};          ///< as it was launched; a library's grid is known only afterwards
  std::vector<Sum> returned = {};  ///< for each arriving unit, what its float atomic returned; empty: not recorded
  /// The units in the order of integer tickets, each taken just before the atomic.
  std::vector<std::uint32_t> tickets = {};
  std::uint64_t temporary_bytes = 0;            ///< temporary storage that a library asked for
  std::vector<T> outputs = {};                  ///< results of a kernel with many; its `returned` is by contribution
  std::vector<std::uint32_t> looked_back = {};  ///< by tile of a scan, from its second: how many tiles
};

}  // namespace orderlab
