// orderlab check: are these results explained by order?
#include "orderlab/study/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/by_group.hpp"
#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "cli/request_text.hpp"
#include "core/enum_names.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/check_difference.hpp"
#include "study/check_options.hpp"
#include "study/order_run.hpp"
#include "terms/given_results.hpp"
#include "terms/table_file.hpp"

namespace orderlab::cli {

namespace {

using study::kAgainstOrder;
using study::kCheckConfidence;
using study::kCheckSamples;
using study::kFtz;
using study::kOrderDevice;

constexpr Flag kValue{
    .key = "value",
    .value = "X",
    .help =
        "a result: decimal, hex float, bits:0x..., inf or nan, or mean:X for a mean; may be repeated. "
        "A short decimal stands for every number that prints as it",
    .group = "Results",
    .repeats = true};
constexpr Flag kValuesFile{
    .key = "values",
    .kind = FlagKind::reads,
    .value = "FILE",
    .help = "results of many runs: text with one per line, or FILE::NAME as --input has it; - for stdin",
    .group = "Results"};
constexpr Flag kActual{.key = "actual",
                       .kind = FlagKind::reads,
                       .value = "FILE",
                       .help = "of an operation: the array of a run, as --input has it",
                       .group = "Results"};
constexpr Flag kStrict{.key = "strict",
                       .kind = FlagKind::toggle,
                       .help = "with --op: also exit 1 for outputs outside the model",
                       .group = "Results"};
constexpr auto kCheckFlags = joined(std::array{&kValue, &kValuesFile, &kActual, &kCheckConfidence, &kStrict, &kFtz},
                                    std::array{&kN, &kDistribution}, kFileFlags, kOperationFlags,
                                    std::array{&kFormat, &kSeed, &kInputSeed, &kOrder, &kAgainstOrder, &kAgainstFormat,
                                               &kOrderDevice, &kArrival, &kThreads},
                                    kOutputFlags, std::array{&kCheckSamples, &kQuickMemory, &kBy});
constexpr const Options* kCheckTables[] = {&study::kCheckOptions, &study::kCheckAnyOptions,
                                           &study::kCheckDifferenceOptions, &study::kCheckOperationOptions};

GivenResults read_given(const CommandLine& line, const Formats& formats, std::uint64_t n) {
  GivenResults all;
  if (line.has(kValuesFile)) all = results_of(line, kValuesFile, formats, n);
  for (const std::string& text : line.texts(kValue)) {
    const ReadResult read = read_result(text, formats, n);
    if (!read.result) throw Error(ErrorKind::usage, "--value " + text + ": " + read.problem);
    if (!all.results.empty() && read.mean != all.means)
      throw Error(ErrorKind::usage, "--value " + text + ": stands among " + (read.mean ? "sums" : "means") +
                                        "; give either means or sums");
    all.means = read.mean;
    all.results.push_back(*read.result);
    if (read.rounded) ++all.rounded;
  }
  return all;
}

void require_fp32_to_flush(const CommandLine& line, const Formats& formats) {
  if (line.has(kFtz) && formats.accumulate != Format::fp32)
    throw Error(ErrorKind::usage, line.quoted(kFtz) + ": is about additions in fp32; these are in " +
                                      std::string(info(formats.accumulate).name) + ", leave it out");
}

// In place of an order: all that are known.
bool asks_any(const CommandLine& line) { return line.text(kOrder) == "any"; }

int run_check_operation(const CommandLine& line, Session& session) {
  if (line.has(kAgainstOrder))
    throw Error(ErrorKind::usage, line.quoted(kAgainstOrder) + ": is about sums of one output; leave it out with --op");
  if (asks_any(line))
    throw Error(ErrorKind::usage, "--order any: is about sums of one output; with --op name an order, or leave it out");
  for (const Flag* flag : {&kValue, &kValuesFile, &kQuickMemory})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about sums of one output; with --op give --actual FILE");
  if (!line.has(kActual)) throw Error(ErrorKind::usage, "no array to check: give --actual FILE, a .npy of a run");
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "check");
  const study::OperationInput input = load_operation(line, session.files, watch);
  require_fp32_to_flush(line, input.facts.formats);
  study::OperationCheckRequest request{.actual = tensor_of(line, kActual, input.facts.formats.result)};
  request.arrival = arrival_of_units(line, session.files);
  take(line, study::kCheckOperationOptions, request);
  const auto finding = check_operation(input, request, watch);
  if (!finding) return interrupted(session, "check", "any verdict");
  write_report(session, line, targets, *finding);
  const study::OutputVerdict verdict = finding->verdict();
  const bool passes = verdict == study::OutputVerdict::explained ||
                      (verdict == study::OutputVerdict::outside_model && !line.has(kStrict));
  return passes ? kDone : kExitNo;
}

// Whether terms come from standard input, which is read once.
bool has_streamed_terms(const CommandLine& line) {
  return is_standard_input(line.text(kInput)) || is_standard_input(line.text(kWith));
}

void refuse_shared_input(const CommandLine& line) {
  if (is_standard_input(line.text(kValuesFile)) && has_streamed_terms(line))
    throw Error(ErrorKind::usage,
                "--values - and terms from -: standard input has one list; name a file for one of them");
}

void require_results(const CommandLine& line) {
  if (!line.has(kValue) && !line.has(kValuesFile))
    throw Error(ErrorKind::usage, "no result to check: give --value X, once or more often, or --values FILE");
  refuse_shared_input(line);
}

// Reads the results, of sums of `input`. Means are of the result format, and say which sums they are of in the
// accumulate format, in which `input` is summed then. Returns how many results were rounded.
template <class Request>
std::uint64_t take_results(Request& request, const CommandLine& line, study::Input& input) {
  GivenResults given = read_given(line, input.facts.formats, input.facts.n);
  if (given.means) {
    request.means = input.facts.formats.result;
    input.facts.formats.result = input.facts.formats.accumulate;
  }
  request.given = std::move(given.results);
  return given.rounded;
}

int run_check_any(const CommandLine& line, Session& session) {
  if (line.has(kArrival))
    throw Error(ErrorKind::usage, line.quoted(kArrival) +
                                      ": --order any tries orders with their own arrivals; leave out --arrival, or "
                                      "name an order such as warp");
  if (line.has(kFtz))
    throw Error(ErrorKind::usage, line.quoted(kFtz) + ": --order any tries orders as they stand; name one of them");
  study::CheckAnyRequest request;
  require_results(line);
  colored(line, session);
  OutputTargets targets(line);
  take(line, study::kCheckAnyOptions, request);
  const study::Watch watch = watch_of(session, line, "check");
  study::Input input = load_input(line, watch);
  const std::uint64_t rounded = take_results(request, line, input);
  auto finding = check_any(input, request, watch);
  if (!finding) return interrupted(session, "check", "any order was tried");
  finding->rounded = rounded;
  write_report(session, line, targets, *finding);
  if (finding->partial) return kInterrupted;
  return finding->verdict() <= study::AnyVerdict::consistent ? kDone : kExitNo;
}

// Whether the arrivals are named, by --arrival or in the text of the order. Shuffles and trees that are drawn have
// none.
bool arrivals_known(const CommandLine& line, const Flag& flag, const Order& order) {
  if (line.has(kArrival)) return true;
  return !study::arrival_of(order).empty() && !takes_arrival(line.text(flag));
}

// The differences that were given. A short decimal leaves open which number it was, but 0 is 0.
std::vector<study::GivenDifference> differences_of(const CommandLine& line) {
  for (const std::string& text : line.texts(kValue))
    if (text.starts_with("bits:"))
      throw Error(ErrorKind::usage, "--value " + text + ": with --against, write a difference as a number");
  const GivenResults given = read_given(line, Formats{}, 1);
  if (given.means) throw Error(ErrorKind::usage, "mean:X with --against: give the difference itself");
  std::vector<study::GivenDifference> differences;
  for (const GivenResult& result : given.results) {
    const double value = value_of_bits(Format::fp64, result.bits);
    const KeyInterval read = value == 0 ? result.read_exactly(Format::fp64) : result.read_widely(Format::fp64);
    const auto magnitude = [](std::int64_t key) {
      return std::fabs(value_of_bits(Format::fp64, bits_of_key(Format::fp64, key)));
    };
    const auto [least, greatest] = std::minmax({magnitude(read.low), magnitude(read.high)});
    const study::GivenDifference difference(value, least, greatest);
    differences.insert(differences.end(), result.count, difference);
  }
  return differences;
}

int run_check_difference(const CommandLine& line, Session& session) {
  for (const Flag* flag : {&kFtz, &kQuickMemory})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": does not go with --against; leave it out");
  if (!line.has(kOrder) || asks_any(line))
    throw Error(ErrorKind::usage,
                line.quoted(kAgainstOrder) + ": needs the order of the other results, such as --order warp");
  OtherOrder other = other_order_of(line, kAgainstOrder, session.files);
  study::DifferenceRequest request{order_of(line, session.files, &kAgainstOrder), std::move(other)};
  const auto known = [&](const Flag& flag, const Order& order) {
    return !order.random() || arrivals_known(line, flag, order);
  };
  request.arrivals_known = known(kOrder, request.order) && known(kAgainstOrder, request.other.order);
  require_results(line);
  colored(line, session);
  OutputTargets targets(line);
  check_order(request.order, line);
  take(line, study::kCheckDifferenceOptions, request);
  request.differences = differences_of(line);
  const study::Watch watch = watch_of(session, line, "check");
  const auto finding = check_difference(load_input(line, watch), request, watch);
  if (!finding) return interrupted(session, "check", "any verdict");
  write_report(session, line, targets, *finding);
  if (finding->partial) return kInterrupted;
  return finding->verdict() == Verdict::explained ? kDone : kExitNo;
}

