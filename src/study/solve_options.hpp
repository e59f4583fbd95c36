// The options of `solve`.
#pragma once

#include "core/enum_names.hpp"
#include "orderlab/study/solve.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr std::string_view kSolveFormatWords[] = {info(Format::fp64).name, info(Format::fp32).name};

inline constexpr Flag kMatrix{.key = "matrix",
                              .value = "MATRIX",
                              .help = "FILE.mtx, or a formula such as 'poisson2d(64)'; see `orderlab list matrices`",
                              .group = "Input",
                              .required = true,
                              .list = "matrices"};
inline constexpr Flag kSystemSeed{.key = "input_seed",
                                  .kind = FlagKind::count,
                                  .value = "COUNT",
                                  .help = "seed of right-hand side and scaling alone",
                                  .group = "Input"};
inline constexpr Flag kDots{.key = "order",
                            .value = "ORDER",
                            .fallback = "spa",
                            .help = "order of dot products and norms, see `orderlab list orders`",
                            .group = "Order",
                            .list = "orders"};
inline constexpr Flag kRowOrder{.key = "row_order",
                                .value = "ORDER",
                                .fallback = "seq",
                                .help = "order in which the products of a row are added",
                                .group = "Order",
                                .list = "orders"};
inline constexpr Flag kSystemScale{
    .key = "scale",
    .value = "DECADES",
    .help = "scale rows and columns: D A D, D = diag(10^u), u uniform in +-DECADES/2",
    .config_help = "Decades by which rows and columns are scaled",
    .group = "Input",
    .low = 0,
    .high = 100,
    .must_be = "from 0 to 100 decades",
};
inline constexpr Flag kRightSide{.key = "rhs",
                                 .kind = FlagKind::reads,
                                 .value = "FILE",
                                 .help = "right-hand side: .npy, .txt, .csv, .f64, .f32; default: uniform(-1,1)",
                                 .config_help = "The right-hand side: a distribution, or the hash of a file's",
                                 .group = "Input"};
inline constexpr Flag kSolveFormat{.key = "format",
                                   .kind = FlagKind::word,
                                   .value = "FORMAT",
                                   .help = "fp64 or fp32, of everything",
                                   .config_help = "Format of everything",
                                   .group = "Input",
                                   .words = kSolveFormatWords};
inline constexpr Flag kSpmv{
    .key = "spmv",
    .kind = FlagKind::word,
    .value = "HOW",
    .help =
        "products with the matrix: rows, each added by itself; or coo, one atomic per entry, whose thread blocks "
        "arrive as --arrival says",
    .config_help =
        "What adds the products of a row: a thread of its own (rows), or atomics of one addition per entry (coo)",
    .group = "Order",
    .words = names_through<RowSums::coo>()};
inline constexpr Flag kPreconditioner{.key = "preconditioner",
                                      .kind = FlagKind::word,
                                      .value = "NAME",
                                      .help =
                                          "none; jacobi, which divides by the diagonal; or ilu0, incomplete LU "
                                          "factors without fill, whose rows are added left to right",
                                      .config_help = "The preconditioner",
                                      .words = names_through<Preconditioner::ilu0>()};
inline constexpr Flag kSolverTolerance{.key = "tolerance",
                                       .value = "T",
                                       .help = "stop at |r| <= T |r0|; default: 1e-8 in fp64, 1e-5 in fp32",
                                       .config_help = "A run stops at |r| <= tolerance |r0|",
                                       .low = 0,
                                       .high = 1,
                                       .above_low = true,
                                       .below_high = true};
inline constexpr Flag kMaxIterations{.key = "max_iterations",
                                     .kind = FlagKind::count,
                                     .value = "COUNT",
                                     .help = "iterations of a run that does not converge",
                                     .low = 1,
                                     .high = 1e8};
inline constexpr Flag kRestart{.key = "restart",
                               .kind = FlagKind::count,
                               .value = "M",
                               .help = "of gmres: iterations between restarts",
                               .config_help = "Iterations of gmres between restarts",
                               .low = 1,
                               .high = 1e4};
inline constexpr Flag kSolverRuns{.key = "samples",
                                  .kind = FlagKind::count,
                                  .value = "COUNT",
                                  .help = "runs to draw",
                                  .config_help = "Number of runs to draw",
                                  .low = 1,
                                  .high = 1e6};

inline constexpr Option kSolveRows[] = {
    option<&SolveRequest::spmv>(kSpmv),
    option<&SolveRequest::preconditioner>(kPreconditioner),
    option<&SolveRequest::format>(kSolveFormat),
    option<&SolveRequest::tolerance>(kSolverTolerance),
    option<&SolveRequest::max_iterations>(kMaxIterations),
    option<&SolveRequest::restart>(kRestart),
    option<&SolveRequest::samples>(kSolverRuns),
    option<&SolveRequest::seed>(kSeed),
    option<&SolveRequest::threads>(kThreads),
};
inline constexpr OptionsOf<SolveRequest> kSolveOptions{kSolveRows};

inline constexpr Option kSystemRows[] = {
    option<&SystemSource::scale>(kSystemScale),
    option<&SystemSource::right_file>(kRightSide),
};
inline constexpr OptionsOf<SystemSource> kSystemOptions{kSystemRows};

}  // namespace orderlab::study
