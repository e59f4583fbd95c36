#include "inference/kernels.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "inference/drawn_model.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

using testing::DrawnModel;

/// Llama 3.1, 8B, as far as kernels depend on it.
LanguageModel llama_8b() {
  LanguageModel model;
  model.hidden = 4096;
  model.intermediate = 14336;
  model.heads = 32;
  model.kv_heads = 8;
  model.head_dim = 128;
  model.positions = 131072;
  return model;
}

std::vector<std::string> differing(const LanguageModel& model, std::string_view changes, std::size_t keys) {
  const ServingSettings settings;
  const ServingKernels a = kernels_of(model, settings);
  const ServingKernels b = kernels_of(model, changed_settings(settings, changes));
  std::vector<std::string> names;
  for (const Reduction& one : reductions())
    if (!one.equal(a, b, keys)) names.emplace_back(one.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("what differs between two settings is named") {
  const LanguageModel model = llama_8b();
  CHECK(differing(model, "batch=1", 4096) == Names{});
  CHECK(differing(model, "batch=8", 100) == Names{});  // one block of keys has one split
  CHECK(differing(model, "batch=8", 4096) == Names{"attention"});
  CHECK(differing(model, "batch=300", 100) == Names{"norm"});
  CHECK(differing(model, "serving=batch_invariant,batch=300", 100) == Names{"norm"});
  CHECK(differing(model, "tp=4", 100) == Names{"all_reduce"});
  CHECK(differing(model, "split_k=4", 100) == Names{"products"});
  CHECK(differing(model, "probabilities=fp32", 100) == Names{"probabilities"});
  CHECK(differing(model, "partials=bf16", 100) == Names{});        // of one split
  CHECK(differing(model, "serving=torch", 100) == Names{"norm"});  // one block of keys, whatever the kernel
  CHECK(differing(model, "serving=vllm", 4096) == Names{"attention"});
}

TEST_CASE("kernels that round or merge splits otherwise differ, and their texts say so") {
  const LanguageModel model = llama_8b();
  const ServingSettings four = changed_settings({}, "split_kv=4");
  const ServingKernels a = kernels_of(model, four);
  for (const char* serving : {"serving=sglang", "serving=flashinfer"}) {
    const ServingKernels b = kernels_of(model, changed_settings(four, serving));
    for (const Reduction& one : reductions()) {
      if (one.name != "attention") continue;
      CHECK(!one.equal(a, b, 64));
      CHECK(one.text(a, 64) != one.text(b, 64));
    }
  }
}

TEST_CASE("a stack rounds probabilities where its attention kernel does") {
  LanguageModel model = llama_8b();
  const auto probabilities = [&](std::size_t kv_heads, std::string_view changes) {
    model.kv_heads = kv_heads;
    return kernels_of(model, changed_settings({}, changes)).probabilities;
  };
  CHECK(probabilities(8, "serving=flashinfer") == Format::bf16);
  CHECK(probabilities(16, "serving=flashinfer") == Format::fp32);  // no tensor cores for groups of 2
  CHECK(probabilities(16, "serving=flashinfer,probabilities=bf16") == Format::bf16);
  CHECK(probabilities(16, "serving=sglang") == Format::bf16);
  CHECK(probabilities(32, "serving=sglang") == Format::fp32);
  CHECK(probabilities(32, "serving=torch") == Format::bf16);
}

TEST_CASE("reductions that differ have other texts") {
  const LanguageModel model = llama_8b();
  for (const char* first : {"tp=4,all_reduce=ring", "split_kv=2", "serving=sglang"})
    for (const char* changes : {"batch=8", "batch=300", "serving=torch", "split_k=4,partials=bf16", "tp=2"}) {
      const ServingSettings settings = changed_settings({}, first);
      const ServingKernels a = kernels_of(model, settings);
      const ServingKernels b = kernels_of(model, changed_settings(settings, changes));
      for (const Reduction& one : reductions()) {
        CAPTURE(one.name);
        CAPTURE(changes);
        if (one.name == "attention") continue;  // whose text does not say every number of keys
        if (one.text(a, 4096) == one.text(b, 4096)) CHECK(one.equal(a, b, 4096));
      }
    }
}

TEST_CASE("a batch-invariant server has one set of kernels for all batches") {
  const LanguageModel model = llama_8b();
  const ServingSettings pinned = changed_settings({}, "serving=batch_invariant,tp=4");
  const ServingKernels one = kernels_of(model, pinned);
  for (const char* batch : {"batch=2", "batch=64", "batch=512"}) {
    CAPTURE(batch);
    const ServingKernels other = kernels_of(model, changed_settings(pinned, batch));
    for (const Reduction& reduction : reductions()) CHECK(reduction.equal(one, other, 8192));
  }
}

TEST_CASE("taking every reduction of another run makes its kernels") {
  const LanguageModel model = llama_8b();
  const ServingKernels from = kernels_of(
      model, changed_settings({}, "serving=flashinfer,tp=4,batch=64,split_k=2,partials=bf16,probabilities=fp32"));
  ServingKernels to = kernels_of(model, {});
  for (const Reduction& reduction : reductions()) {
    reduction.take(to, from);
    CHECK(reduction.equal(to, from, 4096));
    CHECK(reduction.text(to, 4096) == reduction.text(from, 4096));
  }
  for (const Reduction& reduction : reductions()) CHECK(reduction.equal(to, from, 4096));
}

TEST_CASE("settings are read back as they are written") {
  const char* const kChanges =
      "serving=sglang,gpu=a100,format=fp16,batch=8,tp=2,norm_threads=256,split_k=4,"
      "partials=fp16,split_kv=2,probabilities=fp32,all_reduce=ring";
  const ServingSettings settings = changed_settings({}, kChanges);
  CHECK(difference_text({}, settings) == kChanges);
  CHECK(changed_settings({}, difference_text({}, settings)) == settings);
  CHECK(difference_text(settings, settings).empty());
}

TEST_CASE("settings that do not fit are refused by name") {
  const auto message = [](std::string_view changes) {
    try {
      const DrawnModel drawn(1);
      kernels_of(drawn.model(), changed_settings({}, changes));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message("tp=3") == "tp=3: does not divide the model's 4 heads");
  CHECK(message("btach=3").find("did you mean batch") != std::string::npos);
  CHECK(message("serving=vlm").find("did you mean vllm") != std::string::npos);
  CHECK(message("batch").find("not KEY=VALUE") != std::string::npos);
  CHECK(message("format=fp64").find("must be bf16, fp16 or fp32") != std::string::npos);
  CHECK(message("norm_threads=2000").find("norm_threads") != std::string::npos);
  CHECK(message("all_reduce=nvls").find("one_shot") != std::string::npos);
  CHECK(message("batch=2,batch=3") == "batch: is given twice; leave one out");
  CHECK(message("batch=0").find("batch") != std::string::npos);
}

}  // namespace orderlab
