#include "orderlab/study/infer_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/pass.hpp"
#include "engine/arena.hpp"
#include "inference/forward.hpp"
#include "orderlab/error.hpp"
#include "study/poisson_rate.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// Answers that are computed together, and their texts.
struct AnswerGroup {
  std::size_t first = 0;
  std::vector<std::vector<std::uint32_t>> texts = {};  ///< prompt and answer
  std::vector<std::size_t> prompt_tokens = {};
  std::vector<float> hidden = {};  ///< of the first run, token by token of answer by answer
};

/// A run that is compared with the first.
struct Variant {
  ServingKernels kernels;
  LogitDifference* difference;
  ModelComparison* comparison = nullptr;  ///< where flips of answers count
  std::vector<double> changes = {};
  double sum_abs_logit = 0;
};

/// One token in two runs.
struct ComparedToken {
  double margin = 0;
  double change = 0;
  double sum_abs = 0;
  bool equal = false;
  bool flip = false;
};

std::size_t leading(std::span<const float> logits) {
  return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

/// The likeliest token but `first`, that with the least number among equal ones.
std::size_t second(std::span<const float> logits, std::size_t first) {
  std::size_t best = first == 0 ? 1 : 0;
  for (std::size_t i = best + 1; i < logits.size(); ++i)
    if (i != first && logits[i] > logits[best]) best = i;
  return best;
}

/// The margin of a token of the first run.
struct Margin {
  double nats = 0;
  bool other_is_first = false;  ///< of two equal logits, that of the other token is chosen
};

Margin margin_of(std::span<const float> logits) {
  const std::size_t first = leading(logits);
  const std::size_t next = second(logits, first);
  return {static_cast<double>(logits[first]) - static_cast<double>(logits[next]), next < first};
}

ComparedToken compared(std::span<const float> a, std::span<const float> b) {
  const std::size_t first = leading(a);
  const std::size_t next = second(a, first);
  ComparedToken token;
  token.margin = static_cast<double>(a[first]) - static_cast<double>(a[next]);
  token.change = static_cast<double>(b[first]) - static_cast<double>(b[next]) - token.margin;
  token.equal = std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  token.flip = leading(b) != first;
  if (!token.equal)
    for (std::size_t i = 0; i < a.size(); ++i)
      token.sum_abs += std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
  return token;
}

class ModelRuns {
 public:
  ModelRuns(const LanguageModel& model, const std::vector<Prompt>& prompts, const ModelInferRequest& request,
            ModelInferFinding& finding)
      : model_(model),
        prompts_(prompts),
        request_(request),
        finding_(finding),
        base_(kernels_of(model, request.settings)) {
    for (const Prompt& prompt : prompts) longest_ = std::max(longest_, prompt.tokens.size());
    finding.comparisons.resize(request.against.size());
    for (std::size_t i = 0; i < request.against.size(); ++i) plan(request.against[i], finding.comparisons[i]);
    constexpr double kMostBytes = 0x1p31;
    constexpr double kMostTogether = 256;
    const double bytes = bytes_of_sequence();
    together_ = static_cast<std::size_t>(std::clamp(kMostBytes / bytes, 1.0, kMostTogether));
    double kept = bytes * static_cast<double>(together_);
    kept += 2 * static_cast<double>(sizeof(float)) * static_cast<double>(tokens_at_once() * model.vocabulary);
    if (request.keep_logits)  // and what is made of them when they are written
      kept += 3 * static_cast<double>(sizeof(float)) * static_cast<double>(prompts.size() * request.tokens) *
              static_cast<double>(model.vocabulary);
    require_memory(kept);
  }

  std::size_t capacity() const { return longest_ + request_.tokens; }

  void run() {
    std::uint64_t tokens = 0;  // the last one of each answer is not read
    for (const Prompt& prompt : prompts_) tokens += prompt.tokens.size() + request_.tokens - 1;
    Pass pass(tokens * (1 + variants_.size()));
    for (std::size_t first = 0; first < prompts_.size(); first += together_) {
      AnswerGroup group = answered(first, pass);
      std::vector<std::vector<float>> others;
      for (const auto& variant : variants_) others.push_back(read(*variant, group, pass));
      compare(group, others);
    }
  }

  /// What follows of the tokens that were compared.
  void finish() {
    finding_.density = margin_density_at_zero(finding_.margins);
    for (auto& variant : variants_) summarize(*variant);
    for (ModelComparison& comparison : finding_.comparisons) {
      const LogitDifference& difference = comparison.difference;
      comparison.per_1000 = per_thousand(difference.flips, difference.tokens);
      comparison.half = tokens_to_half(difference.expected / static_cast<double>(difference.tokens));
    }
  }

 private:
  std::size_t tokens_at_once() const {
    constexpr std::size_t kMostLogits = std::size_t{1} << 24;
    return std::clamp<std::size_t>(kMostLogits / model_.vocabulary, 1, 240);
  }

  /// Keys and values, what a layer computes, logits, and hidden states of all runs.
  double bytes_of_sequence() const {
    const std::size_t numbers = 8 * model_.hidden + 4 * model_.heads * model_.head_dim + 4 * model_.intermediate;
    const auto states = static_cast<double>((variants_.size() + 1) * model_.hidden * request_.tokens);
    return TokenSequence::bytes(model_, capacity()) +
           static_cast<double>(sizeof(float)) * (static_cast<double>(numbers) * static_cast<double>(capacity()) +
                                                 states + static_cast<double>(model_.vocabulary));
  }

  /// The runs of one comparison.
  void plan(const ServingSettings& settings, ModelComparison& comparison) {
    comparison.changes = difference_text(request_.settings, settings);
    const ServingKernels other = kernels_of(model_, settings);
    variants_.push_back(std::make_unique<Variant>(Variant{other, &comparison.difference, &comparison}));
    std::vector<const Reduction*> differing;
    for (const Reduction& one : reductions())
      if (!one.equal(base_, other, capacity())) differing.push_back(&one);
    const bool apart = request_.contributions && differing.size() > 1;
    add_effects(comparison, differing, other, apart ? differing : std::vector<const Reduction*>());
  }

  /// Where one reduction differs alone, its effect is that of all.
  void add_effects(ModelComparison& comparison, const std::vector<const Reduction*>& differing,
                   const ServingKernels& other, const std::vector<const Reduction*>& run) {
    comparison.reductions.reserve(differing.size());
    for (const Reduction* one : differing)
      comparison.reductions.push_back(
          {one->name, one->summary, one->text(base_, capacity()), one->text(other, capacity()), {}, {}});
    for (std::size_t i = 0; i < run.size(); ++i) {
      ServingKernels alone = base_;
      run[i]->take(alone, other);
      ServingKernels without = other;
      run[i]->take(without, base_);
      variants_.push_back(std::make_unique<Variant>(Variant{alone, &comparison.reductions[i].alone}));
      variants_.push_back(std::make_unique<Variant>(Variant{without, &comparison.reductions[i].without}));
    }
  }

  std::vector<TokenSequence> sequences_of(const AnswerGroup& group) const {
    std::vector<TokenSequence> sequences;
    sequences.reserve(group.texts.size());
    for (std::size_t i = 0; i < group.texts.size(); ++i) {
      sequences.emplace_back(model_, group.texts[i].size() + request_.tokens, group.first + i);
      for (const std::uint32_t token : group.texts[i]) sequences.back().append(token);
    }
    return sequences;
  }

  static std::vector<TokenSequence*> pointers_to(std::vector<TokenSequence>& sequences) {
    std::vector<TokenSequence*> pointers;
    for (TokenSequence& sequence : sequences) pointers.push_back(&sequence);
    return pointers;
  }

  /// Prompts from `first` on, answered by the first run.
  AnswerGroup answered(std::size_t first, Pass& pass) const {
    AnswerGroup group{.first = first};
    const std::size_t end = std::min(prompts_.size(), first + together_);
    for (std::size_t i = first; i < end; ++i) {
      group.texts.push_back(prompts_[i].tokens);
      group.prompt_tokens.push_back(prompts_[i].tokens.size());
    }
    const std::size_t width = model_.hidden;
    const std::size_t count = group.texts.size();
    group.hidden.resize(count * request_.tokens * width);
    const ForwardPass forward(model_, base_, capacity());
    std::vector<TokenSequence> sequences = sequences_of(group);
    std::vector<TokenSequence*> pointers = pointers_to(sequences);
    std::vector<float> last(count * width);
    for (std::size_t t = 0; t < request_.tokens; ++t) {
      const std::vector<std::size_t> waiting = waiting_of(sequences);
      const std::vector<float> hidden = forward.hidden_states(pointers);
      for (std::size_t i = 0, row = 0; i < count; ++i) {
        row += waiting[i];
        std::copy_n(&hidden[(row - 1) * width], width, &last[i * width]);
        std::copy_n(&hidden[(row - 1) * width], width, &group.hidden[(i * request_.tokens + t) * width]);
      }
      const std::vector<float> logits = logits_of(model_, base_, last);
      for (std::size_t i = 0; i < count; ++i) {
        const auto token =
            static_cast<std::uint32_t>(leading(std::span(logits).subspan(i * model_.vocabulary, model_.vocabulary)));
        group.texts[i].push_back(token);
        if (t + 1 < request_.tokens) sequences[i].append(token);
      }
      pass.did(std::accumulate(waiting.begin(), waiting.end(), std::uint64_t{0}));
    }
    return group;
  }

  static std::vector<std::size_t> waiting_of(const std::vector<TokenSequence>& sequences) {
    std::vector<std::size_t> waiting;
    for (const TokenSequence& sequence : sequences) waiting.push_back(sequence.waiting());
    return waiting;
  }

  /// Hidden states of the answers' tokens as another run has them: it reads all but the last token of each text.
  std::vector<float> read(const Variant& variant, const AnswerGroup& group, Pass& pass) const {
    const ForwardPass forward(model_, variant.kernels, capacity());
    std::vector<TokenSequence> sequences;
    for (std::size_t i = 0; i < group.texts.size(); ++i) {
      const std::vector<std::uint32_t>& text = group.texts[i];
      sequences.emplace_back(model_, text.size(), group.first + i);
      for (std::size_t t = 0; t + 1 < text.size(); ++t) sequences.back().append(text[t]);
    }
    const std::vector<TokenSequence*> pointers = pointers_to(sequences);
    const std::vector<float> hidden = forward.hidden_states(pointers);
    const std::size_t width = model_.hidden;
    std::vector<float> picked;
    picked.reserve(group.hidden.size());
    for (std::size_t i = 0, row = 0; i < group.texts.size(); ++i) {
      const auto begin = hidden.begin() + static_cast<std::ptrdiff_t>((row + group.prompt_tokens[i] - 1) * width);
      picked.insert(picked.end(), begin, begin + static_cast<std::ptrdiff_t>(request_.tokens * width));
      row += group.texts[i].size() - 1;
    }
    pass.did(hidden.size() / width);
    return picked;
  }

  /// Logits of some tokens at a time, which are as many as the vocabulary for each.
  void compare(const AnswerGroup& group, const std::vector<std::vector<float>>& others) {
    const std::size_t at_once = tokens_at_once();
    const std::size_t width = model_.hidden;
    const std::size_t count = group.texts.size() * request_.tokens;
    std::vector<std::vector<ComparedToken>> tokens(variants_.size());
    std::vector<Margin> margins;
    std::vector<float> kept;
    for (std::size_t t = 0; t < count; t += at_once) {
      const std::size_t some = std::min(at_once, count - t);
      const auto logits = [&](const ServingKernels& kernels, const std::vector<float>& hidden) {
        return logits_of(model_, kernels, std::span(hidden).subspan(t * width, some * width));
      };
      const std::vector<float> first = logits(base_, group.hidden);
      for (std::size_t v = 0; v < variants_.size(); ++v)
        add_compared(first, logits(variants_[v]->kernels, others[v]), tokens[v]);
      if (request_.keep_logits) kept.insert(kept.end(), first.begin(), first.end());
      for (std::size_t r = 0; r < some; ++r) margins.push_back(margin_of(row_of(first, r)));
    }
    finding_.logits.insert(finding_.logits.end(), kept.begin(), kept.end());
    for (const Margin& margin : margins) {
      finding_.margins.push_back(margin.nats);
      other_is_first_.push_back(static_cast<char>(margin.other_is_first));
      if (margin.nats == 0) ++finding_.ties;
    }
    for (std::size_t v = 0; v < variants_.size(); ++v) take(*variants_[v], tokens[v]);
    for (std::size_t i = 0; i < group.texts.size(); ++i) {
      const auto begin = group.texts[i].begin() + static_cast<std::ptrdiff_t>(group.prompt_tokens[i]);
      finding_.answers.push_back({prompts_[group.first + i].name, {begin, group.texts[i].end()}});
    }
    finding_.tokens += count;
  }

  std::span<const float> row_of(const std::vector<float>& logits, std::size_t row) const {
    return std::span(logits).subspan(row * model_.vocabulary, model_.vocabulary);
  }

  void add_compared(const std::vector<float>& a, const std::vector<float>& b, std::vector<ComparedToken>& to) const {
    const std::size_t begin = to.size();
    to.resize(begin + a.size() / model_.vocabulary);
    parallel_for(0, to.size() - begin, Grain::joined,
                 [&](std::uint64_t r) { to[begin + r] = compared(row_of(a, r), row_of(b, r)); });
  }

  void take(Variant& variant, const std::vector<ComparedToken>& tokens) const {
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const ComparedToken& token = tokens[t];
      ++variant.difference->tokens;
      if (token.equal) ++variant.difference->equal;
      if (token.flip) ++variant.difference->flips;
      variant.changes.push_back(token.change);
      variant.sum_abs_logit += token.sum_abs;
      if (variant.comparison == nullptr) continue;
      std::vector<AnswerFlip>& answers = variant.comparison->answers;
      if (t % request_.tokens == 0) answers.push_back({prompts_[answers.size()].name});
      if (token.flip && !answers.back().flip) answers.back().flip = t % request_.tokens + 1;
    }
  }

  void summarize(Variant& variant) const {
    LogitDifference& difference = *variant.difference;
    const auto count = static_cast<double>(difference.tokens);
    difference.mean_abs_logit = variant.sum_abs_logit / (count * static_cast<double>(model_.vocabulary));
    const MarginNoise noise = MarginNoise::of(variant.changes);
    difference.mean_abs = noise.mean_abs();
    for (std::size_t t = 0; t < finding_.margins.size(); ++t)
      difference.expected += noise.flips(finding_.margins[t], other_is_first_[t] != 0 ? 1 : 0);
    if (finding_.density)
      difference.expected_by_density = noise.mean_abs() * finding_.density->per_nat / 2 * count +
                                       noise.flips(0) * static_cast<double>(finding_.ties);
  }

  const LanguageModel& model_;
  const std::vector<Prompt>& prompts_;
  const ModelInferRequest& request_;
  ModelInferFinding& finding_;
  ServingKernels base_;
  std::size_t longest_ = 0;
  std::size_t together_ = 1;
  std::vector<std::unique_ptr<Variant>> variants_;
  std::vector<char> other_is_first_;  ///< of each token
};

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
  if (request.tokens == 0) throw Error(ErrorKind::usage, "tokens 0: give one or more for each answer");
  if (request.against.empty()) throw Error(ErrorKind::usage, "nothing to compare with: give settings of a second run");
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

std::uint64_t ModelComparison::diverged() const {
  return static_cast<std::uint64_t>(
      std::count_if(answers.begin(), answers.end(), [](const AnswerFlip& answer) { return answer.flip.has_value(); }));
}

ModelInferFinding infer(const LanguageModel& model, const std::vector<Prompt>& prompts,
                        const ModelInferRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  check_request(request);
  check_prompts(model, prompts, request);
  ModelInferFinding finding;
  finding.request = request;
  finding.model = model.name;
  finding.type = model.type;
  finding.parameters = model.parameters();
  finding.asked = prompts.size();
  ModelRuns runs(model, prompts, request, finding);
  {
    const WatchedWork work(watch, "tokens of all runs");
    const bool done = unless_stopped([&] {
                        return with_threads(request.threads, [&](std::size_t) {
                          runs.run();
                          return true;
                        });
                      }).has_value();
    if (!done && finding.answers.empty()) throw Stopped{};
  }
  runs.finish();
  return finding;
}

}  // namespace orderlab::study
