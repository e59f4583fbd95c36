#include "host_program/call_names.hpp"

#include <fstream>
#include <iterator>

#include "cuda_source/arguments.hpp"

namespace orderlab::host_program {

const std::vector<std::string>& CallNames::variables(const Where& where, std::string_view function) {
  const auto [entry, is_new] = variables_.try_emplace({where.file_name(), where.line()});
  if (is_new) entry->second = cuda_source::variables_of_call(source(where.file_name()), where.line(), function);
  return entry->second;
}

std::string CallNames::kernel(const Where& where) {
  std::string name = cuda_source::kernel_of_call(source(where.file_name()), where.line(), "cudaLaunch");
  return name.empty() ? "without a name" : name;
}

const std::string& CallNames::source(const std::string& file) {
  const auto [entry, is_new] = sources_.try_emplace(file);
  if (is_new) {
    std::ifstream stream(file);
    entry->second.assign(std::istreambuf_iterator<char>(stream), {});
  }
  return entry->second;
}

}  // namespace orderlab::host_program
