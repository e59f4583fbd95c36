// The flags of `sample` about sums, and what they ask for.
#pragma once

#include <span>

#include "cli/one_order.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::cli {

inline constexpr Flag kRange{.key = "range", .value = "A:B", .help = "draw only samples A to B-1"};

/// The flags that say what is sampled, and how it is measured.
std::span<const Flag* const> sampling_flags();

/// Error(usage) for values that are none, for flags that exclude each other, and as validate.
study::SampleRequest parse_sample(const CommandLine& line, FileTable& files);

/// Reads the terms and samples them. The finding names orders as they were typed.
///
/// Errors: usage where an order cannot add the terms, and those of study::sample and load_input. `begins` is called
/// once the terms are known.
study::SampleFinding sample_as_asked(const CommandLine& line, study::SampleRequest& request, Session& session,
                                     const std::function<void(const study::InputFacts&)>& begins);

}  // namespace orderlab::cli
