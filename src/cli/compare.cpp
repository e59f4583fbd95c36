// orderlab compare: is model A better than model B?
#include "orderlab/study/compare.hpp"

#include <cmath>

#include "cli/output_options.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "study/compare_options.hpp"

namespace orderlab::cli {

namespace {

// A list is a text that names no file, which the table of files does not mind.
constexpr Flag kScoresOfA{.key = "A",
                          .positional = true,
                          .kind = FlagKind::reads,
                          .help = "scores of runs of model A: a file, or a list such as 0.781,0.79 or 78.1%,79%",
                          .required = true};
constexpr Flag kScoresOfB{
    .key = "B", .positional = true, .kind = FlagKind::reads, .help = "the same of model B", .required = true};
constexpr Flag kWantedDifference{
    .key = "difference", .value = "D", .help = "difference to plan runs for; default: the observed one"};
constexpr auto kCompareFlags =
    joined(std::array{&kScoresOfA, &kScoresOfB, &study::kPaired, &study::kLowerIsBetter, &kWantedDifference,
                      &study::kPower, &study::kTestItems, &study::kBestOf, &study::kDrawSeed},
           kOutputFlags, std::array{&kHtml});
constexpr const Options* kCompareTables[] = {&study::kCompareOptions};

/// A difference is in the unit of the scores.
void require_unit(const CommandLine& line, const Scores& scores) {
  if (!line.has(kWantedDifference)) return;
  const bool percent = read_score(line.text(kWantedDifference))->percent;
  if (percent != scores.percent)
    throw Error(ErrorKind::usage,
                line.quoted(kWantedDifference) +
                    (percent ? ": is in per cent and the scores are not" : ": is not in per cent and the scores are") +
                    "; write all with %, or none");
}

study::CompareRequest compare_request(const CommandLine& line) {
  study::CompareRequest request;
  take(line, study::kCompareOptions, request);
  if (line.has(kWantedDifference)) {
    const auto difference = read_score(line.text(kWantedDifference));
    if (difference && std::isfinite(difference->value)) request.difference = difference->value;
    if (!request.difference)
      throw Error(ErrorKind::usage, line.quoted(kWantedDifference) + ": is not a number; such as 0.01");
  }
  validate(request);
  return request;
}

Scores scores_of(const CommandLine& line, const Flag& flag) {
  const std::string& text = line.text(flag);
  if (text.empty())
    throw Error(ErrorKind::usage, "no scores of model " + std::string(flag.key) +
                                      ": give two files or lists, such as 0.781,0.79 0.80,0.81");
  if (!is_score_list(text)) return read_scores(text);
  try {
    return parse_scores(text);
  } catch (const Error& error) {
    throw Error(error.kind(), std::string(flag.key) + ": " + error.what());
  }
}

int run_compare(const CommandLine& line, Session& session) {
  const study::CompareRequest request = compare_request(line);
  colored(line, session);
  if (line.text(kScoresOfA) == "-" && line.text(kScoresOfB) == "-")
    throw Error(ErrorKind::usage, "A and B are both standard input; it can be one of them");
  const Scores a = scores_of(line, kScoresOfA);
  const Scores b = scores_of(line, kScoresOfB);
  require_unit(line, a);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  const study::CompareFinding finding = compare(a, b, request);
  const InPhase reporting(session, Phase::reporting);
  write_report(session, line, targets, finding);
  if (page.wanted()) page.write(session, html_page(finding));
  return kDone;
}

std::string notes_of_compare() {
  return "Files: .npy; .txt or .csv with one score a line, or two columns seed,score; - for text on standard input.\n"
         "Scores may be percentages, all or none: 93% is read as 0.93.\n"
         "The exit status is 0 whether or not a difference is shown.";
}

}  // namespace

extern const Command kCompare;
const Command kCompare{
    .name = "compare",
    .summary = "is model A better than B, or is it seed luck? From scores of several runs of each",
    .example = "orderlab compare 0.781,0.779,0.790,0.784 0.795,0.788,0.801,0.797 --difference 0.01",
    .flags = kCompareFlags,
    .options = kCompareTables,
    .run = run_compare,
    .notes = notes_of_compare,
};

}  // namespace orderlab::cli
