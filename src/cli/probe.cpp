// orderlab probe: in which order does a black box add?
#include "orderlab/study/probe.hpp"

#include <optional>
#include <string>
#include <vector>

#include "cli/given_array.hpp"
#include "cli/input_flags.hpp"
#include "cli/listing.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/enum_names.hpp"
#include "core/text.hpp"
#include "orderlab/boxes.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/fused_probe.hpp"
#include "show/input_text.hpp"
#include "study/probe_options.hpp"

namespace orderlab::cli {

namespace {

constexpr std::uint64_t kMostBoxThreads = 4096;
constexpr std::uint64_t kMostOffset = 1 << 16;

constexpr Flag kBoxCommand{.key = "command",
                           .value = "CMD",
                           .help = "a shell command that reads numbers on stdin, one a line, and writes their sum",
                           .group = "Black box"};
constexpr Flag kLines{.key = "lines",
                      .kind = FlagKind::toggle,
                      .help = "of --command: one process answers line by line, all terms of an input in a line",
                      .group = "Black box"};
constexpr Flag kLibrary{.key = "library",
                        .value = "FILE:SYMBOL",
                        .help =
                            "T symbol(size_t n, const T* x) of a shared library; FILE:SYMBOL:dot takes x and y, "
                            "FILE:SYMBOL:blas is the dot of a BLAS, C or Fortran",
                        .group = "Black box"};
constexpr Flag kPython{.key = "python",
                       .value = "MODULE:FUNCTION",
                       .help = "a Python function of one numpy array; MODULE:FUNCTION:dot of two",
                       .group = "Black box"};
constexpr Flag kAxis{.key = "axis",
                     .kind = FlagKind::count,
                     .value = "K",
                     .help = "of --python: pass an array of two dimensions and axis=K, 0 or 1",
                     .group = "Black box",
                     .low = 0,
                     .high = 1};
constexpr Flag kSummands{.key = "of",
                         .kind = FlagKind::word,
                         .value = "SUMMANDS",
                         .fallback = "terms",
                         .help =
                             "what it adds for each term x: terms, x itself; abs, |x| (asum); square, its square; "
                             "norm, its square, with a square root of the sum (nrm2). With the last three :blas is a "
                             "function of one array",
                         .group = "Black box",
                         .words = names_through<Summands::norm>()};
constexpr Flag kWeights{.key = "weights",
                        .kind = FlagKind::reads,
                        .value = "FILE",
                        .help =
                            "fixed weights that it multiplies its terms by, one for each: powers of two from 2^-8 to "
                            "2^8, of either sign",
                        .group = "Black box"};
constexpr Flag kTimeLimit{.key = "time_limit",
                          .value = "SECONDS",
                          .fallback = "10",
                          .help = "for one answer",
                          .group = "Black box",
                          .low = 0,
                          .high = 86400,
                          .must_be = "above 0 and at most 86400 seconds",
                          .above_low = true};
constexpr Flag kFusedSteps{
    .key = "fused",
    .kind = FlagKind::toggle,
    .help =
        "of a box that adds products as tensor cores do: reveal its steps, L, F, rounding and order, and name its "
        "unit. --n products, 64 unless said; --format FACTORS:ANSWERS, such as fp16:fp32; a command reads x and y of "
        "each product",
    .group = "Black box"};
constexpr Flag kSizes{
    .key = "sizes", .value = "LIST", .help = "further numbers of terms: 65,101,1000", .group = "Settings"};
constexpr Flag kBoxFormat{.key = "format",
                          .value = "FORMAT",
                          .fallback = "fp32",
                          .help = "of the terms: fp64, fp32, fp16 or bf16",
                          .group = "Settings",
                          .list = "formats"};
constexpr Flag kOffsets{.key = "offsets",
                        .value = "A:B",
                        .help = "place the first term A, ..., B elements behind a multiple of 4096 bytes",
                        .group = "Settings"};
constexpr Flag kBoxThreads{.key = "box_threads",
                           .value = "LIST",
                           .help = "numbers of threads, set as OMP_NUM_THREADS of the box: 1,2,4",
                           .group = "Settings"};
constexpr Flag kExpect{.key = "expect",
                       .value = "ORDER",
                       .help = "exit with status 1 unless the box adds in this order",
                       .group = "Settings",
                       .list = "orders"};
constexpr Flag kTreesOnly{
    .key = "newick", .kind = FlagKind::toggle, .help = "write only the trees, in Newick format", .group = "Output"};
constexpr auto kProbeFlags = joined(
    std::array{&kBoxCommand, &kLines, &kLibrary, &kPython, &kAxis, &kSummands, &kWeights, &kFusedSteps, &kTimeLimit,
               &study::kBoxN, &kSizes, &kBoxFormat, &kOffsets, &kBoxThreads, &study::kRepeats, &kExpect, &kTreesOnly},
    kOutputFlags);
constexpr const Options* kProbeTables[] = {&study::kProbeOptions};

Summands summands_of(const CommandLine& line) { return *enumerator_named<Summands::norm>(line.word(kSummands)); }

// One weight for each term, and as many terms.
void take_weights(const CommandLine& line, study::ProbeRequest& request) {
  if (!line.has(kWeights)) return;
  const Terms weights = terms_of(line, kWeights, Format::fp64);
  for (std::size_t i = 0; i < weights.size(); ++i) request.box.weights.push_back(weights.view().left(i));
  if (line.has(kSizes))
    throw Error(ErrorKind::usage, line.quoted(kSizes) + ": the weights are for " + plural(weights.size(), "term") +
                                      "; probe one size a run");
  if (line.has(study::kBoxN) && request.n != weights.size())
    throw Error(ErrorKind::usage, line.quoted(study::kBoxN) + ": the weights are for " +
                                      plural(weights.size(), "term") + "; leave --n out");
  request.n = weights.size();
}

BoxMaker box_of(const CommandLine& line, const Session& session) {
  const BoxMaker* const given = session.caller.box;
  int boxes = given == nullptr ? 0 : 1;
  for (const Flag* flag : {&kBoxCommand, &kLibrary, &kPython}) boxes += line.has(*flag) ? 1 : 0;
  if (boxes != 1)
    throw Error(ErrorKind::usage, std::string(boxes == 0 ? "no black box" : "more than one black box") +
                                      ": give one of --command 'CMD', --library FILE:SYMBOL, --python MODULE:FUNCTION");
  if (line.has(kLines) && !line.has(kBoxCommand)) throw Error(ErrorKind::usage, "--lines: needs --command");
  if (line.has(kAxis) && !line.has(kPython)) throw Error(ErrorKind::usage, line.quoted(kAxis) + ": needs --python");
  if (given != nullptr) return *given;
  const bool fused = line.has(kFusedSteps);
  BoxLimits limits{.stop = session.stop};
  limits.seconds = line.real(kTimeLimit);
  if (line.has(kBoxCommand)) return command_box(line.text(kBoxCommand), line.has(kLines), limits, fused);
  const std::optional<Format> answers =
      fused ? std::optional(parse_formats(line.text(kBoxFormat)).accumulate) : std::nullopt;
  if (line.has(kLibrary))
    return library_box(line.text(kLibrary), limits, summands_of(line) != Summands::terms, answers);
  return python_box(line.text(kPython), line.has(kAxis) ? std::optional(line.count(kAxis)) : std::nullopt, limits);
}

std::vector<std::size_t> counts_of(const CommandLine& line, const Flag& flag, std::uint64_t low, std::uint64_t high) {
  std::vector<std::size_t> counts;
  const std::string& text = line.text(flag);
  if (!line.has(flag)) return counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) throw Error(ErrorKind::usage, line.quoted(flag) + ": an entry is empty; such as 65,101,1000");
    counts.push_back(parse_count(flag.long_name(), text.substr(begin, end - begin), low, high));
    begin = end + 1;
  }
  return counts;
}

