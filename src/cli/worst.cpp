// orderlab worst: the orders whose sums lie farthest apart.
#include "orderlab/study/worst.hpp"

#include "cli/one_order.hpp"
#include "cli/progress.hpp"
#include "cli/replay_command.hpp"
#include "orderlab/error.hpp"
#include "study/worst_options.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kEnds[] = {"least", "greatest", "farthest"};

constexpr Flag kOrderFile{
    .key = "order_file", .kind = FlagKind::writes, .value = "FILE", .help = "write an order found, for perm(FILE)"};
constexpr Flag kWhich{.key = "which",
                      .kind = FlagKind::word,
                      .value = "END",
                      .fallback = "farthest",
                      .help = "which one: least, greatest, or farthest from the exact sum",
                      .words = kEnds};
constexpr auto kWorstFlags = joined(kOneOrderFlags, std::array{&study::kSearchEvaluations, &study::kSearchSeconds,
                                                               &kOrderFile, &kWhich, &kQuickMemory});
constexpr const Options* kWorstTables[] = {&study::kWorstOptions};

study::WorstRequest parse_request(const CommandLine& line, FileTable& files) {
  study::WorstRequest request{.order = order_of(line, files)};
  take(line, study::kWorstOptions, request);
  validate(request);
  return request;
}

void check_order_file(const CommandLine& line) {
  const std::string& file = line.text(kOrderFile);
  if (file.find('\'') != std::string::npos)
    throw Error(ErrorKind::usage, line.quoted(kOrderFile) + ": has a ', which perm() cannot read; choose another name");
}

// The extreme that --which names.
const study::WorstEnd& chosen(const study::WorstFinding& finding, const std::string& which) {
  return which == "least" ? finding.least : which == "greatest" ? finding.greatest : farthest(finding);
}

std::string order_file_text(const study::WorstEnd& end) {
  std::string text;
  for (const std::uint32_t i : end.order) text += std::to_string(i) + "\n";
  return text;
}

void write_order(const CommandLine& line, Session& session, const OutputTarget& file, const std::string& which,
                 study::WorstFinding& finding) {
  const study::WorstEnd& end = chosen(finding, which);
  file.write(session, order_file_text(end));
  const std::string& path = line.text(kOrderFile);
  finding.notes.push_back("order of the " + std::string(&end == &finding.least ? "least" : "greatest") + " result in " +
                          path + "; replay: " + replay_command(*finding.searched_order, line, path));
}

int run_worst(const CommandLine& line, Session& session) {
  const study::WorstRequest request = parse_request(line, session.files);
  const std::string& which = line.word(kWhich);
  check_order_file(line);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget file(line, kOrderFile);
  if (file.to_stdout())
    throw Error(ErrorKind::usage,
                line.quoted(kOrderFile) + ": is standard output, which perm() cannot read again; name a file");
  check_order(request.order, line);

  const study::Watch watch = watch_of(session, line, "worst");
  const study::Input input = load_input(line, watch);
  if (file.wanted() && extremes_are_trees(input, request))
    throw Error(ErrorKind::usage, line.quoted(kOrderFile) +
                                      ": the extremes over trees are trees, which an order file cannot hold; use "
                                      "--json FILE");
  auto finding = worst(input, request, watch);
  if (!finding) return interrupted(session, "worst", "the first order was done");
  if (file.wanted()) write_order(line, session, file, which, *finding);
  write_report(session, line, targets, *finding);
  return finding->partial ? kInterrupted : kDone;
}

}  // namespace

extern const Command kWorst;
const Command kWorst{
    .name = "worst",
    .summary = "the extreme orders: how far from the exact sum can it get?",
    .example = "orderlab worst --n 1000 --format fp32 --order random",
    .flags = kWorstFlags,
    .options = kWorstTables,
    .run = run_worst,
};

}  // namespace orderlab::cli
