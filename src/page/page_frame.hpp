// What every page has: its head, its answer, charts with their sentences, tables, references, scripts and styles.
#pragma once

#include <string>
#include <vector>

#include "page/chart.hpp"

namespace orderlab {

/// A page from its top to its end.
struct PageContent {
  std::string title;
  std::string question;
  std::string unfinished;            ///< a sentence, where answers may change; else empty
  std::vector<std::string> caveats;  ///< sentences
  std::vector<std::string> answers;  ///< sentences, the verdict first; shown once, not again with their charts
  double moved = 0;                  ///< how far order moves what it is about, to choose between several such pages
  std::vector<DrawnChart> drawn;     ///< the first one is as wide as the page
  std::string points_title;          ///< title of the section with the tables
  std::string points;                ///< HTML
  std::string provenance;            ///< HTML
};

struct SpecFile {
  std::string name;  ///< "growth.vl.json"
  std::string json;
};

/// The answers, the first of them cut after its first sentence, which is the verdict.
std::vector<std::string> verdict_and_rest(const std::vector<std::string>& answers);

/// One Vega-Lite spec a chart, with its data and the light theme inside.
std::vector<SpecFile> spec_files(const PageContent& page);

/// HTML with scripts, styles and data inside. The same content gives the same bytes.
std::string page_html(const PageContent& page);

}  // namespace orderlab
