#include "page/html_text.hpp"

#include <algorithm>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace orderlab {

namespace {

// Characters that HTML has no way to write, or that would act upon what stands around them.
std::string without_controls(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const bool control = control_length(text) > 0 && text.front() != '\n' && text.front() != '\t';
    all += length == 0 || control ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return all;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : without_controls(text)) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string html_prose(std::string_view text) {
  std::string html = html_text(text);
  for (std::size_t open = html.find('`'); open != std::string::npos; open = html.find('`', open)) {
    const std::size_t close = html.find('`', open + 1);
    if (close == std::string::npos) break;
    html.replace(close, 1, "</code>");
    html.replace(open, 1, "<code>");
  }
  return html;
}

std::string html_list(const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string html = "<ul>\n";
  for (const std::string& item : items) html += "<li>" + html_prose(item) + "</li>\n";
  return html + "</ul>\n";
}

std::string html_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"scroll\"><table>\n";
  if (!columns.empty()) {
    html += "<thead><tr>";
    for (const std::string& column : columns) html += "<th>" + html_prose(column) + "</th>";
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const char* tag = columns.empty() && i == 0 ? "th" : "td";
      html += std::string("<") + tag + ">" + html_prose(row[i]) + "</" + tag + ">";
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

}  // namespace orderlab
