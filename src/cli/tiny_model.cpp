// Embeds the files of src/inference/tiny with the assembler; the build file names them as dependencies of this one.
#include "cli/tiny_model.hpp"

#include <cstddef>
#include <span>
#include <string_view>

#include "cli/model_folder.hpp"
#include "cli/prompt_file.hpp"

#ifndef ORDERLAB_TINY_MODEL
#error "ORDERLAB_TINY_MODEL: the folder inference/tiny, from the build file"
#endif

// A file between two symbols, kept out of what a shared library exports.
#define ORDERLAB_TINY_FILE(symbol, file)                                                               \
  __asm__(".pushsection .rodata\n.balign 64\n.global " #symbol "\n.hidden " #symbol "\n" #symbol       \
          ":\n.incbin \"" ORDERLAB_TINY_MODEL "/" file "\"\n.global " #symbol "_end\n.hidden " #symbol \
          "_end\n" #symbol "_end:\n.byte 0\n.popsection\n");                                           \
  extern "C" __attribute__((visibility("hidden"))) const char symbol[];                                \
  extern "C" __attribute__((visibility("hidden"))) const char symbol##_end[];
ORDERLAB_TINY_FILE(orderlab_tiny_config, "config.json")
ORDERLAB_TINY_FILE(orderlab_tiny_weights, "model.safetensors")
ORDERLAB_TINY_FILE(orderlab_tiny_prompts, "prompts.txt")

namespace orderlab::cli {

LanguageModel tiny_model() {
  const std::span<const char> weights(orderlab_tiny_weights, orderlab_tiny_weights_end);
  const ModelTensors tensors(ModelFile{.name = "tiny/model.safetensors", .bytes = std::as_bytes(weights)});
  const std::string_view config(orderlab_tiny_config, orderlab_tiny_config_end);
  LanguageModel model = make_language_model(parse_model_config(config, "tiny/config.json"), tensors);
  model.name = "tiny";
  model.hash = hash_of_files({config, {orderlab_tiny_weights, orderlab_tiny_weights_end}});
  return model;
}

std::vector<Prompt> tiny_prompts() {
  return parse_prompts({orderlab_tiny_prompts, orderlab_tiny_prompts_end}, "tiny/prompts.txt", kByteTokens);
}

}  // namespace orderlab::cli
