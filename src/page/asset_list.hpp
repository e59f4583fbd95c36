// The files that a page is made of, embedded in the program: nothing is looked for at run time.
#pragma once

#include <string_view>

namespace orderlab::assets {

extern const std::string_view kPage;        ///< assets/page.html, with {{NAMES}} for what to_html fills in
extern const std::string_view kStyle;       ///< assets/page.css
extern const std::string_view kScript;      ///< assets/page.js
extern const std::string_view kThemes;      ///< assets/themes.json: a Vega-Lite config for light and one for dark
extern const std::string_view kBundle;      ///< assets/vega/bundle.json: versions and hashes of what is bundled
extern const std::string_view kLicenses;    ///< assets/vega/LICENSES.txt
extern const std::string_view kReferences;  ///< src/docs/references.md, one "- [Key] text" a line
extern const std::string_view kVega;        ///< assets/vega/vega.min.js
extern const std::string_view kVegaLite;
extern const std::string_view kVegaEmbed;
extern const std::string_view kScriptHashes;  ///< SHA-256 of the four scripts, 64 hexadecimal digits each

}  // namespace orderlab::assets
