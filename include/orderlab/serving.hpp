// How a language model is served: what decides the order in which its kernels add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orderlab/format.hpp"

namespace orderlab {

/// How the sums of splits of a matrix product are added: in turn, or by atomics as they arrive.
enum class SplitOrder : std::uint8_t { turn, arrival };

constexpr std::string_view name_of(SplitOrder order) { return order == SplitOrder::turn ? "turn" : "arrival"; }

/// What users choose. Counts that are empty follow from the rest.
struct ServingSettings {
  std::string serving = "vllm_fa3";                ///< a name of serving_stacks()
  std::string gpu = "h100";                        ///< a name of gpus(), or "sms=K"
  Format format = Format::bf16;                    ///< of weights and activations: bf16, fp16 or fp32
  std::uint64_t batch = 1;                         ///< requests that are decoded together
  std::uint64_t tp = 1;                            ///< ranks of tensor parallelism
  std::optional<std::uint64_t> norm_threads = {};  ///< threads of a thread block of RMSNorm
  std::uint64_t split_k = 1;                       ///< splits of every matrix product
  std::optional<Format> partials = {};             ///< of the sums of splits; empty: fp32
  SplitOrder split_order = SplitOrder::turn;
  std::optional<std::uint64_t> split_kv = {};  ///< splits of the keys in attention
  std::optional<Format> probabilities = {};    ///< that attention multiplies values with; empty: `format`
  std::string all_reduce = {};                 ///< an algorithm; empty: the choice of the library by ranks and bytes

  friend bool operator==(const ServingSettings&, const ServingSettings&) = default;
};

/// A stack that people serve models with.
struct ServingStack {
  std::string_view name;
  std::string_view summary;
};

std::span<const ServingStack> serving_stacks();

/// One key of the settings.
struct ServingKey {
  std::string_view key;
  std::string_view help;

  /// Error(usage) for a text that is no such value.
  void (*set)(ServingSettings& settings, std::string_view value);

  std::string (*text)(const ServingSettings& settings);  ///< empty where it follows from the rest
};

std::span<const ServingKey> serving_keys();

/// The settings with "batch=8,tp=4" changed. Error(usage) with the nearest key.
ServingSettings changed_settings(ServingSettings settings, std::string_view changes);

/// All settings, as changed_settings reads them.
std::string to_string(const ServingSettings& settings);

/// The keys in which `other` differs, as changed_settings reads them: "batch=8".
std::string difference_text(const ServingSettings& settings, const ServingSettings& other);

}  // namespace orderlab