// The results of groups in the table of --values, which has the same groups as that of --input.
class ResultsByGroup {
 public:
  ResultsByGroup(const CommandLine& line, const std::vector<FieldGroup>& groups)
      : source_(source_of(line, kValuesFile)),
        file_(file_address(source_.text).path),
        results_(groups_of(line, kValuesFile)) {
    for (const FieldGroup& one : results_) by_name_.emplace(one.name, &one);
    const std::string by = line.text(kBy) + " ";
    std::set<std::string, std::less<>> names;
    for (const FieldGroup& group : groups) {
      names.insert(group.name);
      if (!by_name_.contains(group.name))
        throw Error(ErrorKind::input, file_ + ": has no row of " + by + group.name + "; give its result");
    }
    for (const FieldGroup& one : results_)
      if (!names.contains(one.name))
        throw Error(ErrorKind::input, place(one, 0) + ": " + by + one.name + " is not a group of " + line.text(kInput) +
                                          "; leave the row out, or add the rows of the group");
  }

  GivenResults of(const std::string& group, const Formats& formats, std::uint64_t n) const {
    const FieldGroup& rows = *by_name_.at(group);
    ResultList list(formats, n, file_);
    for (std::size_t i = 0; i < rows.fields.size(); ++i)
      list.add(place(rows, i), number_text(rows.fields[i], source_.decimal_comma, [&] { return place(rows, i); }));
    GivenResults given = std::move(list).given();
    if (given.means)
      throw Error(ErrorKind::input, place(rows, 0) + ": " + in_quotes(rows.fields[0]) + " is a mean; give sums");
    return given;
  }

