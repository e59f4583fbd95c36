#include "cli/sample_request.hpp"

#include <array>
#include <utility>

#include "cli/progress.hpp"
#include "cli/shard.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "study/sample_options.hpp"

namespace orderlab::cli {

namespace {

constexpr auto kSamplingFlags =
    joined(kInputFlags, std::array{&kOrders, &kArrival, &study::kSamples, &kBaseline, &study::kMaxDistinct});

SampleRange parse_range(const std::string& text) {
  const auto colon = text.find(':');
  const std::string first = text.substr(0, colon);
  const std::string second = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (first.empty() || second.empty() || second.find(':') != std::string::npos)
    throw Error(ErrorKind::usage, "--range " + text + ": is not A:B, such as 0:500 for the samples 0 to 499");
  return {parse_count("--range " + text + ": A", first), parse_count("--range " + text + ": B", second)};
}

std::optional<SampleRange> wanted_range(const CommandLine& line, std::uint64_t samples) {
  const std::optional<Shard> shard = shard_of(line);
  if (shard && line.has(kRange))
    throw Error(ErrorKind::usage, line.quoted(kRange) + ": " + line.quoted(kShard) + " is a range already; give one");
  if (line.has(kRange)) return parse_range(line.text(kRange));
  if (!shard) return std::nullopt;
  if (shard->count > samples)  // some would have none
    throw Error(ErrorKind::usage, line.quoted(kShard) + ": there are only " + std::to_string(samples) +
                                      " samples; give no more shards than these, or more --samples");
  return range_of(*shard, samples);
}

}  // namespace

std::span<const Flag* const> sampling_flags() { return kSamplingFlags; }

study::SampleRequest parse_sample(const CommandLine& line, FileTable& files) {
  study::SampleRequest request;
  request.orders = orders_of(line, files);
  take(line, study::kSampleOptions, request);
  request.range = wanted_range(line, request.samples);
  request.baseline = baseline_of(line, files);
  validate(request);
  return request;
}

study::SampleFinding sample_as_asked(const CommandLine& line, study::SampleRequest& request, Session& session,
                                     const std::function<void(const study::InputFacts&)>& begins) {
  for (const Order& order : request.orders) check_order(order, line);
  if (request.baseline) check_order(*request.baseline, line);
  const study::Watch watch = watch_of(session, line, "sample");
  const study::Input input = load_input(line, watch);
  begins(input.facts);
  study::SampleFinding finding = sample(input, request, watch);
  const std::vector<std::string>& typed = line.texts(kOrders);
  for (std::size_t i = 0; i < typed.size(); ++i) finding.asked[i].typed = typed[i];
  return finding;
}

}  // namespace orderlab::cli
