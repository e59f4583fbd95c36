// orderlab infer: when does the answer of a language model change, and is that rounding?
#include "orderlab/study/infer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/logprob_file.hpp"
#include "cli/model_folder.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/prompt_file.hpp"
#include "cli/recorded.hpp"
#include "cli/shard.hpp"
#include "cli/tiny_model.hpp"
#include "core/stop.hpp"
#include "inference/serving_flags.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/terms.hpp"
#include "page/page_contents.hpp"
#include "show/infer_model.hpp"
#include "study/infer_model_options.hpp"
#include "study/infer_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kModel{
    .key = "model",
    .positional = true,
    .value = "MODEL",
    .help =
        "folder of a model with config.json and safetensors, or tiny, a model of bytes that is part of "
        "the program"};
constexpr Flag kLogprobs{.key = "logprobs",
                         .kind = FlagKind::reads,
                         .value = "FILE",
                         .help =
                             "in place of a model: responses of a server at temperature 0 with logprobs=true and "
                             "top_logprobs=2, as JSON lines or an array",
                         .group = "A server's log-probabilities"};
constexpr Flag kAgainstRun{.key = "against",
                           .value = "WHAT",
                           .help =
                               "a second run: with --logprobs the file of another run of the same prompts; with a "
                               "model the settings to change, "
                               "such as batch=8 or serving=sglang,tp=4. Each run needs an --against of its own",
                           .repeats = true};
constexpr Flag kPrompts{.key = "prompts",
                        .kind = FlagKind::reads,
                        .value = "FILE",
                        .help =
                            "prompts: JSON lines of token ids; of a model of bytes also text, a prompt a line; default "
                            "of tiny: 200 of its own",
                        .group = "Model"};
constexpr Flag kBatches{.key = "batch",
                        .value = "COUNT[,COUNT...]",
                        .fallback = "1",
                        .help = "requests that are decoded together; each further count is compared with the first",
                        .group = "Model"};
constexpr Flag kSet{.key = "set",
                    .value = "KEY=VALUE,...",
                    .help = "more settings of all runs, such as split_k=4,partials=bf16; keys below",
                    .group = "Model"};
constexpr Flag kWholeOnly{.key = "whole",
                          .kind = FlagKind::toggle,
                          .help = "leave out what each reduction does by itself, two runs each",
                          .group = "Model"};
constexpr Flag kLogits{.key = "logits",
                       .kind = FlagKind::writes,
                       .value = "FILE",
                       .help = "write the logits of the first run's answers as .npy: tokens x vocabulary, fp32",
                       .group = "Output"};
constexpr Flag kNeighbours{.key = "neighbours",
                           .value = "COUNT[,COUNT...]",
                           .help = "batch sizes that --runs draws each token's from, such as 1,8,64",
                           .group = "Model"};
constexpr std::array kModelFlags{
    &kPrompts, &study::kAnswerTokens, &kServing,    &kServingGpu, &kBatches, &kRanks, &kServedFormat,
    &kSet,     &study::kDrawnRuns,    &kNeighbours, &kWholeOnly,  &kShard};
constexpr std::array kModelOutputFlags{&kLogits, &kRecords};
constexpr auto kInferFlags =
    joined(std::array{&kModel, &kAgainstRun}, kModelFlags, std::array{&kLogprobs, &study::kNoise, &study::kInferSeed},
           std::array{&kThreads}, kOutputFlags, std::array{&kHtml}, kModelOutputFlags);
constexpr const Options* kInferTables[] = {&study::kInferOptions, &study::kModelInferOptions};

study::InferRequest infer_request(const CommandLine& line) {
  study::InferRequest request;
  take(line, study::kInferOptions, request);
  for (const Flag* flag : joined(kModelFlags, kModelOutputFlags))
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) +
                                        ": is about a model that runs here; with --logprobs the answers "
                                        "of a server are compared. Leave one of them out");
  if (line.has(kAgainstRun) == request.noise.has_value())
    throw Error(ErrorKind::usage, request.noise ? line.quoted(study::kNoise) + ": is in place of --against; give one"
                                                : std::string("nothing to compare with: give a second run with "
                                                              "--against FILE, or a level of noise with --noise NATS"));
  if (line.has(kAgainstRun) && line.texts(kAgainstRun).size() > 1)
    throw Error(ErrorKind::usage, "--against: is given more than once; with --logprobs one file is compared");
  if (line.has(kAgainstRun) && line.text(kLogprobs) == "-" && line.text(kAgainstRun) == "-")
    throw Error(ErrorKind::usage, "--logprobs and --against are both standard input; it can be one of them");
  return request;
}

