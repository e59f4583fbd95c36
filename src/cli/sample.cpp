// orderlab sample: how far a sum moves.
#include "orderlab/study/sample.hpp"

#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "config/axis.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"

namespace orderlab::cli {

namespace {

const Flag kSampleCount{.name = "--samples",
                        .kind = FlagKind::count,
                        .value = "COUNT",
                        .fallback = axes::kSamples.default_text,
                        .help = "orders to draw"};
constexpr Flag kRange{.name = "--range", .value = "A:B", .help = "draw only samples A to B-1"};
const Flag kSampleMaxDistinct{.name = "--max-distinct",
                              .kind = FlagKind::count,
                              .value = "COUNT",
                              .fallback = "2^20",
                              .help = axes::kMaxDistinct.help};
constexpr Flag kNpy{.name = "--npy",
                    .kind = FlagKind::writes,
                    .value = "FILE",
                    .help = "of an operation: write all results as .npy, samples x outputs",
                    .group = "Output"};
constexpr auto kSampleFlags =
    joined(kInputFlags, kOperationFlags,
           std::array{&kOrders, &kArrival, &kThreads, &kSampleCount, &kRange, &kBaseline, &kSampleMaxDistinct},
           kOutputFlags, std::array{&kHtml, &kNpy});

std::pair<std::uint64_t, std::uint64_t> parse_range(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw Error(ErrorKind::usage, "--range " + text + ": is not A:B, such as 0:500 for the samples 0 to 499");
  return {parse_count("--range", text.substr(0, colon)), parse_count("--range", text.substr(colon + 1))};
}

study::SampleRequest parse_request(const CommandLine& line, FileTable& files) {
  study::SampleRequest request;
  request.orders = orders_of(line, files);
  request.seed = line.count(kSeed);
  request.samples = line.count(kSampleCount, axes::kSamples.low, axes::kSamples.high);
  if (line.has(kRange)) request.range = parse_range(line.text(kRange));
  request.max_distinct = line.count(kSampleMaxDistinct, axes::kMaxDistinct.low);
  request.baseline = baseline_of(line, files);
  request.threads = threads_of(line);
  validate(request);
  return request;
}

study::OperationSampleRequest parse_operation_request(const CommandLine& line) {
  for (const Flag* flag : {&kRange, &kSampleMaxDistinct})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about sums of one output; leave it out with --op");
  study::OperationSampleRequest request;
  request.arrival = arrival_of_units(line);
  request.samples = line.count(kSampleCount, 1);
  request.seed = line.count(kSeed);
  request.threads = threads_of(line);
  request.keep_results = line.has(kNpy);
  if (line.has(kBaseline)) request.baseline = study::output_baseline_of(line.text(kBaseline));
  validate(request);
  return request;
}

int run_sample_operation(const CommandLine& line, Session& session) {
  const study::OperationSampleRequest request = parse_operation_request(line);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page(line, kHtml);
  const OutputTarget npy(line, kNpy);
  const auto finding =
      sample_operation(load_operation(line, session.files), request, watch_of(session, line, "sample"));
  if (!finding) return interrupted(session, "sample", "the first sample was done");
  write_report(session, line, targets, *finding);
  if (page.wanted()) page.write(session, html_page(*finding));
  if (npy.wanted()) npy.write(session, to_npy(*finding));
  return finding->partial ? kInterrupted : kDone;
}

int run_sample(const CommandLine& line, Session& session) {
  if (has_operation(line)) return run_sample_operation(line, session);
  if (line.has(kNpy)) throw Error(ErrorKind::usage, line.quoted(kNpy) + ": is of operations; add --op NAME");
  const study::SampleRequest request = parse_request(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page(line, kHtml);
  for (const Order& order : request.orders) check_order(order, line);
  if (request.baseline) check_order(*request.baseline, line);

  study::SampleFinding finding = sample(load_input(line), request, watch_of(session, line, "sample"));
  if (finding.orders.empty()) return interrupted(session, "sample", "the first sample was done");
  const std::vector<std::string>& typed = line.texts(kOrders);
  for (std::size_t i = 0; i < typed.size(); ++i) finding.asked[i].typed = typed[i];
  write_report(session, line, targets, finding);
  if (page.wanted()) page.write(session, html_page(finding));
  return finding.partial ? kInterrupted : kDone;
}

}  // namespace

extern const Command kSample;
const Command kSample{
    .name = "sample",
    .summary = "draw many orders of one sum: how far does it move?",
    .example = "orderlab sample --n 1e6 --order spa --arrival v100_b64",
    .flags = kSampleFlags,
    .run = run_sample,
};

}  // namespace orderlab::cli