std::vector<std::size_t> offsets_of(const CommandLine& line) {
  std::vector<std::size_t> offsets;
  if (!line.has(kOffsets)) return offsets;
  const std::string& text = line.text(kOffsets);
  const std::size_t colon = text.find(':');
  const std::string what = kOffsets.long_name();
  const std::uint64_t low = parse_count(what, text.substr(0, colon), 0, kMostOffset);
  const std::uint64_t high =
      colon == std::string::npos ? low : parse_count(what, text.substr(colon + 1), 0, kMostOffset);
  if (high < low)
    throw Error(ErrorKind::usage, line.quoted(kOffsets) + ": the first offset is above the last; such as 0:7");
  for (std::uint64_t offset = low; offset <= high; ++offset) offsets.push_back(offset);
  return offsets;
}

study::ProbeRequest request_of(const CommandLine& line, const Session& session) {
  study::ProbeRequest request;
  request.box = box_of(line, session);
  request.box.summands = summands_of(line);
  take(line, study::kProbeOptions, request);
  take_weights(line, request);
  request.sizes = counts_of(line, kSizes, 1, kMostProbedTerms);
  const auto format = find_format(line.text(kBoxFormat));
  if (!format)
    throw Error(ErrorKind::usage,
                line.quoted(kBoxFormat) +
                    ": give the format of the terms, fp64, fp32, fp16 or bf16; that of the additions is measured");
  request.format = *format;
  request.offsets = offsets_of(line);
  request.threads = counts_of(line, kBoxThreads, 1, kMostBoxThreads);
  request.expected = line.text(kExpect);
  if (line.has(kOffsets) && line.has(kBoxCommand))
    throw Error(ErrorKind::usage, line.quoted(kOffsets) + ": needs --library or --python; a command reads text");
  return request;
}

