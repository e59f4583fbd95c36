// orderlab infer: when does the answer of a language model change, and is that rounding?
#include "orderlab/study/infer.hpp"

#include <optional>
#include <string>

#include "cli/logprob_file.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "study/infer_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kLogprobs{.key = "logprobs",
                         .kind = FlagKind::reads,
                         .value = "FILE",
                         .help =
                             "responses of a server at temperature 0 with logprobs=true and top_logprobs=2, as JSON "
                             "lines or an array",
                         .required = true};
constexpr Flag kAgainstRun{.key = "against",
                           .kind = FlagKind::reads,
                           .value = "FILE",
                           .help = "a second run of the same prompts: another batch size, backend, tensor parallelism"};
constexpr auto kInferFlags = joined(std::array{&kLogprobs, &kAgainstRun, &study::kNoise, &study::kInferSeed, &kThreads},
                                    kOutputFlags, std::array{&kHtml});
constexpr const Options* kInferTables[] = {&study::kInferOptions};

study::InferRequest infer_request(const CommandLine& line) {
  study::InferRequest request;
  take(line, study::kInferOptions, request);
  if (!line.has(kLogprobs))
    throw Error(ErrorKind::usage,
                "no answers: give --logprobs FILE, responses of a server with logprobs=true, "
                "top_logprobs=2");
  if (line.has(kAgainstRun) == request.noise.has_value())
    throw Error(ErrorKind::usage, request.noise ? line.quoted(study::kNoise) + ": is in place of --against; give one"
                                                : std::string("nothing to compare with: give a second run with "
                                                              "--against FILE, or a level of noise with --noise NATS"));
  if (line.text(kLogprobs) == "-" && line.text(kAgainstRun) == "-")
    throw Error(ErrorKind::usage, "--logprobs and --against are both standard input; it can be one of them");
  return request;
}

int run_infer(const CommandLine& line, Session& session) {
  const study::InferRequest request = infer_request(line);
  colored(line, session);
  const study::Watch watch = watch_of(session, line, "infer");
  const auto read = [&](const Flag& flag) {
    return study::in_stage(watch, "reading " + line.text(flag), [&] { return read_answers(line.text(flag)); });
  };
  const study::AnswerRun run = read(kLogprobs);
  std::optional<study::AnswerRun> against;
  if (line.has(kAgainstRun)) against = read(kAgainstRun);
  OutputTargets targets(line);
  const OutputTarget page(line, kHtml);
  try {
    const study::InferFinding finding = study::infer(run, against ? &*against : nullptr, request, watch);
    write_report(session, line, targets, finding);
    if (page.wanted()) page.write(session, html_page(finding));
    return !finding.observed || finding.explained() == true ? kDone : kExitNo;
  } catch (const Stopped&) {
    return interrupted(session, "infer", "the answers were compared");
  }
}

std::string notes_of_infer() {
  return "Files: responses of OpenAI-compatible servers (chat completions and completions), of SGLang, lines of a "
         "batch API. Answers are matched by custom_id or id, else by order.\n"
         "Flips are expected with P(D < -margin): D is the change of the margin between the two likeliest tokens from "
         "run to run. The rate is about E|D| f(0) / 2 per token, with f(0) the density of margins at 0.\n"
         "A largest change is explained by rounding where it is not above what all other changes allow. Their "
         "magnitudes' tail, exp(-(x/a)^c) through the median and the 90 % quantile with c from 1/2 to 2, is extended "
         "to the level that the largest exceeds with probability 0.001, and doubled, as noise differs between tokens. "
         "Where fewer than 20 margins changed, 0.5 nats is allowed: two bf16 logits below 64, a step each. A median "
         "change above that is no rounding.\n"
         "The exit status is 0 when the second run is explained by rounding, and with --noise; 1 when it is not, or "
         "when that cannot be told.";
}

}  // namespace

extern const Command kInfer;
const Command kInfer{
    .name = "infer",
    .summary =
        "when does the answer of a language model change, and is that rounding? From a server's log-probabilities",
    .example = "orderlab infer --logprobs batch_1.jsonl --against batch_8.jsonl",
    .flags = kInferFlags,
    .options = kInferTables,
    .run = run_infer,
    .notes = notes_of_infer,
};

}  // namespace orderlab::cli
