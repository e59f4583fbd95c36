// The settings of serving: stacks, and the keys that users give.
#include "orderlab/serving.hpp"

#include <algorithm>
#include <vector>

#include "core/enum_names.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "inference/serving_flags.hpp"
#include "inference/serving_stacks.hpp"
#include "orderlab/error.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

namespace {

constexpr StackKernels kStackKernels[] = {
    {.stack = {"vllm", "vLLM with FlashAttention 2, its choice before Hopper"},
     .norm = NormLibrary::vllm,
     .attention = AttentionLibrary::fa2,
     .all_reduce = AllReduceLibrary::vllm},
    {.stack = {"vllm_fa3", "vLLM with FlashAttention 3, its choice on Hopper"},
     .norm = NormLibrary::vllm,
     .attention = AttentionLibrary::fa3,
     .all_reduce = AllReduceLibrary::vllm},
    {.stack = {"sglang", "SGLang with its Triton attention and FlashInfer's RMSNorm"},
     .norm = NormLibrary::flashinfer,
     .attention = AttentionLibrary::sglang,
     .all_reduce = AllReduceLibrary::vllm},
    {.stack = {"flashinfer", "FlashInfer's RMSNorm and attention, NCCL's all-reduce"},
     .norm = NormLibrary::flashinfer,
     .attention = AttentionLibrary::flashinfer,
     .all_reduce = AllReduceLibrary::nccl},
    {.stack = {"torch", "PyTorch's RMSNorm, attention in one split, NCCL's all-reduce"},
     .norm = NormLibrary::torch,
     .attention = AttentionLibrary::fa2,
     .all_reduce = AllReduceLibrary::nccl,
     .one_split = true},
    {.stack = {"batch_invariant", "vLLM's batch-invariant mode: all of it pinned"},
     .norm = NormLibrary::vllm,
     .attention = AttentionLibrary::fa2,
     .all_reduce = AllReduceLibrary::vllm,
     .one_split = true,
     .batch_invariant = true},
};

constexpr auto kServingStacks = [] {
  std::array<ServingStack, std::size(kStackKernels)> stacks{};
  for (std::size_t i = 0; i < stacks.size(); ++i) stacks[i] = kStackKernels[i].stack;
  return stacks;
}();

constexpr std::uint64_t kMostRequests = 1 << 20;
constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostSplits = 1 << 16;

/// fp32, fp16 or bf16.
Format served_format(std::string_view key, std::string_view value) {
  const std::optional<Format> format = find_format(value);
  if (format && (*format == Format::fp32 || *format == Format::fp16 || *format == Format::bf16)) return *format;
  throw Error(ErrorKind::usage, std::string(key) + "=" + std::string(value) + ": must be bf16, fp16 or fp32");
}

std::string count_text(const std::optional<std::uint64_t>& count) { return count ? std::to_string(*count) : ""; }

std::string format_text(const std::optional<Format>& format) {
  return format ? std::string(info(*format).name) : std::string();
}

constexpr ServingKey kServingKeys[] = {
    {kServing.key, kServing.help,
     [](ServingSettings& s, std::string_view value) { s.serving = stack_named(value).stack.name; },
     [](const ServingSettings& s) { return s.serving; }},
    {kServingGpu.key, kServingGpu.help,
     [](ServingSettings& s, std::string_view value) { s.gpu = parse_device(value).name; },
     [](const ServingSettings& s) { return s.gpu; }},
    {kServedFormat.key, kServedFormat.help,
     [](ServingSettings& s, std::string_view value) { s.format = served_format("format", value); },
     [](const ServingSettings& s) { return format_text(s.format); }},
    {"batch", "requests that are decoded together",
     [](ServingSettings& s, std::string_view value) { s.batch = parse_count("batch", value, 1, kMostRequests); },
     [](const ServingSettings& s) { return std::to_string(s.batch); }},
    {kRanks.key, kRanks.help,
     [](ServingSettings& s, std::string_view value) {
       s.tp = parse_count("tp", value, 1, static_cast<std::uint64_t>(kRanks.high));
     },
     [](const ServingSettings& s) { return std::to_string(s.tp); }},
    {"norm_threads", "threads of a thread block of RMSNorm, in place of the library's choice by the batch",
     [](ServingSettings& s, std::string_view value) {
       s.norm_threads = parse_count("norm_threads", value, 1, kMostThreads);
     },
     [](const ServingSettings& s) { return count_text(s.norm_threads); }},
    {"split_k", "splits of every matrix product; split_order says how they are added",
     [](ServingSettings& s, std::string_view value) { s.split_k = parse_count("split_k", value, 1, kMostSplits); },
     [](const ServingSettings& s) { return std::to_string(s.split_k); }},
    {"partials", "format that the sums of splits are rounded to, and added in",
     [](ServingSettings& s, std::string_view value) { s.partials = served_format("partials", value); },
     [](const ServingSettings& s) { return format_text(s.partials); }},
    {"split_order", "turn, or arrival: runs of --runs add the sums of splits in drawn orders, as atomics do; all others in turn",
     [](ServingSettings& s, std::string_view value) {
       const auto order = enumerator_named<SplitOrder::arrival>(value);
       if (!order) throw Error(ErrorKind::usage, "split_order=" + std::string(value) + ": must be turn or arrival");
       s.split_order = *order;
     },
     [](const ServingSettings& s) { return std::string(name_of(s.split_order)); }},
    {"split_kv", "splits of the keys in attention, in place of the library's choice by batch and keys",
     [](ServingSettings& s, std::string_view value) { s.split_kv = parse_count("split_kv", value, 1, kMostSplits); },
     [](const ServingSettings& s) { return count_text(s.split_kv); }},
    {"probabilities",
     "format that attention rounds e^(score - maximum) to; left out, that of activations where the stack's kernel "
     "rounds it",
     [](ServingSettings& s, std::string_view value) { s.probabilities = served_format("probabilities", value); },
     [](const ServingSettings& s) { return format_text(s.probabilities); }},
    {"all_reduce", "one_shot, two_shot, ring or tree, in place of the library's choice by ranks and bytes",
     [](ServingSettings& s, std::string_view value) {
       if (!enumerator_named<AllReduceAlgorithm::tree>(value))
         throw Error(ErrorKind::usage,
                     "all_reduce=" + std::string(value) + ": must be one_shot, two_shot, ring or tree");
       s.all_reduce = value;
     },
     [](const ServingSettings& s) { return s.all_reduce; }},
};

const ServingKey& key_named(std::string_view name) {
  std::vector<std::string> known;
  for (const ServingKey& key : kServingKeys) {
    if (key.key == name) return key;
    known.emplace_back(key.key);
  }
  throw Error(ErrorKind::usage, unknown_name("key of serving", name, known));
}

}  // namespace

