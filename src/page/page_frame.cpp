#include "page/page_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_set>

#include "page/asset_list.hpp"
#include "page/chart_table.hpp"
#include "page/html_text.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

/// Sentences below a chart; the rest is folded away.
constexpr std::size_t kSentences = 4;

// JSON inside a <script>: no "</script>" can be in it, and it stays JSON.
std::string json_in_script(const Json& json) {
  std::string text;
  for (const char c : json.dump())
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

// An object of the specs by the ids of their charts. A page may have thousands: no Json looks for each among them.
std::string specs_in_script(const std::vector<DrawnChart>& drawn) {
  std::string text;
  for (const DrawnChart& one : drawn)
    text.append(text.empty() ? "{" : ",")
        .append(json_in_script(one.id()))
        .append(":")
        .append(json_in_script(one.figure.spec));
  return drawn.empty() ? "{}" : text + "}";
}

// The keys of works, "[Higham1993]", that a text cites.
std::set<std::string> cited_in(const std::string& text) {
  std::set<std::string> keys;
  static const std::regex kKey(R"(\[([A-Z][A-Za-z]*[0-9]{4})\])");
  for (std::sregex_iterator match(text.begin(), text.end(), kKey), end; match != end; ++match)
    keys.insert((*match)[1].str());
  return keys;
}

// The references that the page cites.
std::string references_html(const std::string& page) {
  const std::set<std::string> cited = cited_in(page);
  std::string html;
  std::istringstream lines{std::string(assets::kReferences)};
  for (std::string line; std::getline(lines, line);)
    for (const std::string& key : cited)
      if (line.starts_with("- [" + key + "] "))
        html += fmt::format("<li id=\"ref-{}\">{}</li>\n", key, html_text(line.substr(2)));
  return html.empty() ? html
                      : "<section id=\"references\">\n<h2>References</h2>\n<ul>\n" + html + "</ul>\n</section>\n";
}

// A citation leads to its reference.
std::string with_links(std::string html) {
  for (const std::string& key : cited_in(html)) {
    const std::string text = "[" + key + "]";
    const std::string link = fmt::format("<a href=\"#ref-{}\">{}</a>", key, text);
    for (std::size_t at = html.find(text); at != std::string::npos; at = html.find(text, at + link.size()))
      html.replace(at, text.size(), link);
  }
  return html;
}

std::string figure_html(const DrawnChart& drawn, const std::unordered_set<std::string>& answers) {
  const Figure& figure = drawn.figure;
  const std::string title =
      drawn.part.empty() ? std::string(drawn.chart->title) : fmt::format("{}: {}", drawn.part, drawn.chart->title);
  std::string html = fmt::format("<section id=\"{0}\">\n<h2>{1}</h2>\n", drawn.id(), html_text(title));
  html +=
      fmt::format("<figure>\n<div class=\"chart\" data-chart=\"{}\"></div>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                  drawn.id(), chart_table(figure), with_links(html_prose(figure.caption)));
  std::vector<std::string> sentences;
  for (const std::string& sentence : figure.conclusions)
    if (!answers.contains(sentence)) sentences.push_back(sentence);
  const std::size_t shown = std::min(sentences.size(), kSentences);
  html += html_list({sentences.begin(), sentences.begin() + static_cast<std::ptrdiff_t>(shown)});
  if (shown < sentences.size())
    html += "<details><summary>More</summary>\n" +
            html_list({sentences.begin() + static_cast<std::ptrdiff_t>(shown), sentences.end()}) + "</details>\n";
  if (!figure.rows.empty())
    html += "<details><summary>Numbers</summary>\n" + html_table(figure.columns, figure.rows) + "</details>\n";
  return html + "</section>\n";
}

// What the page says besides its verdict.
std::string rest_html(const PageContent& page) {
  const std::vector<std::string> answers = verdict_and_rest(page.answers);
  if (answers.size() < 2 && page.caveats.empty()) return {};
  std::string html = "<section id=\"also\">\n";
  if (answers.size() > 1) html += html_list({answers.begin() + 1, answers.end()});
  if (!page.caveats.empty()) html += "<div class=\"caveats\">\n" + html_list(page.caveats) + "</div>\n";
  return html + "</section>\n";
}

// The verdict alone: it is read before the chart that shows it.
std::string verdict_html(const PageContent& page) {
  std::string html;
  if (!page.answers.empty())
    html += "<p class=\"answer\">" + html_prose(verdict_and_rest(page.answers).front()) + "</p>\n";
  if (!page.unfinished.empty()) html += "<p class=\"unfinished\">" + html_prose(page.unfinished) + "</p>\n";
  return html;
}

std::string bundled_html() {
  std::string text;
  const Json bundle = Json::parse(assets::kBundle);
  for (const Json& file : bundle["files"])
    text += fmt::format("{}{} {} ({}, SHA-256 <code>{}</code>)", text.empty() ? "" : "; ", file["package"].text(),
                        file["version"].text(), file["license"].text(), file["sha256"].text());
  return text;
}

// RFC 4648.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += at + i <= bytes.size() ? kDigits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

// A page loads nothing and runs nothing but its own four scripts, whatever has got into it. Vega writes styles where
// they apply; a chart is saved by way of an image of its own.
std::string content_security_policy() {
  std::string scripts;
  for (std::size_t at = 0; at < assets::kScriptHashes.size(); at += 64) {
    std::string digest;
    for (std::size_t i = 0; i < 64; i += 2)
      digest += static_cast<char>(std::stoi(std::string(assets::kScriptHashes.substr(at + i, 2)), nullptr, 16));
    scripts += " 'sha256-" + base64(digest) + "'";
  }
  return "default-src 'none'; script-src" + scripts +
         "; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
}

// The template with its {{NAMES}} replaced. Inserted text is not searched for names.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string html;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at);
    html += page.substr(at, open - at);
    if (open == std::string_view::npos) return html;
    const std::size_t close = page.find("}}", open);
    html += values.at(page.substr(open + 2, close - open - 2));
    at = close + 2;
  }
}

}  // namespace

