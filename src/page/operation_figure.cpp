#include "page/operation_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "page/line_names.hpp"
#include "page/number_words.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

// Equal numbers differ from their mean by this much of it, or less.
constexpr double kRounding = 1e-12;

/// What is published where a cell stands.
struct PublishedMark {
  std::string facet;
  std::string line;  ///< marks of one are joined
  double x = 0;
  double mean = 0;
  std::optional<double> sd;
};

class OperationFigure {
 public:
  OperationFigure(const SweepContent& content, const OperationQuantity& quantity, OperationSize over)
      : study_(content), quantity_(quantity), over_(over), cells_(operation_cells(content, over)) {
    find_published();
    for (const OperationCell& cell : cells_) {
      x_.see(cell.x);
      y_.see(cell.mean(quantity_));
      if (const double low = cell.mean(quantity_) - cell.sd(quantity_).value_or(0); low > 0) y_.see(low);
      y_.see(cell.mean(quantity_) + cell.sd(quantity_).value_or(0));
    }
    for (const PublishedMark& mark : published_) y_.see(mark.mean);
  }

  std::optional<Figure> draw() const {
    std::set<double> sizes;
    for (const OperationCell& cell : cells_) sizes.insert(cell.x);
    if (sizes.size() < 2) return std::nullopt;
    Figure figure;
    figure.leads = quantity_.is_share && study_.points.empty() && over_ == OperationSize::outputs;
    figure.seconds = quantity_.is_share && !study_.points.empty();
    figure.spec = spec();
    figure.caption = caption();
    const std::vector<std::string> facets = by_greatest();
    for (const std::string& facet : facets) figure.conclusions.push_back(conclusion_of(facet));
    figure.headline = facets.front();
    figure.answers = 2;
    return figure;
  }

 private:
  // Cells of one panel that differ by their arrival model alone have one published value.
  void find_published() {
    if (quantity_.published_mean == nullptr) return;
    std::set<std::tuple<std::string, double, const PublishedRow*>> known;
    for (const OperationCell& cell : cells_) {
      const PublishedRow* row = published_of(study_, cell.first());
      if (row == nullptr || !(row->*quantity_.published_mean)) continue;
      if (!known.emplace(cell.facet, cell.x, row).second) continue;
      const std::string line =
          row->op + (over_ == OperationSize::outputs ? fmt::format(" R = {}", row->ratio.value_or(0))
                                                     : fmt::format(" n = {}", row->n.value_or(0)));
      published_.push_back({cell.facet, line, cell.x, *(row->*quantity_.published_mean), row->*quantity_.published_sd});
    }
  }

  std::string name_of_published() const { return "published (" + study_.published.file + ")"; }

  std::string title_of_x() const { return over_ == OperationSize::outputs ? "outputs" : "ratio R of the index"; }

  // Where a value stands on the axis, on which 0 may have a place of its own.
  Json placed(double value) const { return vega::number(quantity_.is_share ? value : y_.place(value)); }

  Json row_of(const char* kind, const std::string& facet, const std::string& series, double x, double mean,
              double sd) const {
    const double low = mean > sd || quantity_.is_share ? std::max(0.0, mean - sd) : mean;
    return {{"kind", kind},          {"facet", facet},     {"series", series},          {"x", vega::number(x)},
            {"y", placed(mean)},     {"low", placed(low)}, {"high", placed(mean + sd)}, {"mean", vega::number(mean)},
            {"sd", vega::number(sd)}};
  }