const StackKernels& stack_named(std::string_view name) {
  std::vector<std::string> known;
  for (const StackKernels& one : kStackKernels) {
    if (one.stack.name == name) return one;
    known.emplace_back(one.stack.name);
  }
  throw Error(ErrorKind::usage, unknown_name("serving stack", name, known));
}

std::span<const ServingStack> serving_stacks() { return kServingStacks; }

std::span<const ServingKey> serving_keys() { return kServingKeys; }

ServingSettings changed_settings(ServingSettings settings, std::string_view changes) {
  const FloatEnvironment environment;
  std::vector<std::string_view> given;
  while (!changes.empty()) {
    const std::size_t end = std::min(changes.find(','), changes.size());
    const std::string_view one = changes.substr(0, end);
    changes.remove_prefix(std::min(end + 1, changes.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos)
      throw Error(ErrorKind::usage, "'" + std::string(one) + "': not KEY=VALUE, such as batch=8 or serving=vllm");
    const ServingKey& key = key_named(one.substr(0, equals));
    if (std::find(given.begin(), given.end(), key.key) != given.end())
      throw Error(ErrorKind::usage, std::string(key.key) + ": is given twice; leave one out");
    given.push_back(key.key);
    key.set(settings, one.substr(equals + 1));
  }
  return settings;
}

std::string to_string(const ServingSettings& settings) {
  std::string text;
  for (const ServingKey& key : kServingKeys)
    if (const std::string value = key.text(settings); !value.empty())
      text += (text.empty() ? "" : ",") + std::string(key.key) + "=" + value;
  return text;
}

std::string difference_text(const ServingSettings& settings, const ServingSettings& other) {
  std::string text;
  for (const ServingKey& key : kServingKeys) {
    const std::string value = key.text(other);
    if (value == key.text(settings) || value.empty()) continue;
    text += (text.empty() ? "" : ",") + std::string(key.key) + "=" + value;
  }
  return text;
}

}  // namespace orderlab
