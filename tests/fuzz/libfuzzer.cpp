// All harnesses in one program, which runs the one that it is called by: a link of that name leads to it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fuzz/harness_list.hpp"

static orderlab::fuzz::Harness chosen_harness = nullptr;

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  const std::filesystem::path called = (*arguments)[0];
  const auto found = orderlab::fuzz::kHarnesses.find(called.filename());
  if (found == orderlab::fuzz::kHarnesses.end()) {
    std::fprintf(stderr, "%s: no harness of this name\n", called.c_str());
    std::exit(2);
  }
  chosen_harness = found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return chosen_harness(data, size); }
