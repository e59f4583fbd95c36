// orderlab verify: recorded GPU runs against the orders that their kernels claim.
#include "crosscheck/verify.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/input_file.hpp"
#include "crosscheck/known_kernels.hpp"
#include "crosscheck/verify_options.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kFiles{.key = "files",
                      .positional = true,
                      .kind = FlagKind::reads,
                      .value = "FILE",
                      .help = "captures: files that orderlab_capture wrote on a machine with a GPU; - for stdin",
                      .repeats = true,
                      .required = true};
constexpr auto kVerifyFlags = joined(std::array{&kFiles, &kVerifyConfidence, &kVerifySeed, &kThreads}, kOutputFlags);
constexpr const Options* kVerifyTables[] = {&kVerifyOptions};

std::string text_of(const std::string& path) {
  if (path == "-") return InputFile::standard_input().rest();
  return InputFile(path, "name a file that was captured on a GPU, or - for stdin").rest();
}

VerifiedCapture verified(const std::string& path, const VerifyOptions& options) {
  const std::string name = path == "-" ? "standard input" : path;
  VerifiedCapture one{name, read_capture(text_of(path), name), {}};
  if (one.capture.runs.empty())
    throw Error(ErrorKind::input, name + ": holds no run; record it again with orderlab_capture");
  one.runs = verify(one.capture, name, known_kernels(), options);
  return one;
}

// The captures that can be read and verified; the others are complained of.
VerifyFinding verify_all(const CommandLine& line, VerifyOptions how, Session& session, bool& failed) {
  VerifyFinding finding{{}, how.confidence, how.seed};
  for (const std::string& file : line.texts(kFiles)) {
    if (session.stop.stop_requested()) {
      finding.partial = true;
      break;
    }
    ProgressBar bar(session, file, !line.has(kQuiet));
    bar.follow(how);
    try {
      finding.captures.push_back(verified(file, how));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      complain(session, std::string("verify: ") + error.what());
      failed = true;
    }
  }
  return finding;
}

int run_verify(const CommandLine& line, Session& session) {
  if (!line.has(kFiles)) throw Error(ErrorKind::usage, "no capture: give the FILE that orderlab_capture wrote");
  VerifyOptions how;
  take(line, kVerifyOptions, how);
  colored(line, session);
  OutputTargets targets(line);

  bool failed = false;
  const VerifyFinding finding = verify_all(line, how, session, failed);
  if (failed) {  // no incomplete output file is written
    if (!line.has(kQuiet) && !targets.silent())
      session.out.write(to_text(finding, TextStyle{session.width, colored(line, session)}), colored(line, session));
    return kFailed;
  }
  if (finding.captures.empty()) return interrupted(session, "verify", "any run was checked");
  write_report(session, line, targets, finding);
  if (session.stop.stop_requested()) return kInterrupted;
  const bool good = std::all_of(finding.captures.begin(), finding.captures.end(),
                                [](const VerifiedCapture& one) { return one.mismatches() == 0; });
  return good ? kDone : kExitNo;
}

}  // namespace

extern const Command kVerify;
const Command kVerify{
    .name = "verify",
    .summary = "recorded GPU runs against the orders that their kernels claim",
    .example = "orderlab verify gpu.capture",
    .flags = kVerifyFlags,
    .options = kVerifyTables,
    .run = run_verify,
};

}  // namespace orderlab::cli