  Json rows() const {
    Json rows = Json::array();
    for (const OperationCell& cell : cells_) {
      Json row = row_of("point", cell.facet, cell.series, cell.x, cell.mean(quantity_), cell.sd(quantity_).value_or(0));
      row["kernel"] = cell.first().kernel;
      rows.push_back(std::move(row));
      if (const auto expected = cell.expected(); expected && quantity_.is_share)
        rows.push_back({{"kind", "expected"},
                        {"facet", cell.facet},
                        {"series", cell.series},
                        {"x", vega::number(cell.x)},
                        {"y", vega::number(*expected)}});
    }
    for (const PublishedMark& mark : published_) {
      Json row = row_of("published", mark.facet, name_of_published(), mark.x, mark.mean, mark.sd.value_or(0));
      row["line"] = mark.line;
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Json y_channel() const {
    if (!quantity_.is_share) return vega::log_channel("y", std::string(quantity_.title), y_);
    return {{"field", "y"},
            {"type", "quantitative"},
            {"title", quantity_.title},
            {"scale", {{"zero", true}}},
            {"axis", {{"format", "~p"}}}};
  }

  Json place() const {
    const bool outputs = over_ == OperationSize::outputs;
    Json place{{"x", outputs ? vega::log_channel("x", title_of_x(), x_) : vega::padded_channel("x", title_of_x())},
               {"y", y_channel()}};
    if (outputs) return place;
    std::set<double> ratios;
    for (const OperationCell& cell : cells_) ratios.insert(cell.x);
    place["x"]["axis"] = {{"values", std::vector<double>(ratios.begin(), ratios.end())}, {"labelOverlap", true}};
    return place;
  }

  Json tooltip() const {
    return Json::array({{{"field", "series"}},
                        {{"field", "x"}, {"title", title_of_x()}, {"format", ".6~g"}},
                        {{"field", "mean"}, {"title", std::string(quantity_.name) + ", mean"}, {"format", ".3~g"}},
                        {{"field", "sd"}, {"title", std::string(quantity_.name) + ", sd"}, {"format", ".2~g"}}});
  }

  Json spec() const {
    std::vector<std::string> series = names_of(cells_, &OperationCell::series);
    if (!published_.empty()) series.push_back(name_of_published());
    Json line = place();
    vega::add_series(line, "series", series, false);
    Json bar = line;
    bar["y"]["field"] = "low";
    bar["y2"] = {{"field", "high"}};
    Json point = line;
    vega::add_series(point, "series", series, true);
    point["tooltip"] = tooltip();
    Json published = point;
    point["tooltip"].push_back({{"field", "kernel"}});
    Json published_line = line;
    published_line["detail"] = {{"field", "line"}};
    Json expected = line;
    expected["tooltip"] = {{{"field", "series"}}, {{"field", "y"}, {"title", "exact mean of Vc"}, {"format", ".4~g"}}};
    const Json bars{{"type", "rule"}, {"opacity", 0.35}, {"strokeWidth", 2}};
    const Json marks{{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}};
    const std::vector<Json> layers{
        vega::layer("point", bars, bar),
        vega::layer("point", {{"type", "line"}, {"strokeWidth", 1.5}}, line),
        vega::layer("published", bars, bar),
        vega::layer("published", {{"type", "line"}, {"strokeWidth", 1.5}, {"strokeDash", {5, 4}}}, published_line),
        vega::layer("point", marks, point),
        vega::layer("published", marks, published),
        vega::layer("expected", {{"type", "point"}, {"shape", "stroke"}, {"strokeWidth", 2}, {"size", 260}}, expected)};
    std::vector<vega::Panel> panels = vega::panels_of(rows(), names_of(cells_, &OperationCell::facet), layers);
    const double aside = vega::name_lines(panels, {"point", "published"});
    return vega::spec(std::string(quantity_.name) + " against " + title_of_x(), std::move(panels), {.aside = aside});
  }

  std::string caption() const {
    std::string text =
        std::string(quantity_.definition) +
        " Marks: mean over the samples and inputs. Bars: one standard deviation of single samples to either side.";
    if (quantity_.is_share)
      text += " Dashes: the exact mean over all arrival orders, equally likely, where it is known.";
    if (published_.empty()) return text;
    text += fmt::format(" Dashed lines: what {} has of the same operations, sizes and ratios", study_.published.file);
    if (!study_.published.source.empty()) text += ", " + study_.published.source;
    return text + "; bars: its standard deviation, where it has one.";
  }

  // The facets, that with the greatest value at its largest x first.
  std::vector<std::string> by_greatest() const {
    std::map<std::string, std::pair<double, double>> last;  // x, value
    for (const OperationCell& cell : cells_) {
      const std::pair<double, double> here(cell.x, cell.mean(quantity_));
      std::pair<double, double>& at = last.try_emplace(cell.facet, here).first->second;
      at = std::max(at, here);
    }
    std::vector<std::string> facets = names_of(cells_, &OperationCell::facet);
    std::stable_sort(facets.begin(), facets.end(),
                     [&](const std::string& a, const std::string& b) { return last.at(a).second > last.at(b).second; });
    return facets;
  }

  std::string in_unit(double value) const { return quantity_.is_share ? percent_in_words(value) : in_words(value); }

  // Says for one facet, at its largest x, who varies most.
  std::string conclusion_of(const std::string& facet) const {
    double at = 0;
    for (const OperationCell& cell : cells_)
      if (cell.facet == facet) at = std::max(at, cell.x);
    std::vector<const OperationCell*> here;
    for (const OperationCell& cell : cells_)
      if (cell.facet == facet && cell.x == at) here.push_back(&cell);
    const auto by_mean = [this](const OperationCell* a, const OperationCell* b) {
      return a->mean(quantity_) < b->mean(quantity_);
    };
    const OperationCell& most = **std::max_element(here.begin(), here.end(), by_mean);
    const OperationCell& least = **std::min_element(here.begin(), here.end(), by_mean);
    const std::string name = most.series.empty() ? most.first().op : most.series;
    std::string text = over_ == OperationSize::outputs
                           ? fmt::format("With {} outputs", count_in_words(static_cast<std::uint64_t>(at)))
                           : fmt::format("At R = {}", at);
    join(text, ", ", facet);
    const double value = most.mean(quantity_);
    if (!(value > 0) && quantity_.is_share) return text + ", no output differs from the baseline in any sample.";
    text += quantity_.is_share ? fmt::format(", {} of the outputs differ from the baseline on average", in_unit(value))
                               : fmt::format(", {} is {} on average", quantity_.name, in_unit(value));
    const auto sd = most.sd(quantity_);
    if (sd && (*sd > kRounding * value || quantity_.is_share)) text += fmt::format(" (sd {})", in_unit(*sd));
    if (least.mean(quantity_) < value)
      text += fmt::format(" with {}, and {} with {}", name, in_unit(least.mean(quantity_)), least.series);
    else if (here.size() == 1 && names_of(cells_, &OperationCell::series).size() > 1)
      text += " with " + name;
    if (quantity_.is_share && !(most.first().measures.can_vary > 0))
      text += "; no arrival order changes that: it is the method";
    else if (const auto expected = most.expected(); expected && quantity_.is_share)
      text += fmt::format("; the exact mean over all arrival orders is {}", in_unit(*expected));
    for (const PublishedMark& mark : published_)
      if (mark.facet == facet && mark.x == at) text += "; published: " + in_unit(mark.mean);
    return text + ".";
  }

  const SweepContent& study_;
  const OperationQuantity& quantity_;
  OperationSize over_;
  std::vector<OperationCell> cells_;
  std::vector<PublishedMark> published_;
  vega::LogRange x_;
  vega::LogRange y_;
};

}  // namespace

std::optional<Figure> operation_figure(const SweepContent& content, const OperationQuantity& quantity,
                                       OperationSize over) {
  return OperationFigure(content, quantity, over).draw();
}

}  // namespace orderlab
