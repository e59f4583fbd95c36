// Embeds the files of assets/ with the assembler; the build file names them as dependencies of this one.
#include "page/asset_list.hpp"

#ifndef ORDERLAB_PAGE_ASSETS
#error "ORDERLAB_PAGE_ASSETS: the folder with the assets, from the build file"
#endif
#ifndef ORDERLAB_PAGE_REFERENCES
#error "ORDERLAB_PAGE_REFERENCES: a file with the references of src/docs, from the build file"
#endif
#ifndef ORDERLAB_PAGE_SCRIPT_HASHES
#error "ORDERLAB_PAGE_SCRIPT_HASHES: SHA-256 of the scripts, from the build file"
#endif

// One line a file: its bytes between two symbols, kept out of what a shared library exports.
#define ORDERLAB_EMBED(name, file) ORDERLAB_EMBED_PATH(name, ORDERLAB_PAGE_ASSETS "/" file)
#define ORDERLAB_EMBED_PATH(name, path)                                                                                \
  __asm__(                                                                                                             \
      ".pushsection .rodata\n"                                                                                         \
      ".balign 16\n"                                                                                                   \
      ".global orderlab_asset_" #name "\n.hidden orderlab_asset_" #name "\norderlab_asset_" #name ":\n.incbin \"" path \
      "\"\n"                                                                                                           \
      ".global orderlab_asset_" #name "_end\n.hidden orderlab_asset_" #name                                            \
      "_end"                                                                                                           \
      "\norderlab_asset_" #name                                                                                        \
      "_end:\n"                                                                                                        \
      ".popsection\n");                                                                                                \
  extern "C" __attribute__((visibility("hidden"))) const char orderlab_asset_##name[];                                 \
  extern "C" __attribute__((visibility("hidden"))) const char orderlab_asset_##name##_end[];                           \
  const std::string_view orderlab::assets::name(orderlab_asset_##name, orderlab_asset_##name##_end);

ORDERLAB_EMBED(kPage, "page.html")
ORDERLAB_EMBED(kStyle, "page.css")
ORDERLAB_EMBED(kScript, "page.js")
ORDERLAB_EMBED(kThemes, "themes.json")
ORDERLAB_EMBED(kBundle, "vega/bundle.json")
ORDERLAB_EMBED(kLicenses, "vega/LICENSES.txt")
ORDERLAB_EMBED_PATH(kReferences, ORDERLAB_PAGE_REFERENCES)
ORDERLAB_EMBED(kVega, "vega/vega.min.js")
ORDERLAB_EMBED(kVegaLite, "vega/vega-lite.min.js")
ORDERLAB_EMBED(kVegaEmbed, "vega/vega-embed.min.js")

const std::string_view orderlab::assets::kScriptHashes(ORDERLAB_PAGE_SCRIPT_HASHES);
