// Runs every file of the corpora once: what libFuzzer does first, for builds without it.
//
// usage: orderlab_fuzz_replay CORPUS
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/harness_list.hpp"

namespace {

namespace fs = std::filesystem;
using orderlab::fuzz::kHarnesses;

std::vector<std::uint8_t> content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: orderlab_fuzz_replay CORPUS\n", stderr);
    return 2;
  }
  int failures = 0;
  for (const auto& [name, harness] : kHarnesses) {
    const fs::path folder = fs::path(arguments[1]) / name;
    int files = 0;
    if (fs::is_directory(folder))
      for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        std::fprintf(stderr, "%s\n", entry.path().c_str());  // the last line, should the harness abort
        const std::vector<std::uint8_t> bytes = content(entry.path());
        harness(bytes.data(), bytes.size());
        ++files;
      }
    if (files == 0) ++failures;
    std::printf("%s: %d files\n", name.c_str(), files);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(arguments[1]))
    if (!kHarnesses.contains(entry.path().filename().string())) {
      std::printf("%s: no harness of this name\n", entry.path().c_str());
      ++failures;
    }
  return failures == 0 ? 0 : 1;
}
