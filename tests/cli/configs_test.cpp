// The configs that come with the program: every one can be run, and says what it asks.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;

namespace {

std::vector<std::filesystem::path> configs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(ORDERLAB_CONFIGS))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("every config has points, and opens with its question, its time and its source") {
  REQUIRE(configs().size() >= 9);
  for (const std::filesystem::path& path : configs()) {
    CAPTURE(path.string());
    const Outcome outcome = run({"sweep", path.string(), "--dry-run"});
    CHECK(outcome.err.empty());
    CHECK(outcome.status == kDone);
    CHECK(lines_of(outcome.out).size() > 5);
    std::ifstream file(path);
    for (const char* word : {"# Question: ", "# Time: ", "# Source: "}) {
      std::string line;
      while (std::getline(file, line) && !line.starts_with(word)) CHECK(line.starts_with("#"));
      CHECK(line.starts_with(word));
    }
  }
}

TEST_CASE("the quick config runs") {
  const TemporaryFolder folder;
  const Outcome outcome = run({"sweep", std::string(ORDERLAB_CONFIGS) + "/quick.toml", "--db", "quick.sqlite"});
  CHECK(outcome.err.empty());
  CHECK(outcome.status == kDone);
  CHECK(run({"export", "quick.sqlite", "--csv", "quick.csv"}).status == kDone);
}
