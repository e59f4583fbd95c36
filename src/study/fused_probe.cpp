#include "orderlab/study/fused_probe.hpp"

#include <string>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/error.hpp"

namespace orderlab::study {

namespace {

constexpr std::size_t kFewestRepeats = 2;

void require_answers(const Formats& formats) {
  const bool known =
      formats.accumulate == Format::fp16 || formats.accumulate == Format::fp32 || formats.accumulate == Format::fp64;
  if (!known || formats.result != formats.accumulate)
    throw RequestError(
        "format", to_string(formats),
        "a fused step is asked with the format of the factors and that of the answers, fp16, fp32 or fp64; "
        "such as " +
            std::string(info(formats.terms).name) + ":fp32");
}

}  // namespace

std::optional<FusedProbeFinding> probe_fused(const FusedProbeRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  require_answers(request.formats);
  if (request.n < kFewestProbedProducts || request.n > kMostProbedProducts)
    throw RequestError("n", std::to_string(request.n),
                       "must be from " + std::to_string(kFewestProbedProducts) + " to " +
                           std::to_string(kMostProbedProducts) + " for fused steps");
  if (request.repeats < kFewestRepeats)
    throw RequestError("repeats", std::to_string(request.repeats), "must be 2 or more");
  bool begun = false;
  ProbeWatch follower{.stop = watch.stop};
  follower.begins = [&](const std::string& stage) {
    const FloatEnvironment within;
    if (begun) call_back(watch.ends);
    begun = true;
    call_back(watch.begins, stage);
  };
  follower.advances = [&](std::uint64_t done, std::uint64_t total) {
    const FloatEnvironment within;
    call_back(watch.advances, Progress{done, total, static_cast<double>(done) / static_cast<double>(total)});
  };
  std::optional<FusedProbe> probed =
      orderlab::probe_fused(request.box, request.n, request.formats, request.repeats, follower);
  if (begun) call_back(watch.ends);
  if (!probed) return std::nullopt;
  FusedProbeFinding finding{request, std::move(*probed)};
  finding.asked.box.make = nullptr;  // what it refers to may be gone before the finding is
  return finding;
}

}  // namespace orderlab::study