study::FusedProbeRequest fused_request_of(const CommandLine& line, const Session& session) {
  for (const Flag* flag : {&kAxis, &kSummands, &kWeights, &kSizes, &kOffsets, &kBoxThreads, &kExpect, &kTreesOnly})
    if (line.has(*flag)) throw Error(ErrorKind::usage, line.quoted(*flag) + ": is not for --fused; leave it out");
  study::ProbeRequest asked;
  take(line, study::kProbeOptions, asked);
  study::FusedProbeRequest request;
  request.box = box_of(line, session);
  request.n = static_cast<std::size_t>(asked.n);
  request.repeats = asked.repeats;
  request.formats = parse_formats(line.text(kBoxFormat));
  if (request.box.products) return request;
  throw Error(ErrorKind::usage, "--fused: " + request.box.name +
                                    " takes one input, and fused steps add products; give a function of two, such as "
                                    "FILE:SYMBOL:dot or MODULE:FUNCTION:dot");
}

int run_fused_probe(const CommandLine& line, Session& session) {
  const study::FusedProbeRequest request = fused_request_of(line, session);
  OutputTargets targets(line);
  colored(line, session);
  const auto finding = probe_fused(request, watch_of(session, line, "probe"));
  if (!finding) return interrupted(session, "probe", "any verdict");
  write_report(session, line, targets, *finding);
  return finding->probed.verdict == FusedVerdict::not_fused ? kExitNo : kDone;
}

int run_probe(const CommandLine& line, Session& session) {
  if (line.has(kFusedSteps)) return run_fused_probe(line, session);
  const study::ProbeRequest request = request_of(line, session);
  if (!request.expected.empty()) parse_order(request.expected);  // before any work
  colored(line, session);
  OutputTargets targets(line);
  if (line.has(kTreesOnly) && targets.silent())
    throw Error(ErrorKind::usage, "--newick and a file on standard output: give one of them");
  const auto finding = probe(request, watch_of(session, line, "probe"));
  if (!finding) return interrupted(session, "probe", "any verdict");
  if (line.has(kTreesOnly)) {
    session.out << probe_newick(*finding);
    targets.text_replaced = true;
  }
  write_report(session, line, targets, *finding);
  if (finding->partial) return kInterrupted;
  return finding->as_expected() && finding->verdict != ProbeVerdict::not_a_sum ? kDone : kExitNo;
}

std::string notes_of_probe() {
  return "The verdict is one of: named; revealed (a tree without a name); depends on n, alignment or threads; random;\n"
         "exact or compensated; data-dependent; not a sum (exit status 1). A box that crashes, hangs or writes no\n"
         "number is an error. Boxes run with OMP_WAIT_POLICY=passive unless it is set.\n"
         "A probe takes n or more calls of n terms each. Without --sizes, the order is also tried at 2 n + 1 and\n"
         "8 n + 5 terms; it may change beyond these.\n"
         "--fused takes about n + 230 calls, twice as many if not fused. Its verdicts: named (units of `orderlab list "
         "units`); revealed (a step "
         "with\n"
         "parameters of its own); not fused (exit status 1).";
}

}  // namespace

extern const Command kProbe;
const Command kProbe{
    .name = "probe",
    .summary = "in which order does a program or a library add? Reveals the order of a black box and names it",
    .example = "orderlab probe --command 'awk \"{s += \\$1} END {printf \\\"%.17g\\\", s}\"'",
    .flags = kProbeFlags,
    .options = kProbeTables,
    .run = run_probe,
    .notes = notes_of_probe,
};

}  // namespace orderlab::cli
