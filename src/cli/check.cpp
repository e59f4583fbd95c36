// orderlab check: are these results explained by order?
#include "orderlab/check.hpp"

#include <map>
#include <optional>

#include "cli/enumerating.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "study/order_run.hpp"
#include "terms/given_results.hpp"
#include "terms/nonfinite_terms.hpp"

namespace orderlab::cli {

namespace {

// Distinct samples kept before binning; binned samples give neither counts of single results nor a joint test.
constexpr std::uint64_t kMaxDistinct = std::uint64_t{1} << 24;

constexpr Flag kValue{.name = "--value",
                      .value = "X",
                      .help = "a result: decimal, hex float, bits:0x..., inf or nan; may be repeated",
                      .group = "Results",
                      .repeats = true};
constexpr Flag kValuesFile{.name = "--values",
                           .kind = FlagKind::reads,
                           .value = "FILE",
                           .help = "results of many runs: text with one per line, .npy, .f64 or .f32; - for stdin",
                           .group = "Results"};
constexpr Flag kCheckConfidence{.name = "--confidence",
                                .kind = FlagKind::fraction,
                                .value = "P",
                                .fallback = "0.999",
                                .help = "probability of not flagging legitimate results, however many are given",
                                .group = "Results"};
constexpr Flag kCheckSamples{.name = "--samples",
                             .kind = FlagKind::count,
                             .value = "COUNT",
                             .help =
                                 "orders to draw if they cannot be enumerated, independent of `sample`'s draws; "
                                 "default: chosen from confidence, "
                                 "number of results and n"};
constexpr auto kCheckFlags =
    joined(std::array{&kValue, &kValuesFile, &kCheckConfidence}, std::array{&kN, &kDistribution, &kInput, &kWith},
           std::array{&kFormat, &kSeed, &kInputSeed, &kOrder, &kArrival, &kThreads}, kOutputFlags,
           std::array{&kCheckSamples, &kQuickMemory});

struct Given {
  std::vector<GivenResult> results;  // distinct
  std::uint64_t count = 0;           // repeated ones each
  std::uint64_t rounded = 0;
};

Given read_given(const CommandLine& line, Format format) {
  GivenResults all;
  if (line.has(kValuesFile)) all = read_given_results(line.text(kValuesFile), format);
  for (const std::string& text : line.texts(kValue)) {
    const ReadResult result = read_result(text, format);
    if (!result.bits) throw Error(ErrorKind::usage, "--value " + text + ": " + result.problem);
    all.bits.push_back(*result.bits);
    if (result.rounded) ++all.rounded;
  }
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint64_t bits : all.bits) ++counts[bits];
  Given given{{}, all.bits.size(), all.rounded};
  for (const auto& [bits, count] : counts) given.results.push_back({bits, count});
  return given;
}

// The whole of a check but its output.
class Check {
 public:
  Check(Session& session, const CommandLine& line, const Order& order, double confidence)
      : session_(session), line_(line), threads_(threads_of(line)) {
    report_.name = order.name();
    report_.guarantee = name_of(order.guarantee());
    report_.asked = {order.expression(), study::arrival_of(order)};
    report_.seed = line.count(kSeed);
    report_.memory_bytes = static_cast<std::uint64_t>(memory_budget(line));
    report_.result.confidence = confidence;
    report_.samples_asked = line.count_if_any(kCheckSamples, 1, RandomStream::kSampleLimit - kFirstCheckSample);
  }

  // Empty when interrupted before there was anything to say.
  std::optional<study::CheckFinding> run(const Order& order) {
    const study::Input input = load_input(line_);
    const Given given = read_given(line_, input.facts.formats.result);
    report_.input = input.facts;
    samples_wanted(given.count, false);  // refuses too few samples before any work is done
    report_.rounded = given.rounded;
    if (!input.facts.exact.finite()) report_.nonfinite_terms = nonfinite_terms(input.terms.view());
    const auto evaluator = make_evaluator(order, input, report_.seed, threads_);
    if (session_.stop.stop_requested()) return std::nullopt;
    report_.warnings = order.warnings(input.terms.view().n, input.facts.formats.accumulate);
    QuickEnumeration quick =
        enumerate_if_quick(session_, *evaluator, static_cast<double>(report_.memory_bytes), threads_, progress());
    report_.all = std::move(quick.all);
    if (!quick.note.empty()) report_.notes.push_back(std::move(quick.note));
    if (session_.stop.stop_requested()) return std::nullopt;
    if (!report_.all && !draw(*evaluator, given.count)) return std::nullopt;
    judge(given.results);
    return std::move(report_);
  }

