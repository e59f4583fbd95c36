#include "study/model_runs.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "core/memory.hpp"
#include "core/pass.hpp"
#include "inference/forward.hpp"
#include "study/answer_runs.hpp"
#include "study/compared_logits.hpp"

namespace orderlab::study {

namespace {

/// Answers that are computed together.
struct AnswerGroup {
  std::vector<const Prompt*> prompts = {};
  std::vector<AnswerRecord> records = {};
  std::vector<float> hidden = {};  ///< of the first run, token by token of answer by answer
};

/// A run that is compared with the first.
struct Variant {
  ServingKernels kernels;
  std::optional<ServingDraws> draws = {};

  const ServingDraws* drawn() const { return draws ? &*draws : nullptr; }
};

/// Kernels in the order of a record's runs.
std::vector<Variant> variants_of(const LanguageModel& model, const ModelInferFinding& question) {
  const ModelInferRequest& request = question.request;
  const ServingKernels base = kernels_of(model, request.settings);
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < request.against.size(); ++i) {
    const ServingKernels other = kernels_of(model, request.against[i]);
    variants.push_back({other});
    if (!taken_apart(question.comparisons[i], request)) continue;
    for (const ReductionEffect& effect : question.comparisons[i].reductions) {
      const auto one = std::find_if(reductions().begin(), reductions().end(),
                                    [&](const Reduction& reduction) { return reduction.name == effect.name; });
      variants.push_back({base});
      one->take(variants.back().kernels, other);
      variants.push_back({other});
      one->take(variants.back().kernels, base);
    }
  }
  ServingDraws draws{.seed = request.seed};
  for (const std::uint64_t batch : request.neighbours) {
    ServingSettings settings = request.settings;
    settings.batch = batch;
    draws.batches.push_back(kernels_of(model, settings));
  }
  for (; draws.run < request.runs; ++draws.run) variants.push_back({base, draws});
  return variants;
}

class ModelRuns {
 public:
  explicit ModelRuns(const ModelWork& work)
      : model_(work.model),
        prompts_(work.prompts),
        request_(work.question.request),
        capacity_(capacity_of(work.prompts, request_)),
        base_(kernels_of(work.model, request_.settings)),
        variants_(variants_of(work.model, work.question)) {
    constexpr double kMostBytes = 0x1p31;
    constexpr double kMostTogether = 256;
    constexpr double kMostLost = 8192;  // tokens of all runs that an interruption loses: seconds of a small model
    const double bytes = bytes_of_sequence();
    double most = std::min(kMostBytes / bytes, kMostTogether);
    if (work.kept) most = std::min(most, kMostLost / static_cast<double>(capacity_ * (1 + variants_.size())));
    together_ = static_cast<std::size_t>(std::max(most, 1.0));
    double room = bytes * static_cast<double>(together_);
    room += 2 * static_cast<double>(sizeof(float)) * static_cast<double>(tokens_at_once() * model_.vocabulary);
    if (request_.keep_logits)  // and what is made of them when they are written
      room += 3 * static_cast<double>(sizeof(float)) * static_cast<double>(work.question.asked * request_.tokens) *
              static_cast<double>(model_.vocabulary);
    require_memory(room);
  }

  /// Calls done(record) for each of these prompts. Sets `logits` to those of the first run where they are kept.
  template <class Done>
  void run(const std::vector<std::uint64_t>& wanted, std::vector<float>& logits, Done done) {
    std::uint64_t tokens = 0;  // the last one of each answer is not read
    for (const std::uint64_t number : wanted) tokens += prompts_[number].tokens.size() + request_.tokens - 1;
    Pass pass(tokens * (1 + variants_.size()));
    for (std::size_t first = 0; first < wanted.size(); first += together_) {
      AnswerGroup group;
      for (std::size_t i = first; i < std::min(wanted.size(), first + together_); ++i) {
        group.prompts.push_back(&prompts_[wanted[i]]);
        group.records.push_back({.number = wanted[i], .prompt = prompts_[wanted[i]].name});
      }
      answer(group, pass);
      std::vector<std::vector<float>> others;
      for (const Variant& variant : variants_) others.push_back(read(variant, group, pass));
      std::vector<float> kept = compare(group, others);
      logits.insert(logits.end(), kept.begin(), kept.end());
      for (const AnswerRecord& record : group.records) done(record);
    }
  }

