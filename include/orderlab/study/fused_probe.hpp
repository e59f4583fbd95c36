// Which fused steps does a black box add products in?
#pragma once

#include <cstddef>
#include <optional>

#include "orderlab/fused_probe.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct FusedProbeRequest {
  BoxMaker box = {};                                             ///< what is asked; it takes products
  std::size_t n = 64;                                            ///< products
  Formats formats = {Format::fp16, Format::fp32, Format::fp32};  ///< of the factors, and of the answers
  std::size_t repeats = 3;  ///< calls with equal products that have to agree, at least 2
};

struct FusedProbeFinding {
  FusedProbeRequest asked;  ///< as it was asked for, without `box.make`
  FusedProbe probed;
};

/// Empty when interrupted.
///
/// Errors: as probe_fused of orderlab/fused_probe.hpp; usage for formats of the answers but fp16, fp32 and fp64, and
/// for repeats below 2.
std::optional<FusedProbeFinding> probe_fused(const FusedProbeRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