int run_logprobs(const CommandLine& line, Session& session) {
  const study::InferRequest request = infer_request(line);
  if (line.has(kAgainstRun)) session.files.reads(line.text(kAgainstRun));
  colored(line, session);
  const study::Watch watch = watch_of(session, line, "infer");
  const auto read = [&](const Flag& flag) {
    return study::in_stage(watch, "reading " + line.text(flag), [&] { return read_answers(line.text(flag)); });
  };
  const study::AnswerRun run = read(kLogprobs);
  std::optional<study::AnswerRun> against;
  if (line.has(kAgainstRun)) against = read(kAgainstRun);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  try {
    const study::InferFinding finding = study::infer(run, against ? &*against : nullptr, request, watch);
    write_report(session, line, targets, finding);
    if (page.wanted()) page.write(session, html_page(finding));
    return !finding.observed || finding.explained() == true ? kDone : kExitNo;
  } catch (const Stopped&) {
    return interrupted(session, "infer", "the answers were compared");
  }
}

study::ModelInferRequest model_request(const CommandLine& line) {
  study::ModelInferRequest request;
  take(line, study::kModelInferOptions, request);
  for (const Flag* flag : {&kLogprobs, &study::kNoise})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) +
                                        ": is about the answers of a server; with a model, answers are "
                                        "computed here. Leave one of them out");
  request.settings = changed_settings({}, line.text(kSet));
  for (const Flag* flag : kServingFlags)
    if (line.has(*flag))
      request.settings = changed_settings(request.settings, std::string(flag->key) + "=" + line.text(*flag));
  const auto in_batch = [&](std::uint64_t batch) {
    return changed_settings(request.settings, "batch=" + std::to_string(batch));
  };
  const std::vector<std::uint64_t> batches =
      line.has(kBatches) ? study::parse_batches(line.text(kBatches)) : std::vector<std::uint64_t>();
  if (!batches.empty()) request.settings = in_batch(batches[0]);
  for (std::size_t i = 1; i < batches.size(); ++i) request.against.push_back(in_batch(batches[i]));
  if (line.has(kNeighbours)) {
    request.neighbours = study::parse_batches(line.text(kNeighbours), "--neighbours");
    for (const std::uint64_t batch : request.neighbours) in_batch(batch);
  }
  if (const auto shard = shard_of(line)) {
    request.part = shard->number;
    request.parts = shard->count;
  }
  if (line.has(kAgainstRun))
    for (const std::string& changes : line.texts(kAgainstRun))
      request.against.push_back(changed_settings(request.settings, changes));
  require_draws(request);
  if (request.against.empty() && request.runs == 0)
    throw Error(ErrorKind::usage,
                "nothing to compare with: give two batch sizes, --batch 1,8, other settings, --against "
                "serving=sglang, or drawn runs, --runs 10 --neighbours 1,8,64");
  request.contributions = !line.has(kWholeOnly);
  request.keep_logits = line.has(kLogits);
  if (request.keep_logits && line.has(kRecords))
    throw Error(ErrorKind::usage, line.quoted(kLogits) + ": a store has no logits; leave out " + line.quoted(kRecords));
  if (line.has(kPrompts)) request.prompts = line.text(kPrompts);
  return request;
}

/// What the command line names.
struct ModelInput {
  std::shared_ptr<const LanguageModel> model;
  std::vector<Prompt> prompts;
};

/// A model that this session has read is not read again.
ModelInput model_input(const CommandLine& line, Session& session, const study::Watch& watch) {
  const bool tiny = line.text(kModel) == "tiny";
  if (!tiny && !line.has(kPrompts))
    throw Error(ErrorKind::usage, "no prompts: give --prompts FILE, JSON lines of token ids");
  std::shared_ptr<const LanguageModel>& model = session.models[line.text(kModel)];
  if (model == nullptr)
    model = study::in_stage(watch, "reading the model", [&] {
      return std::make_shared<const LanguageModel>(tiny ? tiny_model() : read_language_model(line.text(kModel)));
    });
  return {model, line.has(kPrompts) ? read_prompts(line.text(kPrompts), model->vocabulary) : tiny_prompts()};
}

auto taking_fitting(const study::ModelInferFinding& question, std::map<std::uint64_t, study::AnswerRecord>& known) {
  return [&](std::uint64_t number, const std::string& text) {
    study::AnswerRecord record = answer_record(text);
    const bool of_use = fits(record, number, question);
    if (of_use) known.emplace(number, std::move(record));
    return of_use;
  };
}

std::string key_of_answers(const study::ModelInferFinding& question) { return record_key(record_config(question)); }

study::ModelInferFinding find_flips(const ModelInput& input, const study::ModelInferFinding& question,
                                    RecordStore* store, Session& session, const study::Watch& watch) {
  study::AnswerRecords records;
  if (store != nullptr) {
    const std::string config = key_of_answers(question);
    read_records(*store, config, session, taking_fitting(question, records.known));
    records.done = [store, config](const study::AnswerRecord& record) {
      store->keep(config, record.number, record_text(record));
    };
  }
  return study::infer(*input.model, input.prompts, question.request, records, watch);
}