 private:
  std::size_t tokens_at_once() const {
    constexpr std::size_t kMostLogits = std::size_t{1} << 24;
    return std::clamp<std::size_t>(kMostLogits / model_.vocabulary, 1, 240);
  }

  /// Keys and values, what a layer computes, logits, and hidden states of all runs.
  double bytes_of_sequence() const {
    const std::size_t numbers = 9 * model_.hidden + 4 * model_.heads * model_.head_dim + 5 * model_.intermediate;
    const auto states = static_cast<double>((variants_.size() + 1) * model_.hidden * request_.tokens);
    return TokenSequence::bytes(model_, capacity_) +
           static_cast<double>(sizeof(float)) * (static_cast<double>(numbers) * static_cast<double>(capacity_) +
                                                 states + static_cast<double>(model_.vocabulary));
  }

  /// Prompts and, where there are any, answers but for their last tokens.
  std::vector<TokenSequence> sequences_of(const AnswerGroup& group) const {
    std::vector<TokenSequence> sequences;
    sequences.reserve(group.prompts.size());
    for (std::size_t i = 0; i < group.prompts.size(); ++i) {
      const std::vector<std::uint32_t>& prompt = group.prompts[i]->tokens;
      const std::vector<std::uint32_t>& answered = group.records[i].tokens;
      sequences.emplace_back(model_, prompt.size() + request_.tokens, group.records[i].number);
      for (const std::uint32_t token : prompt) sequences.back().append(token);
      for (std::size_t t = 0; t + 1 < answered.size(); ++t) sequences.back().append(answered[t]);
    }
    return sequences;
  }

  static std::vector<TokenSequence*> pointers_to(std::vector<TokenSequence>& sequences) {
    std::vector<TokenSequence*> pointers;
    for (TokenSequence& sequence : sequences) pointers.push_back(&sequence);
    return pointers;
  }

  /// By the first run.
  void answer(AnswerGroup& group, Pass& pass) const {
    const std::size_t width = model_.hidden;
    const std::size_t count = group.prompts.size();
    group.hidden.resize(count * request_.tokens * width);
    const ForwardPass forward(model_, base_, capacity_);
    std::vector<TokenSequence> sequences = sequences_of(group);
    const std::vector<TokenSequence*> pointers = pointers_to(sequences);
    std::vector<float> last(count * width);
    for (std::size_t t = 0; t < request_.tokens; ++t) {
      const std::vector<std::size_t> waiting = waiting_of(sequences);
      const std::vector<float> hidden = forward.hidden_states(pointers);
      for (std::size_t i = 0, row = 0; i < count; ++i) {
        row += waiting[i];
        std::copy_n(&hidden[(row - 1) * width], width, &last[i * width]);
        std::copy_n(&hidden[(row - 1) * width], width, &group.hidden[(i * request_.tokens + t) * width]);
      }
      const std::vector<LeadingTokens> leading = leading_tokens(logits_of(model_, base_, last), model_.vocabulary);
      for (std::size_t i = 0; i < count; ++i) {
        AnswerRecord& record = group.records[i];
        record.tokens.push_back(leading[i].first);
        record.others.push_back(leading[i].second);
        record.margins.push_back(leading[i].margin);
        if (t + 1 < request_.tokens) sequences[i].append(leading[i].first);
      }
      pass.did(std::accumulate(waiting.begin(), waiting.end(), std::uint64_t{0}));
    }
  }

  static std::vector<std::size_t> waiting_of(const std::vector<TokenSequence>& sequences) {
    std::vector<std::size_t> waiting;
    for (const TokenSequence& sequence : sequences) waiting.push_back(sequence.waiting());
    return waiting;
  }

