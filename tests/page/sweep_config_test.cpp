// A config that is reconstructed from a store's points gives those points.
#include "page/sweep_config.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep/config_text.hpp"
#include "sweep/counts_blob.hpp"
#include "sweep/program_config.hpp"
#include "sweep/store.hpp"

using namespace orderlab;

namespace {

std::vector<std::string> hashes_of(const SweepPlan& plan) {
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i < plan.points.size(); ++i) hashes.push_back(plan.points.hash(i).text());
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

// Through a store whose points are planned as ever, but hold no results.
std::string written_back(const SweepPlan& plan, const std::filesystem::path& folder) {
  const std::string path = (folder / "planned.sqlite").string();
  Store store(path, Store::Access::create);
  store.set_plan(plan);
  std::vector<StoredPoint> points;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint point = plan.points[i];
    points.push_back({.hash = point.hash().text(),
                      .config = point.config_text(),
                      .terms = "{}",
                      .summation = "{}",
                      .metrics = "{}",
                      .counts = to_blob({}, point.config.formats.result),
                      .made_by = {}});
  }
  store.add(points);
  return sweep_config(content_of(store));
}

void check_round_trip(const SweepPlan& plan) {
  const ConfigText folder("");
  const std::string text = written_back(plan, folder.folder());
  CAPTURE(text);
  const ConfigText again(text);
  CHECK(hashes_of(again.plan()) == hashes_of(plan));
}

}  // namespace

TEST_CASE("every config comes back from its points") {
  for (const auto& entry : std::filesystem::directory_iterator(ORDERLAB_CONFIGS)) {
    CAPTURE(entry.path().string());
    if (!entry.is_regular_file()) continue;
    if (read_program_config(entry.path().string())) continue;  // the config of a command, whose report asks it again
    check_round_trip(make_plan(read_config(entry.path().string())));
  }
}

TEST_CASE("all orders come back as such, beside samples and with seeds of their terms") {
  for (const char* text :
       {"n = 8\norder = ['random', 'chunks(3) | arrive | seq']\nsamples = 'all'\nseed = [3, 4]\n",
        "n = 8\norder = 'random'\nsamples = ['all', 50]\n",
        "n = 8\norder = 'random'\nsamples = ['all', 50]\nexclude = [{ n = 8, samples = 50 }]\n",
        "n = [4, 8]\norder = ['random', 'pairwise']\nsamples = 5\nexclude = [{ n = 8, order = 'random' }]\n"}) {
    const ConfigText config(text);
    check_round_trip(config.plan());
  }
}
