// The page of a language model's runs.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "config/json.hpp"
#include "orderlab/page.hpp"
#include "page/sum_points.hpp"

using namespace orderlab;

namespace {

/// Two answers of ten tokens in four runs that draw: one flips at its third token in two of them.
study::ModelInferFinding drawn_finding() {
  study::ModelInferFinding finding;
  finding.request.settings = changed_settings({}, "split_k=4,split_order=arrival");
  finding.request.runs = 4;
  finding.request.tokens = 10;
  finding.request.part = 2;
  finding.request.parts = 3;
  finding.model = "tiny";
  finding.prompts = 6;
  finding.asked = 2;
  finding.answers = {{"a", std::vector<std::uint32_t>(10)}, {"b", std::vector<std::uint32_t>(10)}};
  finding.tokens = 20;
  finding.margins.assign(20, 1);
  finding.drawn.emplace();
  finding.drawn->difference = {.tokens = 80, .equal = 70, .mean_abs = 0.5, .flips = 2, .expected = 2};
  finding.drawn->per_1000 = {25, 1, 100};
  finding.drawn->answers = {{"a", {3, 3}, 2}, {"b", {}, 1}};
  return finding;
}

double last_share(const std::string& page, const std::string& series) {
  const std::string before = "id=\"specs\">";
  const std::size_t from = page.find(before) + before.size();
  const Json specs = Json::parse(page.substr(from, page.find("</script>", from) - from));
  double share = -1;
  for (const Json& row : specs["infer_survival"]["data"]["values"])
    if (row["kind"] == "line" && row["series"] == series && row["tokens"].number() == 10) share = row["share"].number();
  return share;
}

}  // namespace

TEST_CASE("answers of drawn runs and what is expected of them are those of one run") {
  const std::string page = html_page(drawn_finding());
  CHECK(last_share(page, "observed") == 0.75);  // two of eight have flipped
  const double expected = last_share(page, "expected");
  CHECK(expected > 0.7763);  // (1 - 2 / 80)^10 = 0.77633
  CHECK(expected < 0.7764);
  CHECK(says(page, "Drawn: the answers of one run; observed are those of all 4 drawn runs."));
}

TEST_CASE("a page about a part of the prompts says which, and how to repeat it") {
  const std::string page = html_page(drawn_finding());
  CHECK(says(page, "part 2/3 of 6 prompts"));
  CHECK(says(page, "--shard 2/3"));
}
