#include "cli/model_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <set>
#include <utility>

#include "config/json.hpp"
#include "core/text.hpp"
#include "files/json_members.hpp"
#include "inference/narrow_floats.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::size_t kMostWeightFiles = 1024;  // each is mapped; the largest models of these families have below 200
constexpr std::size_t kLongestFileName = 255;

/// Names a file beside the index and nothing else.
bool is_shard_name(std::string_view name) {
  const auto plain = [](char c) { return c > ' ' && c <= '~' && c != '/' && c != '\\'; };
  return name.ends_with(".safetensors") && name.size() <= kLongestFileName && !name.starts_with('.') &&
         std::all_of(name.begin(), name.end(), plain);
}

void add_places(std::string_view text, TensorIndex& index) {
  for (const JsonMember& member : json_members(text)) {
    const bool is_text = member.value.starts_with('"') && member.value.size() <= 2 * kLongestFileName;
    const Json file = is_text ? Json::parse(member.value) : Json();
    if (!file.is_text() || !is_shard_name(file.text()))
      throw Error(ErrorKind::input,
                  fmt::format("{} is in {}, which is not the name of a safetensors file of this folder",
                              in_quotes(member.key), in_quotes(member.value)));
    index.file_of.emplace(member.key, file.text());
  }
}

}  // namespace

std::vector<std::string> TensorIndex::files() const {
  std::set<std::string> names;
  for (const auto& [tensor, file] : file_of) names.insert(file);
  return {names.begin(), names.end()};
}

TensorIndex parse_tensor_index(std::string_view text, const std::string& name) {
  TensorIndex index{.name = name};
  try {
    for (const JsonMember& member : json_members(text))
      if (member.key == "weight_map") add_places(member.value, index);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, name + ": " + error.what());
  }
  const std::size_t files = index.files().size();
  if (files == 0)
    throw Error(ErrorKind::input,
                name + ": has no `weight_map`, an object of tensors and their files, or an empty one");
  if (files > kMostWeightFiles)
    throw Error(ErrorKind::input, fmt::format("{}: names {} files; the most are {}", name, files, kMostWeightFiles));
  return index;
}

ModelTensors::ModelTensors(const ModelFile& file) { files_.emplace_back(file.bytes, file.name); }

ModelTensors::ModelTensors(std::span<const ModelFile> files, TensorIndex index) : index_(std::move(index)) {
  const std::vector<std::string> names = index_->files();
  assert(names.size() == files.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    files_.emplace_back(files[i].bytes, files[i].name);
    file_by_name_.emplace(names[i], i);
  }
}

bool ModelTensors::has(std::string_view tensor) const {
  return index_ ? index_->file_of.contains(tensor) : files_.front().find(tensor) != nullptr;
}

ModelTensors::Found ModelTensors::find(const std::string& tensor, std::span<const std::uint64_t> shape) const {
  const auto fail = [](const std::string& file, const std::string& problem) {
    throw Error(ErrorKind::input, file + ": " + problem);
  };
  const Safetensors* file = &files_.front();
  if (index_) {
    const auto place = index_->file_of.find(tensor);
    if (place == index_->file_of.end())
      fail(index_->name,
           fmt::format("no tensor {}; by config.json there is one of shape {}", tensor, shape_text(shape)));
    file = &files_[file_by_name_.at(place->second)];
  }
  const StoredTensor* stored = file->find(tensor);
  if (stored == nullptr)
    fail(file->name(), fmt::format("no tensor {}; by {} there is one of shape {}", tensor,
                                   index_ ? "the index and config.json" : "config.json", shape_text(shape)));
  if (!std::equal(shape.begin(), shape.end(), stored->shape.begin(), stored->shape.end()))
    fail(file->name(), fmt::format("{} has the shape {}; by config.json it is {}", tensor, shape_text(stored->shape),
                                   shape_text(shape)));
  const auto format = weight_format(stored->dtype);
  if (!format) fail(file->name(), fmt::format("{} is {}; weights must be BF16, F16 or F32", tensor, stored->dtype));
  return {*stored, *format};
}

WeightMatrix ModelTensors::matrix(const std::string& tensor, std::size_t rows, std::size_t columns) const {
  const Found found = find(tensor, std::array<std::uint64_t, 2>{rows, columns});
  return {.format = found.format, .rows = rows, .columns = columns, .numbers = found.tensor.bytes.data()};
}

std::vector<float> ModelTensors::vector(const std::string& tensor, std::size_t size) const {
  const Found found = find(tensor, std::array<std::uint64_t, 1>{size});
  std::vector<float> numbers(size);
  read_numbers(found.tensor.bytes.data(), found.format, numbers);
  return numbers;
}

}  // namespace orderlab::cli
