// The named orders, one line each: a name, an expression with defaults for its parameters, a source, a device.
#include <array>
#include <iterator>
#include <string>

#include "order/rest.hpp"
#include "order/stages/cub_load.hpp"
#include "order/stages/double_tree.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Parameter kBlock[] = {{.name = "b", .kind = ParameterKind::count, .default_text = "64", .low = 1},
                                {.name = "items", .kind = ParameterKind::count, .default_text = "2", .low = 1},
                                {.name = "grid", .kind = ParameterKind::count, .default_text = "-", .low = 1}};
constexpr Parameter kSimdLanes[] = {{.name = "w", .kind = ParameterKind::count, .default_text = "8", .low = 1}};
constexpr Parameter kGccLoop[] = {{.name = "w", .kind = ParameterKind::count, .default_text = "8", .low = 1},
                                  {.name = "epilogue", .kind = ParameterKind::count, .default_text = "4", .low = 1}};
constexpr Parameter kClangLoop[] = {{.name = "w", .kind = ParameterKind::count, .default_text = "8", .low = 1},
                                    {.name = "u", .kind = ParameterKind::count, .default_text = "4", .low = 1},
                                    {.name = "epilogue", .kind = ParameterKind::count, .default_text = "1", .low = 1}};
constexpr Parameter kPacket[] = {{.name = "w", .kind = ParameterKind::count, .default_text = "4", .low = 1}};
constexpr Parameter kGrain[] = {{.name = "grain", .kind = ParameterKind::count, .default_text = "1", .low = 1}};
constexpr Parameter kWarp[] = {{.name = "w", .kind = ParameterKind::count, .default_text = "32", .low = 1, .high = 32}};
constexpr Parameter kTileThreads[] = {
    {.name = "b", .kind = ParameterKind::count, .default_text = "32", .low = 1, .high = 1024}};
constexpr Parameter kOneBlock[] = {
    {.name = "b", .kind = ParameterKind::count, .default_text = "256", .low = 1, .high = 1024}};

// 132 multiprocessors of an H200, 8 resident thread blocks of CUB's kernel on each, and CUB's subscription factor 5.
constexpr Parameter kGrid = {.name = "blocks", .kind = ParameterKind::count, .default_text = "5280", .low = 1};
constexpr Parameter kGridOnly[] = {kGrid};
constexpr Parameter kGridAndLoad[] = {kGrid, kCubLoadParameter};

