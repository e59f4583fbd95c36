#include "cli/given_array.hpp"

#include <utility>

#include "cli/command_line.hpp"
#include "orderlab/error.hpp"
#include "study/input_options.hpp"
#include "terms/array_files.hpp"
#include "terms/conversion.hpp"

namespace orderlab::cli {

namespace {

Terms terms_in(const CommandLine& line, const Flag& flag, const GivenArray& array, std::optional<Format> format) {
  if (!array.format)
    throw Error(ErrorKind::usage, line.quoted(flag) +
                                      ": holds integers, not float16, float32 or float64; convert it "
                                      "with .astype(np.float64)");
  std::size_t n = 1;
  for (const std::size_t extent : array.shape) n *= extent;
  return converted(Terms(*array.format, n, array.data), format.value_or(*array.format));
}

}  // namespace

FileSource source_of(const CommandLine& line, const Flag& flag) {
  const std::string decimal = line.takes(study::kDecimal) ? line.text(study::kDecimal) : ".";
  if (decimal != "." && decimal != ",")
    throw Error(ErrorKind::usage, line.quoted(study::kDecimal) + ": must be a point or a comma");
  return {.text = line.text(flag), .decimal_comma = decimal == ","};
}

Terms terms_of(const CommandLine& line, const Flag& flag, std::optional<Format> format) {
  const GivenArray* const array = line.array(flag);
  if (array != nullptr) return terms_in(line, flag, *array, format);
  FileSource source = source_of(line, flag);
  source.one_dimension = !(line.takes(study::kInputAxis) && line.has(study::kInputAxis));
  source.one_column = source.one_dimension;
  return read_file_array(source, format, format).terms;
}

Tensor tensor_of(const CommandLine& line, const Flag& flag, std::optional<Format> format, std::optional<Format> raw) {
  const GivenArray* const array = line.array(flag);
  if (array == nullptr) {
    const FileSource source = source_of(line, flag);
    return in_c_order(source.text, read_file_array(source, format, raw ? raw : format));
  }
  element_count(array->shape);  // as many as read_tensor allows
  return {array->shape, terms_in(line, flag, *array, format)};
}

GivenResults results_of(const CommandLine& line, const Flag& flag, const Formats& formats, std::uint64_t n) {
  const GivenArray* const array = line.array(flag);
  if (array == nullptr) return read_given_results(source_of(line, flag), formats, n);
  return exact_results(line.quoted(flag), terms_in(line, flag, *array, std::nullopt), formats.result);
}

IndexTensor index_of(const CommandLine& line, const Flag& flag) {
  const GivenArray* const array = line.array(flag);
  if (array == nullptr) return read_file_index(source_of(line, flag));
  if (array->format)
    throw Error(ErrorKind::usage, line.quoted(flag) + ": holds " + std::string(info(*array->format).name) +
                                      " numbers, not integers; convert it with .astype(np.int64)");
  const auto* const first = reinterpret_cast<const std::int64_t*>(array->data.get());
  return {array->shape, std::vector<std::int64_t>(first, first + element_count(array->shape))};
}

}  // namespace orderlab::cli
