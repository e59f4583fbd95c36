// The forward pass of a language model, one decoding step for each token, with the kernels of a server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inference/kernels.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab {

/// Tokens of one request, and the keys and values of those that are done.
class TokenSequence {
 public:
  /// Room for `capacity` tokens.
  TokenSequence(const LanguageModel& model, std::size_t capacity, std::size_t place);

  void append(std::uint32_t token) { tokens_.push_back(token); }
  std::span<const std::uint32_t> tokens() const { return tokens_; }
  std::size_t waiting() const { return tokens_.size() - done_; }

  /// Its number among all requests: number `place` mod batch of those that are decoded together.
  std::size_t place() const { return place_; }

  /// Bytes for so many tokens.
  static double bytes(const LanguageModel& model, std::size_t capacity);

 private:
  friend class ForwardPass;

  std::size_t place_;
  std::size_t done_ = 0;
  std::size_t capacity_;
  std::vector<std::uint32_t> tokens_;
  std::vector<float> keys_;    ///< layer by layer, head by head, as put_key places them
  std::vector<float> values_;  ///< layer by layer, head by head, token by token
};

/// What a run draws. Nothing it draws depends on which sequences are computed together.
struct ServingDraws {
  std::uint64_t seed = 1;
  std::uint64_t run = 0;
  std::vector<ServingKernels> batches = {};  ///< kernels that a token's step has, equally likely, which differ by the
                                             ///< batch alone; empty: those of the run

  /// Of a token of the request `place`.
  TokenDraws of(std::size_t place, std::size_t position) const { return {seed, run, place, position}; }
};

class ForwardPass {
 public:
  /// For sequences of up to so many tokens. Model, kernels and draws have to outlive it.
  ForwardPass(const LanguageModel& model, const ServingKernels& kernels, std::size_t positions,
              const ServingDraws* draws = nullptr);
  ~ForwardPass();

  /// Hidden states after the last normalization, of all tokens that wait, sequence by sequence: what the head takes.
  /// A state does not depend on which others are computed beside it.
  ///
  /// Errors: input where numbers overflow the format.
  std::vector<float> hidden_states(std::span<TokenSequence* const> sequences) const;

 private:
  struct Work;
  class Call;

  const LanguageModel& model_;
  const ServingKernels& kernels_;
  const ServingDraws* draws_;
  std::unique_ptr<const Work> work_;
};

/// Logits of rows of hidden states: rows x vocabulary, rounded to the format. `draws`: of each row; empty: nothing is
/// drawn.
///
/// Errors: input where one is not finite.
std::vector<float> logits_of(const LanguageModel& model, const ServingKernels& kernels, std::span<const float> hidden,
                             std::span<const TokenDraws> draws = {});

}  // namespace orderlab
