#include "inference/forward.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "engine/arena.hpp"
#include "inference/drawn_model.hpp"
#include "inference/kernels.hpp"
#include "orderlab/error.hpp"
#include "reference/vector_targets.hpp"

namespace orderlab {

namespace {

using testing::DrawnModel;

const std::vector<std::uint32_t> kText{3, 14, 15, 9, 2, 6, 5, 31, 0, 8, 9, 7};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::vector<float> states_of(const LanguageModel& model, const ServingKernels& kernels,
                             const std::vector<std::uint32_t>& text, std::size_t place = 0) {
  TokenSequence sequence(model, text.size(), place);
  for (const std::uint32_t token : text) sequence.append(token);
  std::vector<TokenSequence*> one{&sequence};
  return ForwardPass(model, kernels, text.size()).hidden_states(one);
}

ServingKernels with(const LanguageModel& model, std::string_view changes) {
  return kernels_of(model, changed_settings({}, changes));
}

constexpr const char* kSettings[] = {"batch=1",
                                     "split_k=2,partials=bf16",
                                     "split_kv=3",
                                     "tp=2,all_reduce=ring,batch=3",
                                     "format=fp16,serving=flashinfer",
                                     "format=fp32,serving=sglang"};

}  // namespace

TEST_CASE("tokens one by one give the states of all at once") {
  for (const Normalization kind : {Normalization::rms, Normalization::layer}) {
    const DrawnModel drawn(1, kind);
    for (const char* settings : kSettings) {
      CAPTURE(settings);
      const ServingKernels kernels = with(drawn.model(), settings);
      const std::vector<float> whole = states_of(drawn.model(), kernels, kText);
      const ForwardPass forward(drawn.model(), kernels, kText.size());
      TokenSequence sequence(drawn.model(), kText.size(), 0);
      std::vector<TokenSequence*> one{&sequence};
      std::vector<float> steps;
      for (const std::uint32_t token : kText) {
        sequence.append(token);
        const std::vector<float> state = forward.hidden_states(one);
        steps.insert(steps.end(), state.begin(), state.end());
      }
      CHECK(same_bits(whole, steps));
    }
  }
}

TEST_CASE("states do not depend on the sequences beside, on threads, or on vectors") {
  const DrawnModel drawn(2);
  for (const char* settings : kSettings) {
    CAPTURE(settings);
    const ServingKernels kernels = with(drawn.model(), settings);
    const std::vector<float> alone = states_of(drawn.model(), kernels, kText);
    std::vector<TokenSequence> sequences;
    for (std::size_t i = 0; i < 5; ++i) {
      sequences.emplace_back(drawn.model(), kText.size(), i);
      for (std::size_t t = 0; t < kText.size() - i; ++t) sequences.back().append(kText[t]);
    }
    std::vector<TokenSequence*> all;
    for (TokenSequence& sequence : sequences) all.push_back(&sequence);
    std::vector<float> together = ForwardPass(drawn.model(), kernels, kText.size()).hidden_states(all);
    together.resize(alone.size());
    CHECK(same_bits(alone, together));
    for (const int threads : {1, 3})
      CHECK(same_bits(alone,
                      with_threads(threads, [&](std::size_t) { return states_of(drawn.model(), kernels, kText); })));
    testing::on_each_target([&] { CHECK(same_bits(alone, states_of(drawn.model(), kernels, kText))); });
  }
}

TEST_CASE("where a batch is drawn, each token has the kernels of one of them, whatever is computed beside") {
  const DrawnModel drawn(6);
  const LanguageModel& model = drawn.model();
  const ServingKernels base = with(model, "tp=4,all_reduce=ring,batch=1");
  const ServingKernels other = with(model, "tp=4,all_reduce=ring,batch=3");
  const auto drawn_states = [&](const ServingDraws& draws) {
    TokenSequence sequence(model, kText.size(), 2);
    for (const std::uint32_t token : kText) sequence.append(token);
    std::vector<TokenSequence*> one{&sequence};
    return ForwardPass(model, base, kText.size(), &draws).hidden_states(one);
  };
  CHECK(same_bits(drawn_states({1, 0, {base}}), states_of(model, base, kText, 2)));
  CHECK(same_bits(drawn_states({1, 0, {other}}), states_of(model, other, kText, 2)));
  CHECK(same_bits(drawn_states({1, 0, {other, other}}), states_of(model, other, kText, 2)));
  const ServingDraws both{1, 0, {base, other}};
  const std::vector<float> mixed = drawn_states(both);
  CHECK_FALSE(same_bits(mixed, states_of(model, base, kText, 2)));
  CHECK_FALSE(same_bits(mixed, states_of(model, other, kText, 2)));
  CHECK_FALSE(same_bits(mixed, drawn_states({1, 1, {base, other}})));
  const ForwardPass forward(model, base, kText.size(), &both);
  TokenSequence beside(model, kText.size(), 0);
  TokenSequence sequence(model, kText.size(), 2);
  std::vector<TokenSequence*> two{&beside, &sequence};
  std::vector<float> steps;
  for (const std::uint32_t token : kText) {
    beside.append(token);
    sequence.append(token);
    const std::vector<float> states = forward.hidden_states(two);
    steps.insert(steps.end(), states.begin() + static_cast<std::ptrdiff_t>(model.hidden), states.end());
  }
  CHECK(same_bits(mixed, steps));
}

TEST_CASE("a token's state does not depend on later ones") {
  const DrawnModel drawn(3);
  const ServingKernels kernels = with(drawn.model(), "batch=1");
  std::vector<float> whole = states_of(drawn.model(), kernels, kText);
  std::vector<std::uint32_t> shorter(kText.begin(), kText.end() - 4);
  whole.resize(shorter.size() * drawn.model().hidden);
  CHECK(same_bits(whole, states_of(drawn.model(), kernels, shorter)));
  shorter[2] ^= 1;
  CHECK_FALSE(same_bits(whole, states_of(drawn.model(), kernels, shorter)));
}

TEST_CASE("numbers that are not finite are said, and nothing is computed with them") {
  const DrawnModel drawn(5);
  LanguageModel model = drawn.model();
  model.layers[1].attention_output.bias[0] = NAN;
  CHECK_THROWS_AS(states_of(model, with(model, "batch=1"), kText), Error);
  LanguageModel large = drawn.model();
  for (float& bias : large.layers[0].attention_output.bias) bias = 1e6F;
  CHECK_THROWS_AS(states_of(large, with(large, "format=fp16"), kText), Error);
}

TEST_CASE("settings that change an order change the states, and only those") {
  const DrawnModel drawn(4);
  const LanguageModel& model = drawn.model();
  const std::vector<float> plain = states_of(model, with(model, "batch=1"), kText);
  CHECK(same_bits(plain, states_of(model, with(model, "batch=8"), kText)));  // rows of 24 have one kernel
  CHECK_FALSE(same_bits(plain, states_of(model, with(model, "split_k=2,partials=bf16"), kText)));
  CHECK_FALSE(same_bits(plain, states_of(model, with(model, "split_kv=4"), kText)));
  CHECK_FALSE(same_bits(plain, states_of(model, with(model, "probabilities=fp32"), kText)));
  CHECK_FALSE(same_bits(plain, states_of(model, with(model, "tp=2"), kText)));
  CHECK_FALSE(same_bits(plain, states_of(model, with(model, "serving=sglang"), kText)));
}

}  // namespace orderlab
