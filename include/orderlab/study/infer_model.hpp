// How often does another order of additions change the answers of a language model? The model runs with the kernels of
// two or more settings of a server, and tokens are compared.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/flips.hpp"
#include "orderlab/language_model.hpp"
#include "orderlab/serving.hpp"
#include "orderlab/study/infer.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct ModelInferRequest {
  ServingSettings settings;                    ///< of the first run, which answers
  std::vector<ServingSettings> against = {};   ///< of the runs that are compared with it; of the same format
  std::uint64_t runs = 0;                      ///< further runs of the first settings, each with draws of its own
  std::uint64_t seed = 1;                      ///< of these draws
  std::vector<std::uint64_t> neighbours = {};  ///< batch sizes that they draw each token's from; empty: the settings'
  std::uint64_t tokens = 64;                   ///< of each answer
  std::uint64_t part = 1;                      ///< the prompts of this one of `parts` consecutive parts, from 1
  std::uint64_t parts = 1;
  bool contributions = true;  ///< also each reduction that differs by itself
  std::string prompts = {};   ///< their file, for the command to repeat; empty: those of the model
  bool keep_logits = false;   ///< of the first run
  int threads = 0;            ///< 0: all; findings never depend on it
};

/// What the first run answered to a prompt.
struct GivenAnswer {
  std::string prompt;  ///< its name
  std::vector<std::uint32_t> tokens = {};
};

/// Tokens of the same texts in two runs.
struct LogitDifference {
  std::uint64_t tokens = 0;
  std::uint64_t equal = 0;    ///< tokens whose logits are all bit-identical
  double mean_abs_logit = 0;  ///< of the difference of a logit
  double mean_abs = 0;        ///< E|D|: of the change of the margin between the first run's two leading tokens
  std::uint64_t flips = 0;    ///< tokens whose most likely candidate is another one
  double expected = 0;        ///< flips that the changes of margins predict, D being independent of the margin
  std::optional<double> expected_by_density = {};  ///< E|D| f(0) / 2 for each token; empty without a density
};

/// A reduction in which two settings differ.
struct ReductionEffect {
  std::string name;     ///< "norm"
  std::string summary;  ///< what it adds
  std::string first;    ///< what it is in the first run
  std::string other;
  LogitDifference alone = {};    ///< of the first run with this one alone changed; no tokens where it is not known
  LogitDifference without = {};  ///< of the first run with all others changed
};

/// An answer in another run.
struct AnswerFlip {
  std::string answer;                      ///< name of its prompt
  std::optional<std::uint64_t> flip = {};  ///< position of the first token that another one leads, from 1
};

/// One run beside the first.
struct ModelComparison {
  std::string changes;  ///< "batch=8"
  LogitDifference difference;
  Interval95 per_1000;              ///< flips, with the interval of Poisson's distribution
  std::optional<double> half = {};  ///< tokens until half of the answers have diverged, as expected
  std::vector<AnswerFlip> answers;
  std::vector<ReductionEffect> reductions;

  std::uint64_t diverged() const;
};

/// An answer in all runs that draw.
struct DrawnAnswer {
  std::string answer;                           ///< name of its prompt
  std::vector<std::uint64_t> first_flips = {};  ///< of each run that has a flip, the position of its first, from 1
  std::uint64_t distinct = 1;                   ///< answers of these runs that begin differently; there may be more

  std::uint64_t diverged() const { return first_flips.size(); }
  std::optional<std::uint64_t> earliest() const;
};

/// The runs that draw, beside the first, which does not.
struct DrawnRuns {
  LogitDifference difference;  ///< tokens of all of them
  Interval95 per_1000;         ///< flips, with an interval over prompts: flips of one prompt may depend on each other
  std::optional<double> half = {};
  std::vector<DrawnAnswer> answers = {};
};

/// A token of an answer that another one leads in another run.
struct AnswerFlipped {
  std::uint64_t position = 0;  ///< from 1
  std::uint32_t token = 0;     ///< that leads there
};