  /// Hidden states of the answers' tokens as another run has them: it reads all but the last token of each text.
  std::vector<float> read(const Variant& variant, const AnswerGroup& group, Pass& pass) const {
    const ForwardPass forward(model_, variant.kernels, capacity_, variant.drawn());
    std::vector<TokenSequence> sequences = sequences_of(group);
    const std::vector<std::size_t> waiting = waiting_of(sequences);
    const std::vector<float> hidden = forward.hidden_states(pointers_to(sequences));
    const std::size_t width = model_.hidden;
    std::vector<float> picked;
    picked.reserve(group.hidden.size());
    for (std::size_t i = 0, row = 0; i < waiting.size(); ++i) {
      row += waiting[i];
      const auto end = hidden.begin() + static_cast<std::ptrdiff_t>(row * width);
      picked.insert(picked.end(), end - static_cast<std::ptrdiff_t>(request_.tokens * width), end);
    }
    pass.did(hidden.size() / width);
    return picked;
  }

  /// Draws of some tokens of all answers, which are numbered from answer to answer.
  std::vector<TokenDraws> draws_of(const Variant& variant, const AnswerGroup& group, std::size_t first,
                                   std::size_t count) const {
    std::vector<TokenDraws> draws;
    if (variant.draws)
      for (std::size_t t = first; t < first + count; ++t) {
        const std::size_t answer = t / request_.tokens;
        draws.push_back(variant.draws->of(group.records[answer].number,
                                          group.prompts[answer]->tokens.size() + t % request_.tokens - 1));
      }
    return draws;
  }

  /// Logits of some tokens at a time, which are as many as the vocabulary for each. Those of the first run, if they are
  /// kept.
  std::vector<float> compare(AnswerGroup& group, const std::vector<std::vector<float>>& others) const {
    const std::size_t at_once = tokens_at_once();
    const std::size_t count = group.records.size() * request_.tokens;
    for (AnswerRecord& record : group.records) record.runs.resize(variants_.size());
    std::vector<float> kept;
    if (variants_.empty() && !request_.keep_logits) return kept;
    for (std::size_t t = 0; t < count; t += at_once) {
      const std::size_t some = std::min(at_once, count - t);
      const auto states = [&](const std::vector<float>& hidden) {
        return std::span(hidden).subspan(t * model_.hidden, some * model_.hidden);
      };
      const std::vector<float> first = logits_of(model_, base_, states(group.hidden));
      const std::vector<LeadingTokens> leading = leading_tokens(first, model_.vocabulary);
      for (std::size_t v = 0; v < variants_.size(); ++v) {
        const std::vector<float> other =
            logits_of(model_, variants_[v].kernels, states(others[v]), draws_of(variants_[v], group, t, some));
        const std::vector<ComparedToken> tokens = compared_tokens(first, leading, other);
        for (std::size_t i = 0; i < some; ++i)
          add(tokens[i], group.records[(t + i) / request_.tokens], (t + i) % request_.tokens, v);
      }
      if (request_.keep_logits) kept.insert(kept.end(), first.begin(), first.end());
    }
    return kept;
  }

  static void add(const ComparedToken& token, AnswerRecord& record, std::size_t place, std::size_t run) {
    AnswerRunRecord& of_run = record.runs[run];
    if (token.equal) ++of_run.equal;
    of_run.sum_abs_logit += token.sum_abs;
    of_run.changes.push_back(token.change);
    if (token.first != record.tokens[place]) of_run.flips.push_back({place + 1, token.first});
  }

  const LanguageModel& model_;
  const std::vector<Prompt>& prompts_;
  const ModelInferRequest& request_;
  std::size_t capacity_;
  std::size_t together_ = 1;
  ServingKernels base_;
  std::vector<Variant> variants_;
};

}  // namespace

std::size_t capacity_of(const std::vector<Prompt>& prompts, const ModelInferRequest& request) {
  std::size_t longest = 0;
  for (const Prompt& prompt : prompts) longest = std::max(longest, prompt.tokens.size());
  return longest + request.tokens;
}

void run_model(const ModelWork& work, std::vector<float>& logits,
               const std::function<void(const AnswerRecord& record)>& done) {
  ModelRuns(work).run(work.wanted, logits, done);
}

}  // namespace orderlab::study
