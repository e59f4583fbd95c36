// A library that sets the floating-point environment named by ORDERLAB_TEST_FLOAT_ENVIRONMENT when it is loaded, as a
// library linked with -ffast-math does. Tests preload it, and call it from Python.
#include "float_environments.hpp"

#include <cstdlib>

using namespace float_environments;

/// 1 where it is set.
extern "C" int set_float_environment(const char* name) {
  const Environment* const found = find(name);
  if (found != nullptr) set_controls(found->controls);
  return found != nullptr;
}

/// The name of number i; null where there is none.
extern "C" const char* float_environment_name(unsigned i) { return i < kAll.size() ? kAll[i].name.data() : nullptr; }

/// Whether this thread's environment is that one.
extern "C" int has_float_environment(const char* name) {
  const Environment* const found = find(name);
  return found != nullptr && controls() == found->controls;
}

/// The sum of n doubles from left to right: a box that leaves the environment as it should not.
extern "C" double sum_in_turn(std::size_t n, const double* x) {
  set_controls(kDefault);
  volatile double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = sum + x[i];
  set_controls(kAll.back().controls);
  return sum;
}

__attribute__((constructor)) static void set_at_load() {
  if (const char* const name = std::getenv("ORDERLAB_TEST_FLOAT_ENVIRONMENT")) set_float_environment(name);
}
