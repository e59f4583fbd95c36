#include <doctest/doctest.h>

#include <string>

#include "page/page_contents.hpp"

using namespace orderlab;
using host_program::FindingKind;

namespace {

HostFinding host_finding() {
  HostFinding finding;
  finding.files = {"a b.cu"};
  finding.defines = {"N=3"};
  finding.standard = "c++20";
  finding.check = "auto";
  finding.warp_sync = "volta";
  finding.arguments = {"7"};
  finding.runs = 3;
  finding.was_compared = true;
  finding.ending = "exit status 0";
  return finding;
}

bool host_page_says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("the page of a program draws each number that varies by run, and says what varies") {
  HostFinding finding = host_finding();
  finding.varying = {{"a.cu:4", "h, copied back from d", 1, 1, 2, "1.5", "1.75", {1.5, 1.75, 1.5}, "kernel f adds"},
                     {{}, "line 1 of the output", 2, 0, 0, {}, {}, {}, "kernel f adds"}};
  const PageContent page = page_content(finding);
  CHECK(page.answers[0] == "No fault was found; 2 lines of the output or copies to the host vary over 3 runs.");
  CHECK(page.answers[1] ==
        "a.cu:4: h, copied back from d: 1 of 1 number varies over 3 runs: 2 values from 1.5 to 1.75.");
  REQUIRE(page.drawn.size() == 1);
  const Json& spec = page.drawn[0].figure.spec;
  const Json& rows = spec["data"]["values"];  // of the one panel that has numbers
  REQUIRE(rows.size() == 3);
  CHECK(rows[1]["run"].number() == 2);
  CHECK(rows[1]["number"].number() == 1.75);
  CHECK(host_page_says(page.provenance, "orderlab host &#39;a b.cu&#39; -D N=3 --std c++20 --runs 3"));
  CHECK(host_page_says(page.provenance, " -- 7"));
}

TEST_CASE("the page of a program with faults lists them, and has no chart") {
  HostFinding finding = host_finding();
  finding.was_compared = false;
  finding.findings = {{FindingKind::fault, "a.cu:2", "reads <beyond>"}, {FindingKind::leak, "", "d_x"}};
  const PageContent page = page_content(finding);
  CHECK(page.answers[0] == "1 fault was found.");
  CHECK(page.drawn.empty());
  CHECK(host_page_says(page.points, "reads &lt;beyond&gt;"));
  CHECK(host_page_says(page.points, "<td>leak</td>"));
}

TEST_CASE("the page of a program says that nothing varies only where runs were compared") {
  HostFinding finding = host_finding();
  CHECK(page_content(finding).answers[0] == "No fault was found, and nothing varies over 3 runs.");
  finding.was_compared = false;
  CHECK(page_content(finding).answers[0] == "No fault was found.");
  finding.crashed = true;
  CHECK(page_content(finding).answers[0] == "The program crashed.");
}
