// INPUT: the terms that a command works on, from the flags that all commands share.
#pragma once

#include <optional>

#include "cli/command_line.hpp"
#include "orderlab/study/input.hpp"
#include "study/input_options.hpp"

namespace orderlab::cli {

using study::kDecimal;
using study::kDistribution;
using study::kFormat;
using study::kInput;
using study::kInputAxis;
using study::kInputSeed;
using study::kListArrays;
using study::kN;
using study::kSeed;
using study::kTermList;
using study::kWith;

/// Of files.
inline constexpr std::array kFileFlags{&kInput, &kWith, &kInputAxis, &kDecimal, &kListArrays};

/// kTermList is optional for a command.
inline constexpr auto kInputFlags =
    joined(std::array{&kN, &kDistribution}, kFileFlags, std::array{&kTermList, &kFormat, &kSeed, &kInputSeed});

/// Reads or generates the terms, in `formats` in place of those asked for where they are given, and sums them exactly.
/// Error(unsupported) when they do not fit into memory; Stopped.
study::Input load_input(const CommandLine& line, const study::Watch& watch, std::optional<Formats> formats = {});

}  // namespace orderlab::cli
