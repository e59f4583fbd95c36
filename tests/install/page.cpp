// Uses the installed component `sweep`: a page of a finding.
#include <fstream>
#include <orderlab/page.hpp>

int main() {
  using namespace orderlab;
  const study::SampleFinding finding =
      study::sample(study::given_input({0.1, 0.2, -0.3}), {.orders = {parse_order("random")}, .samples = 20});
  const std::string html = html_page(finding);
  std::ofstream("page.html") << html;
  return html.find("20 runs gave") != std::string::npos ? 0 : 1;
}
