// orderlab verify: recorded GPU runs against the orders that their kernels claim.
#include "crosscheck/verify.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <memory>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/error.hpp"
#include "report/verification_csv.hpp"
#include "report/verification_json.hpp"
#include "report/verification_text.hpp"
#include "terms/standard_input.hpp"

namespace orderlab::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  std::string confidence = "0.999";
  std::string seed = "1";
  std::string threads = "0";
  OutputOptions output;
};

// Nothing that is a capture is larger; a device that never ends is.
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

std::string text_of(std::istream& stream, const std::string& name) {
  std::string text;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || stream.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMostBytes)
      throw Error(ErrorKind::input,
                  name + ": is larger than 256 MiB and no capture; name a file that orderlab_capture made");
  }
  return text;
}

std::string text_of(const std::string& path) {
  if (path == "-") {
    StandardInput input;
    std::istream stream(&input);
    return text_of(stream, "standard input");
  }
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    throw Error(ErrorKind::input, path + ": is a folder; name a file in it");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(ErrorKind::input,
                "'" + path + "': cannot be read; name a file that was captured on a GPU, or - for stdin");
  return text_of(file, path);
}

VerifiedCapture verified(const std::string& path, const VerifyOptions& options) {
  const std::string name = path == "-" ? "standard input" : path;
  VerifiedCapture one{name, read_capture(text_of(path), name), {}};
  if (one.capture.runs.empty())
    throw Error(ErrorKind::input, name + ": holds no run; record it anew with orderlab_capture");
  one.runs = verify(one.capture, name, known_kernels(), options);
  return one;
}

// The captures that can be read and verified; the others are complained of.
VerificationReport verify_all(const Options& options, VerifyOptions how, Session& session, bool& failed) {
  VerificationReport report{{}, how.confidence, how.seed};
  for (const std::string& file : options.files) {
    if (session.stop.stop_requested()) break;
    ProgressBar bar(session, file, !options.output.quiet);
    bar.follow(how);
    try {
      report.captures.push_back(verified(file, how));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      complain(session, std::string("verify: ") + error.what());
      failed = true;
    }
  }
  return report;
}

int run(const Options& options, Session& session) {
  if (options.files.empty())
    throw Error(ErrorKind::usage, "no capture; name the FILE in which runs on a GPU were recorded");
  VerifyOptions how;
  how.confidence = parse_confidence(options.confidence);
  how.seed = parse_count("--seed", options.seed);
  how.threads = parse_threads(options.threads);
  options.output.colored(session);
  OutputTargets targets(options.output, options.files);

  bool failed = false;
  const VerificationReport report = verify_all(options, how, session, failed);
  if (failed) {  // no file says less than was asked for
    if (!options.output.quiet && !targets.silent())
      session.out << to_text(report, TextStyle{session.width, options.output.colored(session)});
    return kFailed;
  }
  write_report(session, options.output, targets, report);
  if (session.stop.stop_requested()) return kInterrupted;
  const bool good = std::all_of(report.captures.begin(), report.captures.end(),
                                [](const VerifiedCapture& one) { return one.mismatches() == 0; });
  return good ? kDone : kExitNo;
}

}  // namespace

extern const Command kVerify;
const Command kVerify{
    .name = "verify",
    .summary = "recorded GPU runs against the orders that their kernels claim",
    .example = "orderlab verify gpu.capture",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      app.add_option("files", options->files, "captures: files that orderlab_capture wrote on a machine with a GPU")
          ->type_name("FILE...");
      app.add_option("--confidence", options->confidence,
                     "that no run which order explains is called a mismatch because it is unlikely")
          ->type_name("P")
          ->capture_default_str();
      app.add_option("--seed", options->seed, "seed of the orders sampled where nothing recorded the true one")
          ->type_name("COUNT")
          ->capture_default_str();
      app.add_option("--threads", options->threads, "threads; 0: all")->type_name("COUNT")->capture_default_str();
      options->output.add_to(app);
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
