// orderlab sample: how far a sum moves.
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "experiment/axis.hpp"
#include "orderlab/error.hpp"
#include "page/html_page.hpp"

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
constexpr Flag kHtml{.name = "--html",
                     .kind = FlagKind::writes,
                     .value = "FILE",
                     .help = "also write a page with charts, which needs no network",
                     .group = "Output"};
constexpr auto kSampleFlags = joined(
    kInputFlags, std::array{&kOrders, &kArrival, &kThreads, &kSampleCount, &kRange, &kBaseline, &kSampleMaxDistinct},
    kOutputFlags, std::array{&kHtml});

std::pair<std::uint64_t, std::uint64_t> parse_range(const std::string& text, std::uint64_t samples) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw Error(ErrorKind::usage, "--range " + text + ": is not A:B, such as 0:500 for the samples 0 to 499");
  const std::uint64_t begin = parse_count("--range", text.substr(0, colon));
  const std::uint64_t end = parse_count("--range", text.substr(colon + 1));
  if (begin >= end || end > samples)
    throw Error(ErrorKind::usage, "--range " + text + ": must be A:B with 0 <= A < B <= " + std::to_string(samples) +
                                      ", the number of samples");
  return {begin, end};
}

int run_sample(const CommandLine& line, Session& session) {
  SamplingPlan plan;
  plan.orders = orders_of(line, session.files);
  plan.typed = line.texts(kOrders);
  plan.seed = line.count(kSeed);
  plan.samples = line.count(kSampleCount, axes::kSamples.low, axes::kSamples.high);
  if (line.has(kRange)) plan.range = parse_range(line.text(kRange), plan.samples);
  plan.max_distinct = line.count(kSampleMaxDistinct, axes::kMaxDistinct.low);
  plan.baseline = baseline_of(line, session.files);
  plan.threads = threads_of(line);
  plan.progress = !line.has(kQuiet);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page(line, kHtml);
  check_orders(plan, line);

  const study::SampleFinding report = run_plan(session, plan, load_input(line));
  const int status = write_experiment(session, line, targets, "sample", report);
  if (page.wanted() && !report.orders.empty()) page.write(session, to_html(study_of(report)));
  return status;
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
