#include "orderlab/study/infer_model.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/float_environment.hpp"
#include "engine/arena.hpp"
#include "inference/kernels.hpp"
#include "orderlab/error.hpp"
#include "study/answer_runs.hpp"
#include "study/infer_model_options.hpp"
#include "study/model_runs.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// The reductions in which two settings differ.
ModelComparison planned_comparison(const LanguageModel& model, const ModelInferRequest& request,
                                   const ServingSettings& settings, std::size_t capacity) {
  ModelComparison comparison;
  comparison.changes = difference_text(request.settings, settings);
  const auto in_turn = [&](ServingSettings of_run) {  // neither of these two runs draws
    of_run.split_order = SplitOrder::turn;
    return kernels_of(model, of_run);
  };
  const ServingKernels base = in_turn(request.settings);
  const ServingKernels other = in_turn(settings);
  for (const Reduction& one : reductions())
    if (!one.equal(base, other, capacity))
      comparison.reductions.push_back(
          {std::string(one.name), std::string(one.summary), one.text(base, capacity), one.text(other, capacity)});
  return comparison;
}

/// "xxh3:" and 32 hex digits: XXH3-128 of names and tokens, each with its count before it.
std::string hash_of_prompts(const std::vector<Prompt>& prompts) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  const auto add = [&](const auto& numbers) {
    const std::uint64_t count = numbers.size();
    XXH3_128bits_update(state.get(), &count, sizeof(count));
    XXH3_128bits_update(state.get(), numbers.data(), count * sizeof(numbers[0]));
  };
  for (const Prompt& prompt : prompts) {
    add(prompt.name);
    add(prompt.tokens);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
}

void check_prompts(const LanguageModel& model, const std::vector<Prompt>& prompts, const ModelInferRequest& request) {
  if (model.vocabulary < 2) throw Error(ErrorKind::input, model.name + ": has one token only; no other can lead");
  if (prompts.empty()) throw Error(ErrorKind::input, "no prompts");
  for (const Prompt& prompt : prompts) {
    if (prompt.tokens.empty()) throw Error(ErrorKind::input, prompt.name + ": has no tokens");
    for (const std::uint32_t token : prompt.tokens)
      if (token >= model.vocabulary)
        throw Error(ErrorKind::input, prompt.name + ": token " + std::to_string(token) + " is not one of the " +
                                          std::to_string(model.vocabulary) + " of " + model.name);
    if (prompt.tokens.size() + request.tokens > model.positions)
      throw Error(ErrorKind::input, prompt.name + ": " + std::to_string(prompt.tokens.size()) + " tokens and " +
                                        std::to_string(request.tokens) + " of an answer; " + model.name + " has " +
                                        std::to_string(model.positions) +
                                        " positions; shorten the prompt, or give fewer tokens");
  }
}

void check_request(const ModelInferRequest& request) {
  kModelInferOptions.check(request);
  if (request.part < 1 || request.part > request.parts)
    throw Error(ErrorKind::usage, fmt::format("part {} of {}: there is no such part", request.part, request.parts));
  require_draws(request);
  if (request.against.empty() && request.runs == 0)
    throw Error(ErrorKind::usage, "nothing to compare with: give settings of a second run, or runs that draw");
  for (const ServingSettings& other : request.against) {
    if (other.format != request.settings.format)
      throw Error(ErrorKind::usage, "format=" + std::string(info(other.format).name) +
                                        ": both runs must have one "
                                        "format; they differ by far more than an order where formats differ");
    if (other == request.settings)
      throw Error(ErrorKind::usage, "both runs have the same settings; change one, such as batch=8");
  }
}

}  // namespace

void require_draws(const ModelInferRequest& request) {
  const bool arrive = request.settings.split_order == SplitOrder::arrival;
  for (const ServingSettings& other : request.against)
    if (other.split_order != request.settings.split_order)
      throw Error(ErrorKind::usage, fmt::format("split_order={}: a run of --against adds splits in turn; splits arrive "
                                                "in drawn runs, --set split_k=4,split_order=arrival --runs 10",
                                                name_of(other.split_order)));
  const std::set<std::uint64_t> batches(request.neighbours.begin(), request.neighbours.end());
  if (request.runs == 0) {
    if (arrive)
      throw Error(ErrorKind::usage, "split_order=arrival: splits arrive in drawn runs; give their number, --runs 10");
    if (!batches.empty())
      throw Error(ErrorKind::usage, "--neighbours: batch sizes are drawn in drawn runs; give their number, --runs 10");
    return;
  }
  if (batches.size() < 2 && !(arrive && request.settings.split_k > 1))
    throw Error(ErrorKind::usage,
                fmt::format("--runs {}: nothing is drawn in them; give two batch sizes or more, --neighbours 1,8,64, or "
                            "splits that arrive, --set split_k=4,split_order=arrival",
                            request.runs));
}

std::optional<std::uint64_t> DrawnAnswer::earliest() const {
  const auto least = std::min_element(first_flips.begin(), first_flips.end());
  return least == first_flips.end() ? std::nullopt : std::optional(*least);
}

std::uint64_t ModelComparison::diverged() const {
  return static_cast<std::uint64_t>(
      std::count_if(answers.begin(), answers.end(), [](const AnswerFlip& answer) { return answer.flip.has_value(); }));
}

ModelInferFinding infer_question(const LanguageModel& model, const std::vector<Prompt>& prompts,
                                 const ModelInferRequest& request) {
  const FloatEnvironment environment;
  check_request(request);
  check_prompts(model, prompts, request);
  ModelInferFinding question;
  question.request = request;
  question.model = model.name;
  question.type = model.type;
  question.parameters = model.parameters();
  question.vocabulary = model.vocabulary;
  question.hash = model.hash;
  question.prompts_hash = hash_of_prompts(prompts);
  question.prompts = prompts.size();
  const auto [begin, end] = asked_prompts(question);
  question.asked = end - begin;
  if (request.parts > prompts.size())
    throw Error(ErrorKind::usage, fmt::format("{} parts: there are only {} prompts; give no more parts than these",
                                              request.parts, prompts.size()));
  const std::size_t capacity = capacity_of(prompts, request);
  for (const ServingSettings& settings : request.against)
    question.comparisons.push_back(planned_comparison(model, request, settings, capacity));
  if (request.runs > 0) question.drawn.emplace();
  return question;
}

ModelInferFinding infer(const LanguageModel& model, const std::vector<Prompt>& prompts,
                        const ModelInferRequest& request, const AnswerRecords& records, const Watch& watch) {
  const FloatEnvironment environment;
  const ModelInferFinding question = infer_question(model, prompts, request);
  const auto [begin, end] = asked_prompts(question);
  std::map<std::uint64_t, AnswerRecord> answered;
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t number = begin; number < end; ++number) {
    const auto found = records.known.find(number);
    if (found != records.known.end() && !request.keep_logits && fits(found->second, number, question))
      answered.insert(*found);
    else
      wanted.push_back(number);
  }
  std::vector<float> logits;
  if (!wanted.empty()) {
    const WatchedWork work(watch, "tokens of all runs");
    unless_stopped([&] {
      return with_threads(request.threads, [&](std::size_t) {
        run_model({model, prompts, question, wanted, records.done != nullptr}, logits, [&](const AnswerRecord& record) {
          answered.emplace(record.number, record);
          if (records.done) records.done(record);
        });
        return true;
      });
    });
  }
  std::optional<ModelInferFinding> finding = infer_finding(question, answered);
  if (!finding) throw Stopped{};
  finding->logits = std::move(logits);
  return *std::move(finding);
}

}  // namespace orderlab::study
