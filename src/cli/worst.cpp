// orderlab worst: the orders whose sums lie farthest apart.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "cli/enumerating.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "cli/worst_orders.hpp"
#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/extremes.hpp"
#include "orderlab/search.hpp"
#include "study/order_run.hpp"

namespace orderlab::cli {

namespace {

// Defaults for few partial sums; for more, the number that takes about 10^9 additions.
constexpr std::uint64_t kEvaluations = 20000;
constexpr std::uint64_t kFewestEvaluations = 500;
constexpr std::uint64_t kWorstSamples = 1000;
constexpr std::uint64_t kFewestSamples = 100;
constexpr std::uint64_t kAdditions = 1'000'000'000;
constexpr std::size_t kMaxExactSums = 1000;  // more are never in reach but for a few values many times over

constexpr std::string_view kEnds[] = {"least", "greatest", "farthest"};

constexpr Flag kEvaluationsFlag{.name = "--evaluations",
                                .kind = FlagKind::count,
                                .value = "COUNT",
                                .help = "sums that a search may evaluate; default: 20000, fewer for many terms"};
constexpr Flag kSeconds{
    .name = "--seconds", .value = "TIME", .help = "search for this many seconds instead; not reproducible"};
constexpr Flag kOrderFile{
    .name = "--order-file", .kind = FlagKind::writes, .value = "FILE", .help = "write an order found, for perm(FILE)"};
constexpr Flag kWhich{.name = "--which",
                      .kind = FlagKind::word,
                      .value = "END",
                      .fallback = "farthest",
                      .help = "which one: least, greatest, or farthest from the exact sum",
                      .words = kEnds};
constexpr auto kWorstFlags =
    joined(kOneOrderFlags, std::array{&kEvaluationsFlag, &kSeconds, &kOrderFile, &kWhich, &kQuickMemory});

struct Limits {
  std::uint64_t evaluations = 0;  // 0: by size
  double seconds = 0;             // 0: by evaluations
  double memory_bytes = 0;
};

Limits parse_limits(const CommandLine& line) {
  Limits limits;
  if (line.has(kEvaluationsFlag) && line.has(kSeconds))
    throw Error(ErrorKind::usage, "--evaluations and --seconds: both limit the search; give one of them");
  limits.evaluations = line.count_if_any(kEvaluationsFlag, 1).value_or(0);
  if (line.has(kSeconds)) {
    const auto seconds = read_real(line.text(kSeconds));
    if (!seconds || !(*seconds > 0) || *seconds > 1e9)
      throw Error(ErrorKind::usage, line.quoted(kSeconds) + ": must be a time above 0 and at most 1e9, such as 30");
    limits.seconds = *seconds;
  }
  limits.memory_bytes = memory_budget(line);
  return limits;
}

void check_order_file(const CommandLine& line) {
  const std::string& file = line.text(kOrderFile);
  if (file.find('\'') != std::string::npos)
    throw Error(ErrorKind::usage, line.quoted(kOrderFile) + ": has a ', which perm() cannot read; choose another name");
}

std::uint64_t by_size(std::uint64_t most, std::uint64_t fewest, std::uint64_t n) {
  return std::clamp(kAdditions / std::max<std::uint64_t>(n, 1), fewest, most);
}

class Run {
 public:
  Run(const CommandLine& line, const Limits& limits, const Order& order, const study::Input& input, Session& session)
      : line_(line),
        limits_(limits),
        order_(order),
        input_(input),
        session_(session),
        threads_(threads_of(line)),
        walked_(shuffled_form(order)) {}

  // False when stopped before anything was found.
  bool run(study::WorstFinding& report) {
    report.input = input_.facts;
    report.asked = {order_.expression(), study::arrival_of(order_)};
    report.name = order_.name();
    report.seed = line_.count(kSeed);
    report.memory_bytes = static_cast<std::uint64_t>(limits_.memory_bytes);
    auto walked = bound(walked_);
    if (!exact(report, *walked) && !search(report, std::move(walked))) return false;
    report.searched = walked_.expression();
    report.coverage = coverage_of(order_, ends_with_tree(order_) && !report.exact);
    const auto evaluator = make_evaluator(order_, input_, report.seed, threads_);
    const std::uint64_t samples = by_size(kWorstSamples, kFewestSamples, report.input.n);
    report.sampled = sample_range(session_, *evaluator, report.input,
                                  {.end = samples, .threads = threads_, .progress = !line_.has(kQuiet)});
    report.partial = report.partial || report.sampled.samples() < samples;
    return true;
  }

  const Order& walked() const { return walked_; }

 private:
  std::unique_ptr<const Evaluator> bound(const Order& order) const {
    return make_evaluator(order, input_, line_.count(kSeed), threads_);
  }

