// INPUT: the terms that a command works on, from the flags that all commands share.
#pragma once

#include <optional>

#include "cli/command_line.hpp"
#include "cli/listing.hpp"
#include "orderlab/study/input.hpp"

namespace orderlab::cli {

inline constexpr Flag kN{.name = "--n",
                         .kind = FlagKind::count,
                         .value = "COUNT",
                         .help = "number of terms to generate: 1000, 1e6, 2^20",
                         .group = "Input"};
extern const Flag kDistribution;
inline constexpr Flag kInput{.name = "--input",
                             .kind = FlagKind::reads,
                             .value = "FILE",
                             .help = "terms from a file: .npy, .txt, .csv, .f64, .f32, or - for text on stdin",
                             .group = "Input"};
inline constexpr Flag kWith{.name = "--with",
                            .kind = FlagKind::reads,
                            .value = "FILE",
                            .help = "multiply term by term with this file: a dot product",
                            .group = "Input"};
inline constexpr Flag kTermList{
    .name = "--values", .value = "LIST", .help = "the terms themselves: 0.1,0.2,-0.3", .group = "Input"};
inline constexpr Flag kFormat{.name = "--format",
                              .value = "FORMATS",
                              .help = "fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]]",
                              .group = "Input",
                              .names = [] { return names_in("formats"); }};
extern const Flag kSeed;
inline constexpr Flag kInputSeed{.name = "--input-seed",
                                 .kind = FlagKind::count,
                                 .value = "COUNT",
                                 .help = "seed of the terms alone",
                                 .group = "Input"};

/// kTermList is optional for a command.
inline constexpr std::array kInputFlags{&kN,        &kDistribution, &kInput, &kWith,
                                        &kTermList, &kFormat,       &kSeed,  &kInputSeed};

/// Reads or generates the terms, in `formats` in place of those asked for where they are given, and sums them exactly.
/// Error(unsupported) when they do not fit into memory; Stopped.
study::Input load_input(const CommandLine& line, const study::Watch& watch, std::optional<Formats> formats = {});

}  // namespace orderlab::cli