 private:
  bool progress() const { return !line_.has(kQuiet); }

  std::uint64_t samples_wanted(std::uint64_t given, bool nonfinite) const {
    const double confidence = report_.result.confidence;
    const std::uint64_t fewest = fewest_check_samples(confidence, given, nonfinite);
    if (report_.samples_asked && *report_.samples_asked < fewest)
      throw Error(ErrorKind::usage, line_.quoted(kCheckSamples) + ": too few to judge " + std::to_string(given) +
                                        (given == 1 ? " result" : " results") + " at confidence " +
                                        line_.text(kCheckConfidence) + "; at least " + std::to_string(fewest) +
                                        ", or leave the flag out");
    return report_.samples_asked.value_or(check_samples(confidence, given, report_.input.n, nonfinite));
  }

  void require_modest(std::uint64_t samples) const {
    if (report_.samples_asked || samples <= kMostSamples) return;
    throw Error(ErrorKind::usage, line_.quoted(kCheckConfidence) + ": needs " + std::to_string(samples) +
                                      " samples; ask for less confidence, or for them by --samples");
  }

  bool draw(const Evaluator& evaluator, std::uint64_t given) {
    require_memory(every_order_bound_memory_bytes(evaluator.random_count()));
    report_.bound = every_order_bound(evaluator, report_.input.exact);
    const std::uint64_t samples =
        samples_wanted(given, may_be_nonfinite(report_.bound, report_.input.exact, report_.input.formats.result));
    require_modest(samples);
    if (progress())
      session_.err << "drawing " << samples << " samples to judge at confidence " << line_.text(kCheckConfidence)
                   << "\n";
    const SampledRange range{.begin = kFirstCheckSample,
                             .end = kFirstCheckSample + samples,
                             .max_distinct = kMaxDistinct,
                             .threads = threads_,
                             .progress = progress()};
    report_.samples = sample_range(session_, evaluator, report_.input, range);
    report_.partial = report_.samples->samples() < samples;
    if (report_.samples->binned())
      report_.notes.push_back("more than 2^24 different samples: no counts of single results and no joint test");
    else if (report_.samples->samples() > kMostPooledResults)
      report_.notes.push_back("more than 2^28 samples: no joint test");
    return report_.samples->samples() > 0;
  }

  void judge(const std::vector<GivenResult>& given) {
    ProgressBar bar(session_, "joint test", progress());
    CheckOptions how;
    how.confidence = report_.result.confidence;
    how.seed = report_.seed;
    bar.follow(how);
    const ExactValue& exact = report_.input.exact;
    report_.result = report_.all ? check(*report_.all, exact, report_.input.formats.result, given, how)
                                 : check(*report_.samples, report_.bound, exact, given, how);
    if (session_.stop.stop_requested() && !report_.result.joint) report_.partial = true;
  }

  Session& session_;
  const CommandLine& line_;
  int threads_;
  study::CheckFinding report_;
};

int run_check(const CommandLine& line, Session& session) {
  const Order order = order_of(line, session.files);
  const double confidence = line.fraction(kCheckConfidence);
  if (!line.has(kValue) && !line.has(kValuesFile))
    throw Error(ErrorKind::usage, "no result to check: give --value X, once or more often, or --values FILE");
  if (line.text(kValuesFile) == "-" && (line.text(kInput) == "-" || line.text(kWith) == "-"))
    throw Error(ErrorKind::usage,
                "--values - and terms from -: standard input has one list; name a file for one of them");
  colored(line, session);
  OutputTargets targets(line);
  check_order(order, line);

  const auto report = Check(session, line, order, confidence).run(order);
  if (!report) {
    session.err << "orderlab: check: interrupted before any verdict\n";
    return kInterrupted;
  }
  write_report(session, line, targets, *report);
  if (report->partial) return kInterrupted;
  return report->result.verdict() == Verdict::explained ? kDone : kExitNo;
}

}  // namespace

extern const Command kCheck;
const Command kCheck{
    .name = "check",
    .summary = "are these results explained by order, or by a bug or a race?",
    .example = "orderlab check --n 10 --dist 'constant(0.1)' --order random --value 0.9999999999999999",
    .flags = kCheckFlags,
    .run = run_check,
};

}  // namespace orderlab::cli