  // False where that is out of reach, or stopped.
  bool exact(study::WorstFinding& report, const Evaluator& evaluator) {
    if (evaluator.random_count() > kMaxExactSums) return false;
    const RecognizedSpace recognized = order_space(evaluator);
    if (!recognized.space || !extremes_obstacle(*recognized.space, limits_.memory_bytes).empty()) return false;
    if (ends_with_tree(walked_) && line_.has(kOrderFile))
      throw Error(ErrorKind::usage, line_.quoted(kOrderFile) +
                                        ": the extremes over trees are trees, which an order file cannot hold; use "
                                        "--json FILE");
    ProgressBar bar(session_, "sets", !line_.has(kQuiet));
    WalkOptions options{.memory_bytes = limits_.memory_bytes, .threads = threads_};
    bar.follow(options);
    const auto found = extremes(*recognized.space, options);
    if (!found) return false;
    report.exact = true;
    report.partial_sums = recognized.space->partial_sums;
    report.fused = !recognized.space->products.empty();
    report.least = checked(evaluator, *recognized.space, found->least);
    report.greatest = checked(evaluator, *recognized.space, found->greatest);
    return true;
  }

  // An exact extreme, summed once more in its order.
  static study::WorstEnd checked(const Evaluator& evaluator, const OrderSpace& space, const ExtremeOrder& extreme) {
    const bool tree = space.family == OrderFamily::trees;
    const Evaluation evaluation = tree ? evaluate_tree(evaluator, space, extreme.tree)
                                       : evaluator.evaluate_arranged(extreme.order, *evaluator.make_scratch());
    if (evaluation.bits != extreme.bits)
      throw std::logic_error("the extreme order found gives " + bits_text(space.formats.result, evaluation.bits) +
                             " instead of " + bits_text(space.formats.result, extreme.bits));
    study::WorstEnd end{extreme.bits, extreme.value, running_bound(evaluation.error), extreme.order, {}};
    if (tree) end.tree = extreme.tree;
    return end;
  }

  // `evaluator`: of the order that is searched.
  bool search(study::WorstFinding& report, std::unique_ptr<const Evaluator> evaluator) {
    if (ends_with_tree(walked_)) {
      walked_ = sequential_form(walked_);
      evaluator = bound(walked_);
    }
    require_memory(search_memory_bytes(evaluator->random_count(), threads_used(threads_)));
    SearchOptions options;
    options.evaluations = limits_.evaluations > 0
                              ? limits_.evaluations
                              : by_size(kEvaluations, kFewestEvaluations, evaluator->random_count());
    options.seconds = limits_.seconds;
    options.threads = threads_;
    ProgressBar bar(session_, limits_.seconds > 0 ? "search, ms" : "search", !line_.has(kQuiet));
    bar.follow(options);
    const auto found = search_extremes(*evaluator, options);
    if (!found) return false;
    report.evaluations_asked = options.evaluations;
    report.seconds = limits_.seconds;
    report.evaluations = found->evaluations;
    report.partial = !found->complete;
    report.reproducible = limits_.seconds == 0 && found->complete;
    report.partial_sums = evaluator->random_inputs();
    report.fused = !evaluator->random_products().empty();
    const auto end = [](const FoundOrder& f) {
      return study::WorstEnd{f.evaluation.bits, f.evaluation.value, running_bound(f.evaluation.error), f.order, {}};
    };
    report.least = end(found->least);
    report.greatest = end(found->greatest);
    return true;
  }

  const CommandLine& line_;
  const Limits& limits_;
  const Order& order_;
  const study::Input& input_;
  Session& session_;
  int threads_;
  Order walked_;
};

// The extreme that --which names.
const study::WorstEnd& chosen(const study::WorstFinding& report, const std::string& which) {
  const auto error = [&](const study::WorstEnd& end) {
    return std::fabs(study::worst_error(report.input, end.value).value_or(0));
  };
  const bool greatest = which == "greatest" || (which == "farthest" && error(report.greatest) >= error(report.least));
  return greatest ? report.greatest : report.least;
}

std::string order_file_text(const study::WorstEnd& end) {
  std::string text;
  for (const std::uint32_t i : end.order) text += std::to_string(i) + "\n";
  return text;
}

int run_worst(const CommandLine& line, Session& session) {
  const Order order = order_of(line, session.files);
  const Limits limits = parse_limits(line);
  const std::string& which = line.word(kWhich);
  check_order_file(line);
  shuffled_form(order);  // throws for one that worst cannot walk
  line.count(kSeed);
  threads_of(line);
  colored(line, session);
  OutputTargets targets(line);
  const std::string& path = line.text(kOrderFile);
  const OutputTarget file(line, kOrderFile);
  if (file.to_stdout())
    throw Error(ErrorKind::usage,
                line.quoted(kOrderFile) + ": is standard output, which perm() cannot read again; name a file");
  check_order(order, line);

  const study::Input input = load_input(line);
  study::WorstFinding report;
  Run work(line, limits, order, input, session);
  if (!work.run(report)) {
    session.err << "orderlab: worst: interrupted before the first order was done\n";
    return kInterrupted;
  }
  if (file.wanted()) {
    const study::WorstEnd& end = chosen(report, which);
    file.write(session, order_file_text(end));
    report.notes.push_back("order of the " + std::string(&end == &report.least ? "least" : "greatest") + " result in " +
                           path + "; replay: " + replay_command(work.walked(), line, path));
  }
  write_report(session, line, targets, report);
  return report.partial ? kInterrupted : kDone;
}

}  // namespace

extern const Command kWorst;
const Command kWorst{
    .name = "worst",
    .summary = "the extreme orders: how far from the exact sum can it get?",
    .example = "orderlab worst --n 1000 --format fp32 --order random",
    .flags = kWorstFlags,
    .run = run_worst,
};

}  // namespace orderlab::cli
