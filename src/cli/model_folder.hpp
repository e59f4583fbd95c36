// Language models from folders as the library transformers saves them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/model_config.hpp"
#include "cli/model_tensors.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab::cli {

/// The model that `config` describes, with its weights where they lie. Tensors that it does not need are left alone.
/// Its name and its storage are the caller's.
///
/// Errors: input, those of ModelTensors.
LanguageModel make_language_model(ModelConfig config, const ModelTensors& tensors);

/// Hash of the contents of files, each with its size before it.
std::string hash_of_files(const std::vector<std::string_view>& contents);

/// The model in a folder: config.json and model.safetensors, or model.safetensors.index.json with the files that it
/// names. The files are mapped for as long as the model, or a copy of it, lives.
///
/// Errors: input, one line that names the file and what was expected. Pickles (pytorch_model.bin) are never read.
LanguageModel read_language_model(const std::string& folder);

}  // namespace orderlab::cli