 private:
  std::string place(const FieldGroup& rows, std::size_t i) const { return file_ + ":" + std::to_string(rows.lines[i]); }

  FileSource source_;
  std::string file_;
  std::vector<FieldGroup> results_;
  std::map<std::string, const FieldGroup*, std::less<>> by_name_;
};

// Each group has an equal part of 1 - confidence, so that the confidence is that of all verdicts together.
int run_check_by_group(const CommandLine& line, Session& session, study::CheckRequest request) {
  if (line.has(kValue) || !line.has(kValuesFile))
    throw Error(ErrorKind::usage,
                "--by: give the results of groups as a table with the same column, --values FILE::NAME");
  refuse_shared_input(line);
  colored(line, session);
  OutputTargets targets(line);
  check_order(request.order, line);
  take(line, study::kCheckOptions, request);
  const study::Watch watch = watch_of(session, line, "check");
  const std::vector<FieldGroup> groups = groups_of(line, kInput);
  const ResultsByGroup results(line, groups);
  study::GroupsFinding finding{.command = "check", .by = line.text(kBy), .seed = request.seed};
  finding.confidence = request.confidence;
  finding.rounded = 0;
  request.confidence = 1 - (1 - request.confidence) / static_cast<double>(groups.size());
  answer_groups(line, groups, finding, watch, [&](const study::Input& input, const FieldGroup& group) {
    require_fp32_to_flush(line, input.facts.formats);
    GivenResults given = results.of(group.name, input.facts.formats, input.facts.n);
    *finding.rounded += given.rounded;
    request.given = std::move(given.results);
    auto found = check(input, request, watch);
    if (found && found->partial) found.reset();
    if (found) finding.asked = found->asked;
    if (found) finding.name = found->name;
    if (found) finding.ftz = name_of(found->flushing);
    return found;
  });
  return report_groups(session, line, targets, finding);
}

