// How often does another order of additions change the answers of a language model? The model runs with the kernels of
// two or more settings of a server, and tokens are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/flips.hpp"
#include "orderlab/language_model.hpp"
#include "orderlab/serving.hpp"
#include "orderlab/study/infer.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct ModelInferRequest {
  ServingSettings settings;                   ///< of the first run, which answers
  std::vector<ServingSettings> against = {};  ///< of the runs that are compared with it; of the same format
  std::uint64_t tokens = 64;                  ///< of each answer
  bool contributions = true;                  ///< also each reduction that differs by itself
  std::string prompts = {};                   ///< their file, for the command to repeat; empty: those of the model
  bool keep_logits = false;                   ///< of the first run
  int threads = 0;                            ///< 0: all; findings never depend on it
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
  std::string_view name;     ///< "norm"
  std::string_view summary;  ///< what it adds
  std::string first;         ///< what it is in the first run
  std::string other;
  LogitDifference alone;    ///< of the first run with this one alone changed
  LogitDifference without;  ///< of the first run with all others changed
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

struct ModelInferFinding {
  ModelInferRequest request;
  std::string model;
  std::string type;
  std::uint64_t parameters = 0;
  std::uint64_t asked = 0;  ///< prompts
  std::vector<GivenAnswer> answers;
  std::uint64_t tokens = 0;        ///< of all answers
  std::uint64_t ties = 0;          ///< tokens whose two leading candidates have equal logits
  std::vector<double> margins;     ///< of the first run, answer by answer
  std::vector<float> logits = {};  ///< of the first run where they are kept: tokens x vocabulary
  std::optional<MarginDensity> density = {};
  std::vector<ModelComparison> comparisons;

  bool partial() const { return answers.size() < asked; }
};

/// The answers of the first run to the prompts, at temperature 0, and what the other runs make of the same texts.
///
/// Every token is computed as a step of decoding, the prompt's, too. Since a run that has not flipped has read the same
/// tokens, its first flip here is that of a run of its own.
///
/// Errors: usage for settings that do not fit the model, another format, no tokens; input for no prompts, for a token
///         that the model does not have, and for more tokens than the model has positions; unsupported for more memory
///         than the machine has. Stopped before the first answers are compared.
/// Cost:   about 2 parameters multiply-adds a token for each run, one run for each setting, and two for each reduction
///         that differs.
ModelInferFinding infer(const LanguageModel& model, const std::vector<Prompt>& prompts,
                        const ModelInferRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