std::string DrawnChart::id() const {
  return part_number == 0 ? std::string(chart->name) : fmt::format("{}_{}", chart->name, part_number);
}

std::vector<std::string> verdict_and_rest(const std::vector<std::string>& answers) {
  std::vector<std::string> all = answers;
  if (all.empty()) return all;
  const std::size_t end = all.front().find(". ");
  if (end == std::string::npos) return all;
  const std::string rest = all.front().substr(end + 2);
  all.front().resize(end + 1);
  all.insert(all.begin() + 1, rest);
  return all;
}

std::vector<SpecFile> spec_files(const PageContent& page) {
  std::vector<SpecFile> files;
  const Json light = Json::parse(assets::kThemes)["light"];
  for (const DrawnChart& one : page.drawn) {
    Json spec = vega::with_colors(one.figure.spec, light);
    spec["title"] = one.chart->title;
    spec["config"] = light;
    files.push_back({one.id() + ".vl.json", spec.dump(1) + "\n"});
  }
  return files;
}

std::string page_html(const PageContent& page) {
  std::string figures;
  const std::unordered_set<std::string> answers(page.answers.begin(), page.answers.end());
  for (const DrawnChart& one : page.drawn) {
    figures += figure_html(one, answers);
    if (&one == &page.drawn.front()) figures += rest_html(page);
  }
  if (page.drawn.empty()) figures = rest_html(page);
  return filled(assets::kPage, {{"POLICY", content_security_policy()},
                                {"TITLE", html_text(page.title)},
                                {"QUESTION", html_prose(page.question)},
                                {"VERDICT", verdict_html(page)},
                                {"FIGURES", figures},
                                {"POINTS_TITLE", html_text(page.points_title)},
                                {"POINTS", page.points},
                                {"PROVENANCE", page.provenance},
                                {"REFERENCES", references_html(figures)},
                                {"BUNDLED", bundled_html()},
                                {"LICENSES", html_text(assets::kLicenses)},
                                {"STYLE", std::string(assets::kStyle)},
                                {"THEMES", json_in_script(Json::parse(assets::kThemes))},
                                {"SPECS", specs_in_script(page.drawn)},
                                {"VEGA", std::string(assets::kVega)},
                                {"VEGA_LITE", std::string(assets::kVegaLite)},
                                {"VEGA_EMBED", std::string(assets::kVegaEmbed)},
                                {"SCRIPT", std::string(assets::kScript)}});
}

}  // namespace orderlab