/// An answer in one of the runs that are compared with the first.
struct AnswerRunRecord {
  std::uint64_t equal = 0;           ///< tokens whose logits are all bit-identical
  double sum_abs_logit = 0;          ///< of all differences of logits
  std::vector<double> changes = {};  ///< of each token's margin
  std::vector<AnswerFlipped> flips = {};
};

/// All that is kept of one prompt.
struct AnswerRecord {
  std::uint64_t number = 0;  ///< of the prompt, from 0
  std::string prompt = {};   ///< its name
  std::vector<std::uint32_t> tokens = {};
  std::vector<double> margins = {};        ///< of each token, nats
  std::vector<std::uint32_t> others = {};  ///< the second likeliest tokens
  std::vector<AnswerRunRecord> runs = {};  ///< each comparison and, for each of its reductions, alone and without; then
                                           ///< those that draw
};

/// What is kept between runs of the program, and how.
struct AnswerRecords {
  std::map<std::uint64_t, AnswerRecord> known = {};           ///< by number: not run again if they fit
  std::function<void(const AnswerRecord& record)> done = {};  ///< called from one thread at a time
};

struct ModelInferFinding {
  ModelInferRequest request;
  std::string model;
  std::string type;
  std::uint64_t parameters = 0;
  std::uint64_t vocabulary = 0;
  std::string hash = {};          ///< of the model; empty where nobody made it
  std::string prompts_hash = {};  ///< of all prompts
  std::uint64_t prompts = 0;      ///< all of them
  std::uint64_t asked = 0;        ///< prompts of the part
  std::vector<GivenAnswer> answers;
  std::uint64_t tokens = 0;        ///< of all answers
  std::uint64_t ties = 0;          ///< tokens whose two leading candidates have equal logits
  std::vector<double> margins;     ///< of the first run, answer by answer
  std::vector<float> logits = {};  ///< of the first run where they are kept: tokens x vocabulary
  std::optional<MarginDensity> density = {};
  std::vector<ModelComparison> comparisons;
  std::optional<DrawnRuns> drawn = {};

  bool partial() const { return answers.size() < asked; }
};

/// Whether the record has the tokens and runs that are asked for.
bool fits(const AnswerRecord& record, std::uint64_t number, const ModelInferFinding& question);

/// What is asked, as a finding without an answer. Errors: as infer.
ModelInferFinding infer_question(const LanguageModel& model, const std::vector<Prompt>& prompts,
                                 const ModelInferRequest& request);

/// The finding of a question from records by number, as far as they fit; nothing is computed but what sums them up.
/// Empty without any.
std::optional<ModelInferFinding> infer_finding(ModelInferFinding question,
                                               const std::map<std::uint64_t, AnswerRecord>& records);

/// The answers of the first run to the prompts, at temperature 0, and what the other runs make of the same texts.
///
/// Every token is computed as a step of decoding, the prompt's, too. Since a run that has not flipped has read the same
/// tokens, its first flip here is that of a run of its own.
///
/// Errors: usage for settings that do not fit the model, another format, no tokens, more parts than prompts, runs that
///         draw nothing, splits that arrive in other runs than those; input for no prompts, for a token
///         that the model does not have, and for more tokens than the model has positions; unsupported for more memory
///         than the machine has. Stopped before the first answers are compared.
///
/// Runs that draw differ from the first, which adds splits in turn and has the settings' batch, by their draws: splits
/// that arrive are added in a drawn order for each token, product and 128 outputs; each token's step has a batch that
/// is drawn from `neighbours`.
///
/// Cost:   about 2 parameters multiply-adds a token for each run, one run for each setting, and two for each reduction
///         that differs.
ModelInferFinding infer(const LanguageModel& model, const std::vector<Prompt>& prompts,
                        const ModelInferRequest& request, const AnswerRecords& records = {}, const Watch& watch = {});

}  // namespace orderlab::study
