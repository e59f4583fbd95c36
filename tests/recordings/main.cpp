// doctest's main for the tests that read the V100 recordings: exits with 77, "skipped", where the data is not there.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) {
  constexpr int exit_skipped = 77;
  if (!std::filesystem::is_directory(ORDERLAB_SHARED_DATA)) {
    std::puts("skipped: no recordings in " ORDERLAB_SHARED_DATA);
    return exit_skipped;
  }
  return doctest::Context(argc, argv).run();
}