constexpr Parameter kTreeThreads[] = {{.name = "t", .kind = ParameterKind::count, .default_text = "8", .low = 5}};
constexpr Parameter kThreads[] = {
    {.name = "t", .kind = ParameterKind::count, .default_text = "8", .low = 1},
    {.name = "lanes", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
    {.name = "u", .kind = ParameterKind::count, .default_text = "1", .low = 1, .keyword_only = true},
    {.name = "chunk", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
    {.name = "rest",
     .kind = ParameterKind::choice,
     .default_text = "keep",
     .choices = kRestOfLanesNames,
     .keyword_only = true},
    {.name = "to", .kind = ParameterKind::count, .default_text = "1", .low = 1, .keyword_only = true}};

// All-reduce orders: term i is what rank i owns of one element, or position i of a ring or chain that is not in rank
// order. They add in the format of the sums at every hop.
constexpr Parameter kRingChunk[] = {{.name = "chunk", .kind = ParameterKind::count, .default_text = "0"}};
constexpr Parameter kRingBlock[] = {{.name = "block", .kind = ParameterKind::count, .default_text = "0"}};
constexpr Parameter kRoot[] = {{.name = "root", .kind = ParameterKind::count, .default_text = "0"}};
constexpr Parameter kHosts[] = {{.name = "gpus", .kind = ParameterKind::count, .default_text = "8", .low = 1},
                                kNcclTreeParameter,
                                kNcclPatternParameter};

/// A named order, and what programs add in it on.
struct ListedOrder {
  NamedOrder order;
  OrderDevice device;
};

// clang-format off
constexpr ListedOrder kListed[] = {
    {{"sequential", {}, "seq", "recursive summation", "[Higham1993]"}, OrderDevice::any},
    {{"random", {}, "shuffle | seq", "random permutation, added left to right", "[Higham1993]"}, OrderDevice::any},
    {{"random_tree", {}, "shuffle | tree", "uniform over all (2n-3)!! summation trees", "[Remy1985]"}, OrderDevice::any},
    {{"pairwise", {}, "pairwise", "cascade summation", "[Higham1993]"}, OrderDevice::any},
    {{"numpy", {}, "numpy", "numpy.sum on a contiguous array", "NumPy 1.24"}, OrderDevice::cpu},
    {{"simd", kSimdLanes, "strided(w) | halving(w)", "a vectorised loop with w lanes", "[Harris2007]"}, OrderDevice::cpu},
    {{"gcc_simd", kGccLoop, "strided(w,rest=keep) | halving(w,to=epilogue,rest=keep) | strided(epilogue,rest=keep) | halving(epilogue,rest=keep) | seq(from=zero)", "a loop that g++ vectorised with w lanes, and its remainder with `epilogue` lanes (1: none), the rest in turn. fp32: 4,1 with SSE, 8,4 with AVX2, 16,8 with AVX-512; fp64: 2,1, 4,1 and 8,4", "g++ 12 -O3 -ffast-math; measured"}, OrderDevice::cpu},
    {{"clang_simd", kClangLoop, "strided(w,u=u,rest=keep) | lanes(w,u,rows=adjacent,to=1,rest=carry) | strided(epilogue,rest=keep) | halving(epilogue,rest=keep) | seq(from=zero)", "a loop that clang vectorised with u vectors of w lanes, and its remainder with `epilogue` lanes (1: none), the rest in turn. fp32: 4,2 with SSE, 8,4 with AVX2, 16,4,8 with AVX-512; fp64: 2,2, 4,4 and 8,4", "clang 16 -O3 -ffast-math; measured"}, OrderDevice::cpu},
    {{"eigen", kPacket, "strided(w,u=2,rest=keep) | lanes(w,2,rest=keep) | strided(w,rest=keep) | halving(w,rest=keep) | seq", "Eigen's sum() of a vector that starts at the boundary of a packet of w terms. fp32: 4 with SSE, 8 with AVX, 16 with AVX-512; fp64: half of these", "Eigen 3.4, Core/Redux.h; measured"}, OrderDevice::cpu},
    {{"numpy_einsum", kPacket, "lanes(w,4,rows=adjacent,rest=keep) | strided(w,from=zero) | adjacent(w)", "numpy.einsum('i->', x) of a contiguous array, in vectors of w terms: 4 for fp32, 2 for fp64", "NumPy 1.24, einsum_sumprod.c.src; measured"}, OrderDevice::cpu},
    {{"std_reduce", {}, "adjacent(4,rest=keep) | seq(from=zero)", "std::reduce and std::transform_reduce of random access iterators without an execution policy, from 0.0", "libstdc++ 12, numeric"}, OrderDevice::cpu},
    {{"polars", {}, "polars", "Polars' sum of a column of floats in one chunk without nulls", "Polars, crates/polars-compute/src/float_sum.rs"}, OrderDevice::cpu},
    {{"tbb_deterministic", kGrain, "pairwise(grain,from=zero,half=down)", "tbb::parallel_deterministic_reduce of a blocked_range with that grain size: longer ranges are halved, the left half rounded down; each part is added in turn from 0.0", "oneTBB 2021, parallel_reduce.h and blocked_range.h"}, OrderDevice::cpu},
    {{"warp", {}, "halving(32) | arrive | seq(acc=atomic)", "one shuffle tree per warp, warp sums added atomically", "[Harris2007]"}, OrderDevice::gpu},
    {{"ao", {}, "arrive | seq(acc=atomic)", "one atomicAdd per term", "[Shanmugavelu2024]"}, OrderDevice::gpu},
    {{"spa", kBlock, "tile(b,items,grid) | halving(b) | arrive | seq(acc=atomic)", "block tree, one atomicAdd per thread block", "[Shanmugavelu2024]"}, OrderDevice::gpu},
    {{"sptr", kBlock, "tile(b,items,grid) | halving(b) | strided(b,from=zero) | halving(b)", "the last thread block reduces the block sums by the same tree", "[Shanmugavelu2024]"}, OrderDevice::gpu},
    {{"sprg", kBlock, "tile(b,items,grid) | halving(b) | seq(from=zero)", "the last thread block's first thread adds the block sums in turn", "[Shanmugavelu2024]"}, OrderDevice::gpu},
    {{"tprc", kBlock, "tile(b,items,grid) | halving(b) | seq(from=zero)", "block sums copied to the host and added there", "[Shanmugavelu2024]"}, OrderDevice::gpu},
    {{"tprc_neumaier", kBlock, "tile(b,items,grid) | halving(b) | seq(acc=neumaier)", "as tprc, with Neumaier's compensated sum of the block sums", "[Shanmugavelu2024]"}, OrderDevice::gpu},
    {{"cub", kGridAndLoad, "cub_tile(blocks,load) | adjacent(32) | seq(8) | cub_tile(1) | adjacent(32) | seq(8) | seq(from=zero)", "cub::DeviceReduce::Sum; at most 5280 thread blocks on an H200; load=striped for unaligned pointers and other iterators", "CUB 3.0.1"}, OrderDevice::gpu},
    {{"thrust", kGridOnly, "cub(blocks,striped)", "thrust::reduce over iterators of a device_vector; over raw pointers it is cub", "Thrust 3.0.1"}, OrderDevice::gpu},
    {{"cub_warp", kWarp, "strided(w) | adjacent(w)", "cub::WarpReduce of one warp of w lanes; lane t takes t, t+w, ...", "CUB 3.0.1"}, OrderDevice::gpu},
    {{"cub_block", kOneBlock, "strided(b) | adjacent(32) | seq", "cub::BlockReduce (warp reductions) of one thread block of b threads; thread t takes t, t+b, ...", "CUB 3.0.1"}, OrderDevice::gpu},
    {{"cub_block_raking", kOneBlock, "strided(b) | cub_rake(b) | adjacent(32)", "as cub_block, with BLOCK_REDUCE_RAKING", "CUB 3.0.1"}, OrderDevice::gpu},
    {{"cub_block_raking_commutative", kOneBlock, "strided(b) | cub_rake(b,commutative_only) | adjacent(32)", "as cub_block, with BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY", "CUB 3.0.1"}, OrderDevice::gpu},
    {{"cg", kTileThreads, "strided(b,from=zero) | halving(32) | halving(32)", "cooperative_groups::reduce of one tile of b threads (a power of two up to 1024); thread t takes t, t+b, ...", "CUDA 13.0, cooperative_groups/reduce.h"}, OrderDevice::gpu},
    {{"nccl_ring", kRingChunk, "rotate(chunk,last) | seq", "NCCL's ring all-reduce of n ranks, in the order of the ring: the sum of a chunk starts after the rank of its number and ends at it", "NCCL, src/device/all_reduce.h"}, OrderDevice::gpu},
    {{"nccl_tree", kHosts, "double_tree(gpus,tree,pattern)", "NCCL's tree all-reduce of n ranks, a chain within each host, from its end, then a binary tree of hosts; each of the two trees serves half of the channels", "NCCL, src/graph/trees.cc and connect.cc"}, OrderDevice::gpu},
    {{"mpi_recursive_doubling", {}, "power_of_two | pairwise", "MPI_Allreduce of n ranks by recursive doubling: pairs of the first ranks until a power of two is left, then distances 1, 2, 4, ...", "MPICH; Open MPI, coll_base_allreduce.c"}, OrderDevice::cpu},
    {{"mpi_rabenseifner", {}, "mpi_recursive_doubling", "MPI_Allreduce of n ranks by reduce-scatter and allgather (Rabenseifner): each element is added in the order of recursive doubling, so the bits are the same", "MPICH; Open MPI, coll_base_allreduce.c"}, OrderDevice::cpu},
    {{"ompi_ring", kRingBlock, "rotate(block) | seq", "Open MPI's ring all-reduce of n ranks: a block starts at the rank of its number; with fewer elements than ranks it uses recursive doubling", "Open MPI, coll_base_allreduce.c"}, OrderDevice::cpu},
    {{"mpi_binomial", kRoot, "rotate(root) | rank_tree(binomial)", "MPI_Reduce of n ranks by a binomial tree", "MPICH 4.0, reduce_intra_binomial.c; Open MPI 4.1, coll_base_reduce.c; measured"}, OrderDevice::cpu},
    {{"ompi_binary", kRoot, "rotate(root) | rank_tree(levels)", "Open MPI's MPI_Reduce of n ranks by a binary tree: short messages of up to 31 ranks", "Open MPI 4.1, coll_base_topo.c; measured"}, OrderDevice::cpu},
    {{"ompi_chain", kRoot, "rotate(root) | reverse | seq", "Open MPI's MPI_Reduce of n ranks by a chain that ends at the root, in segments (pipeline) or whole", "Open MPI 4.1, coll_base_topo.c; measured"}, OrderDevice::cpu},
    {{"ompi_linear", {}, "reverse | seq", "Open MPI's MPI_Reduce of n ranks at the root, which receives from the last rank first", "Open MPI 4.1, coll_base_reduce.c; measured"}, OrderDevice::cpu},
    {{"ompi_in_order", {}, "rank_tree(in_order)", "Open MPI's MPI_Reduce of n ranks by an in-order binary tree: some short messages of 256 ranks and more, operations of a program's own", "Open MPI 4.1, coll_base_topo.c; measured"}, OrderDevice::cpu},
    {{"openmp", kThreads, "chunks(t,chunk=chunk,each=strided(lanes,rest=rest,u=u) | lanes(lanes,u,rest=keep,rows=adjacent,to=to)) | arrive | seq(from=zero)", "reduction(+:s) with a static schedule; chunk=c: schedule(static, c); lanes=w: a loop of w lanes, u vectors at a time, adds each chunk. The lanes are halved until `to` are left; the thread adds these to its sum in turn, and then the remainder; rest=first adds the remainder to the first lane before that, rest=add to all lanes", "OpenMP 5.2; g++ 12: measured"}, OrderDevice::cpu},
    {{"openmp_llvm", kTreeThreads, "chunks(t) | adjacent(t) | seq(from=zero)", "the same by five threads or more of LLVM's libomp, which adds the threads' sums by a binomial tree; up to four threads it is openmp(t)", "LLVM 16, kmp_barrier.cpp and kmp_runtime.cpp; measured"}, OrderDevice::cpu},
};
// clang-format on

constexpr auto kOrders = [] {
  std::array<NamedOrder, std::size(kListed)> orders{};
  for (std::size_t i = 0; i < orders.size(); ++i) orders[i] = kListed[i].order;
  return orders;
}();

}  // namespace

std::span<const NamedOrder> named_orders() { return kOrders; }

OrderDevice device_of_order(std::string_view name) {
  for (const ListedOrder& listed : kListed)
    if (listed.order.name == name) return listed.device;
  return OrderDevice::any;
}

}  // namespace orderlab
