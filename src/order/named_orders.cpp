// The named orders, one line each: a name, an expression with defaults for its parameters, a source.
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Parameter kBlock[] = {{.name = "b", .kind = ParameterKind::count, .default_text = "64", .low = 1},
                                {.name = "items", .kind = ParameterKind::count, .default_text = "2", .low = 1},
                                {.name = "grid", .kind = ParameterKind::count, .default_text = "-", .low = 1}};
constexpr Parameter kLanes[] = {{.name = "w", .kind = ParameterKind::count, .default_text = "8", .low = 1}};
constexpr Parameter kThreads[] = {{.name = "t", .kind = ParameterKind::count, .default_text = "8", .low = 1}};

// clang-format off
constexpr NamedOrder kOrders[] = {
    {"sequential", {}, "seq", "recursive summation", "[Higham1993]"},
    {"random", {}, "shuffle | seq", "random permutation, added left to right", "[Higham1993]"},
    {"random_tree", {}, "shuffle | tree", "any order at all: uniform over the (2n-3)!! trees", "[Remy1985]"},
    {"pairwise", {}, "pairwise", "cascade summation", "[Higham1993]"},
    {"numpy", {}, "numpy", "numpy.sum on a contiguous array", "NumPy 1.24"},
    {"simd", kLanes, "strided(w) | halving(w)", "a vectorised loop with w lanes", "[Harris2007]"},
    {"warp", {}, "halving(32) | arrive | seq(acc=atomic)", "one shuffle tree per warp, warp sums added atomically", "[Harris2007]"},
    {"ao", {}, "arrive | seq(acc=atomic)", "atomicAdd of every element", "[Shanmugavelu2024]"},
    {"spa", kBlock, "tile(b,items,grid) | halving(b) | arrive | seq(acc=atomic)", "block tree, one atomicAdd per thread block", "[Shanmugavelu2024]"},
    {"sptr", kBlock, "tile(b,items,grid) | halving(b) | strided(b,from=zero) | halving(b)", "the last thread block reduces the block sums by the same tree", "[Shanmugavelu2024]"},
    {"sprg", kBlock, "tile(b,items,grid) | halving(b) | seq(from=zero)", "the last thread block's first thread adds the block sums in turn", "[Shanmugavelu2024]"},
    {"tprc", kBlock, "tile(b,items,grid) | halving(b) | seq(from=zero)", "block sums copied to the host and added there", "[Shanmugavelu2024]"},
    {"tprc_neumaier", kBlock, "tile(b,items,grid) | halving(b) | seq(acc=neumaier)", "with a compensated last stage", "[Shanmugavelu2024]"},
    {"openmp", kThreads, "chunks(t) | arrive | seq(from=zero)", "reduction(+:s) with a static schedule", "OpenMP 5.2"},
};
// clang-format on

}  // namespace

std::span<const NamedOrder> named_orders() { return kOrders; }

}  // namespace orderlab