int run_check(const CommandLine& line, Session& session) {
  if (line.has(kBy) && (line.has(kAgainstOrder) || asks_any(line)))
    throw Error(ErrorKind::usage, line.quoted(kBy) + ": judges one order; leave out --against, and name an order");
  if (line.has(kOrderDevice) && !asks_any(line))
    throw Error(ErrorKind::usage, line.quoted(kOrderDevice) + ": chooses among the orders that --order any tries");
  if (has_operation(line)) return run_check_operation(line, session);
  if (line.has(kActual)) throw Error(ErrorKind::usage, line.quoted(kActual) + ": is of operations; add --op NAME");
  if (line.has(kStrict)) throw Error(ErrorKind::usage, "--strict: is of operations; add --op NAME");
  if (line.has(kAgainstOrder)) return run_check_difference(line, session);
  refuse_formats_alone(line);
  if (asks_any(line)) return run_check_any(line, session);
  if (!line.has(kOrder))
    throw Error(
        ErrorKind::usage,
        "no order: give --order NAME, such as --order warp, or --order any to try all that are known; `orderlab "
        "list orders` has them");
  study::CheckRequest request{.order = order_of(line, session.files)};
  request.arrivals_known = arrivals_known(line, kOrder, request.order);
  if (line.has(kBy)) return run_check_by_group(line, session, std::move(request));
  require_results(line);
  colored(line, session);
  OutputTargets targets(line);
  check_order(request.order, line);
  take(line, study::kCheckOptions, request);
  const study::Watch watch = watch_of(session, line, "check");
  study::Input input = load_input(line, watch);
  require_fp32_to_flush(line, input.facts.formats);
  const std::uint64_t rounded = take_results(request, line, input);
  request.suggests = true;
  request.in_formats = [&line](const Formats& formats, const study::Watch& quiet) -> std::optional<study::Input> {
    if (has_streamed_terms(line)) return std::nullopt;
    return load_input(line, quiet, formats);
  };
  auto finding = check(input, request, watch);
  if (!finding) return interrupted(session, "check", "any verdict");
  finding->rounded = rounded;
  for (std::string& note : finding->notes) note = with_flags(note);
  write_report(session, line, targets, *finding);
  if (finding->partial) return kInterrupted;
  return finding->result.verdict() == Verdict::explained ? kDone : kExitNo;
}

std::string notes_of_check() {
  return "Without --arrival (or arrive(MODEL) in the order) every arrival order is allowed; frequencies are reported "
         "but\n"
         "do not affect the verdict. Exit status 0: explained, consistent or outside the model (1 with --strict);\n"
         "1: not explained, unlikely or impossible.\n";
}

}  // namespace

extern const Command kCheck;
const Command kCheck{
    .name = "check",
    .summary = "are these results explained by order, or by a bug or a race?",
    .example = "orderlab check --n 10 --dist 'constant(0.1)' --order random --value 0.9999999999999999",
    .flags = kCheckFlags,
    .options = kCheckTables,
    .run = run_check,
    .notes = notes_of_check,
};

}  // namespace orderlab::cli
