// What the source calls the arguments of a call: the variables of a copy, the kernel of a launch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orderlab/host_program.hpp"

namespace orderlab::host_program {

/// Reads each source once.
class CallNames {
 public:
  /// The variables that are passed to a function of the API; empty texts for what is not a variable.
  const std::vector<std::string>& variables(const Where& where, std::string_view function);

  /// Of a launch by cudaLaunchKernel.
  std::string kernel(const Where& where);

 private:
  const std::string& source(const std::string& file);

  std::map<std::pair<std::string, std::uint_least32_t>, std::vector<std::string>> variables_;
  std::map<std::string, std::string> sources_;
};

}  // namespace orderlab::host_program
