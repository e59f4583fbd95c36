#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/study/crosscheck.hpp"

using namespace orderlab;

TEST_CASE("a request without sizes and formats checks a kernel in all of the usual ones") {
  const Executor& spa = host_executors().front();
  std::vector<std::string> stages;
  study::Watch watch;
  watch.begins = [&](const std::string& stage) { stages.push_back(stage); };
  const study::CrossCheckFinding few = study::crosscheck({&spa, 1}, {.sizes = {100}}, watch);
  CHECK(stages == std::vector<std::string>{"cases"});
  CHECK(few.devices == std::vector<std::string>{"host"});
  CHECK(few.cases() > 0);
  CHECK(few.checks.mismatches() == 0);
  CHECK(few.options.formats.size() == 6);
  CHECK_THROWS_AS(study::crosscheck({&spa, 1}, {.sizes = {100}, .vocabulary = {}}), Error);  // its claim has no names
  const study::CrossCheckRequest full = study::full_crosscheck();
  CHECK(full.sizes.size() == 1030);
  CHECK(full.formats.size() == 2);
}
