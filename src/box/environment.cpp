#include "box/environment.hpp"

#include <locale.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <locale>
#include <string_view>

namespace orderlab {

std::vector<std::string> box_environment(std::size_t threads) {
  const char* const all = std::getenv("LC_ALL");
  const bool has_all = all != nullptr && *all != '\0';
  std::vector<std::string> variables;
  const auto is_replaced = [&](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('='));
    if (name == "LC_ALL" || name == "LC_NUMERIC") return true;
    if (name == "LANG" || name.starts_with("LC_")) return has_all;
    return name == "OMP_NUM_THREADS" && threads > 0;
  };
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (!is_replaced(*variable)) variables.emplace_back(*variable);
  if (has_all) variables.push_back("LANG=" + std::string(all));
  variables.emplace_back("LC_NUMERIC=C");
  // Threads that wait actively take the time of those that work, where there are more of them than cores.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) variables.emplace_back("OMP_WAIT_POLICY=passive");
  if (threads > 0) variables.push_back("OMP_NUM_THREADS=" + std::to_string(threads));
  return variables;
}

void write_numbers_as_in_c() {
  const std::locale global;
  if (global != std::locale::classic())
    std::locale::global(std::locale(global, std::locale::classic(), std::locale::numeric));
  ::uselocale(LC_GLOBAL_LOCALE);  // else what the thread has counts
  std::setlocale(LC_NUMERIC, "C");
}

}  // namespace orderlab