int run_model(const CommandLine& line, Session& session) {
  const study::ModelInferRequest request = model_request(line);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  const OutputTarget logits = targets.further(line, kLogits);
  const study::Watch watch = watch_of(session, line, "infer");
  try {
    const ModelInput input = model_input(line, session, watch);
    const study::ModelInferFinding question = infer_question(*input.model, input.prompts, request);
    const std::unique_ptr<RecordStore> store = record_store_of(line, session);  // not before the request is checked
    const study::ModelInferFinding finding = find_flips(input, question, store.get(), session, watch);
    write_report(session, line, targets, finding);
    if (page.wanted()) page.write(session, html_page(finding));
    if (logits.wanted())
      logits.write(session, npy_bytes(Format::fp32, {finding.tokens, finding.vocabulary},
                                      std::as_bytes(std::span(finding.logits))));
    return finding.partial() ? kInterrupted : kDone;
  } catch (const Stopped&) {
    return interrupted(session, "infer", "the first answers were compared");
  }
}

/// A sweep is over a model.
study::ModelInferRequest swept_request(const CommandLine& line) {
  if (!line.has(kModel))
    throw Error(ErrorKind::usage, "no model: a sweep is over a model, a folder or tiny, not over files of a server");
  return model_request(line);
}

Json about_flips(const CommandLine& line, Session& session) {
  const study::ModelInferRequest request = swept_request(line);
  const ModelInput input = model_input(line, session, watch_of(session, line, "infer"));
  return question_json(infer_question(*input.model, input.prompts, request));
}

std::optional<RecordedAnswer> recorded_flips(const CommandLine& line, Session& session, RecordStore& store,
                                             const study::Watch& watch) {
  const study::ModelInferRequest request = swept_request(line);
  const ModelInput input = model_input(line, session, watch);
  const study::ModelInferFinding question = infer_question(*input.model, input.prompts, request);
  const study::ModelInferFinding finding = find_flips(input, question, &store, session, watch);
  return RecordedAnswer{finding.partial(), page_content(finding)};
}

std::optional<RecordedAnswer> known_flips(const Json& about, const RecordStore& store,
                                          const std::function<void(std::uint64_t)>& unusable) {
  const study::ModelInferFinding question = infer_question_from(about);
  std::map<std::uint64_t, study::AnswerRecord> known;
  read_records(store, key_of_answers(question), taking_fitting(question, known), unusable);
  const auto finding = infer_finding(question, known);
  if (!finding) return std::nullopt;
  return RecordedAnswer{finding->partial(), page_content(*finding)};
}

constexpr RecordedCommand kRecordedInfer{about_flips, recorded_flips, known_flips};

int run_infer(const CommandLine& line, Session& session) {
  if (line.has(kModel)) return run_model(line, session);
  if (line.has(kLogprobs)) return run_logprobs(line, session);
  throw Error(ErrorKind::usage,
              "no model and no answers: give MODEL, a folder or tiny, or --logprobs FILE, responses of a server with "
              "logprobs=true, top_logprobs=2");
}

std::string notes_of_infer() {
  std::string keys = "Settings of --set and --against:\n";
  for (const ServingKey& key : serving_keys()) keys += std::string(key.key) + ": " + std::string(key.help) + "\n";
  return "With a model: the first run answers the prompts at temperature 0, with the kernels that its settings choose. "
         "The other runs read the same texts, and tokens are compared. Until its first flip a run of its own would "
         "have "
         "read the same.\n" +
         keys +
         "\nWith --logprobs: files are responses of OpenAI-compatible servers (chat completions and completions), of "
         "SGLang, lines of a "
         "batch API. Answers are matched by custom_id or id, else by order.\n"
         "Flips are expected with P(D < -margin): D is the change of the margin between the two likeliest tokens from "
         "run to run. The rate is about E|D| f(0) / 2 per token, with f(0) the density of margins at 0.\n"
         "A largest change is explained by rounding where it is not above what all other changes allow. Their "
         "magnitudes' tail, exp(-(x/a)^c) through the median and the 90 % quantile with c from 1/2 to 2, is extended "
         "to the level that the largest exceeds with probability 0.001, and doubled, as noise differs between tokens. "
         "Where fewer than 20 margins changed, 0.5 nats is allowed: two bf16 logits below 64, a step each. A median "
         "change above that is no rounding.\n"
         "With a model the exit status is 0. With --logprobs it is 0 when the second run is explained by rounding, and "
         "with --noise; 1 when it is not, or "
         "when that cannot be told.";
}

}  // namespace

extern const Command kInfer;
const Command kInfer{
    .name = "infer",
    .summary =
        "when does the answer of a language model change, and is that rounding? From a model that runs here, or a "
        "server's log-probabilities",
    .example = "orderlab infer tiny --batch 1,8",
    .flags = kInferFlags,
    .options = kInferTables,
    .run = run_infer,
    .notes = notes_of_infer,
    .recorded = &kRecordedInfer,
};

}  // namespace orderlab::cli
