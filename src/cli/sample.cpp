// orderlab sample: how far a sum moves.
#include <fmt/format.h>

#include <optional>

#include "cli/by_group.hpp"
#include "cli/kept_counts.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "cli/sample_request.hpp"
#include "cli/shard.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "study/sample_options.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kNpy{.key = "npy",
                    .kind = FlagKind::writes,
                    .value = "FILE",
                    .help = "of an operation: write all results as .npy, samples x outputs",
                    .group = "Output"};
const auto kSampleFlags = joined(
    kInputFlags, kOperationFlags,
    std::array{&kOrders, &kArrival, &kThreads, &study::kSamples, &kRange, &kShard, &kBaseline, &study::kMaxDistinct},
    kOutputFlags, std::array{&kBatch, &kBy, &kHtml, &kNpy, &kCounts});
constexpr const Options* kSampleTables[] = {&study::kSampleOptions, &study::kSampleOperationOptions};

study::OperationSampleRequest parse_operation_request(const CommandLine& line, FileTable& files) {
  for (const Flag* flag : {&kRange, &kShard, &kCounts})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about sums of one output; leave it out with --op");
  refuse_marks(line);
  study::OperationSampleRequest request;
  if (const auto arrival = arrival_of_units(line, files)) request.arrival = *arrival;
  take(line, study::kSampleOperationOptions, request);
  request.keep_results = line.has(kNpy);
  if (line.has(kBaseline)) request.baseline = study::output_baseline_of(line.text(kBaseline));
  validate(request);
  return request;
}

int run_sample_operation(const CommandLine& line, Session& session) {
  const study::OperationSampleRequest request = parse_operation_request(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  const OutputTarget npy = targets.further(line, kNpy);
  const study::Watch watch = watch_of(session, line, "sample");
  const auto finding = sample_operation(load_operation(line, session.files, watch), request, watch);
  if (!finding) return interrupted(session, "sample", "the first sample was done");
  const InPhase reporting(session, Phase::reporting);
  write_report(session, line, targets, *finding);
  if (page.wanted()) page.write(session, html_page(*finding));
  if (npy.wanted()) npy.write(session, to_npy(*finding));
  return finding->partial ? kInterrupted : kDone;
}

int interrupted_with_counts(Session& session, const KeptCounts& kept) {
  session.err << fmt::format("orderlab: sample: interrupted: {}; the same command continues\n", kept.state());
  return kInterrupted;
}

int run_sample_by_group(const CommandLine& line, Session& session) {
  for (const Flag* flag : {&kRange, &kShard, &kCounts, &kHtml, &kNpy})
    if (line.has(*flag)) throw Error(ErrorKind::usage, line.quoted(*flag) + ": does not go with --by; leave it out");
  const study::SampleRequest request = parse_sample(line, session.files);
  if (request.orders.size() > 1) throw Error(ErrorKind::usage, "--order: --by takes one order");
  colored(line, session);
  OutputTargets targets(line);
  check_order(request.orders.front(), line);
  const study::Watch watch = watch_of(session, line, "sample");
  study::GroupsFinding groups{
      .command = "sample", .by = line.text(kBy), .seed = request.seed, .samples = request.samples};
  groups.max_distinct = request.max_distinct;
  if (request.baseline) groups.baseline = request.baseline->expression();
  answer_groups(line, groups_of(line, kInput), groups, watch, [&](const study::Input& input, const FieldGroup&) {
    std::optional<study::SampleFinding> finding = sample(input, request, watch);
    if (finding->partial || finding->orders.empty()) return std::optional<study::SampleFinding>();
    groups.asked = finding->asked.front();
    groups.name = finding->orders.front().name;
    return finding;
  });
  return report_groups(session, line, targets, groups);
}

int run_sample(const CommandLine& line, Session& session) {
  if (has_operation(line)) return run_sample_operation(line, session);
  if (line.has(kBy)) return run_sample_by_group(line, session);
  if (line.has(kNpy)) throw Error(ErrorKind::usage, line.quoted(kNpy) + ": is of operations; add --op NAME");
  study::SampleRequest request = parse_sample(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  KeptCounts kept(line);
  const study::SampleFinding finding = sample_as_asked(
      line, request, session, [&](const study::InputFacts& input) { kept.follow(input, request, session); });
  if (kept.wanted() && finding.partial && session.stop.stop_requested()) return interrupted_with_counts(session, kept);
  if (finding.orders.empty()) return interrupted(session, "sample", "the first sample was done");
  const InPhase reporting(session, Phase::reporting);
  write_report(session, line, targets, finding);
  if (page.wanted()) page.write(session, html_page(finding));
  return finding.partial && !kept.wanted() ? kInterrupted : kDone;
}

}  // namespace

extern const Command kSample;
const Command kSample{
    .name = "sample",
    .summary = "draw many orders of one sum: how far does it move?",
    .example = "orderlab sample --n 1e6 --order spa --arrival v100_b64",
    .flags = kSampleFlags,
    .options = kSampleTables,
    .run = run_sample,
};

}  // namespace orderlab::cli
