// --op: operations with many outputs, and what they work on.
#pragma once

#include "cli/command_line.hpp"
#include "orderlab/study/operation.hpp"
#include "study/input_options.hpp"

namespace orderlab::cli {

using study::kBatch;
using study::kGpu;
using study::kIndex;
using study::kLookback;
using study::kOp;
using study::kRatio;
using study::kSelf;
using study::kShape;

inline constexpr std::array kOperationFlags{&kOp, &kIndex, &kSelf, &kShape, &kRatio, &kGpu, &kLookback};

/// Whether --op names an operation with many outputs. Error(usage) where it does not, but a flag of one was given.
bool has_operation(const CommandLine& line);

/// The operation, with its inputs read or generated, in the batches of --batch. Error(usage), Error(input), Stopped.
study::OperationInput load_operation(const CommandLine& line, FileTable& files, const study::Watch& watch);

/// The model of --arrival, with its files read; empty where the flag was not given. Error(usage).
std::optional<study::AskedArrival> arrival_of_units(const CommandLine& line, FileTable& files);

}  // namespace orderlab::cli
