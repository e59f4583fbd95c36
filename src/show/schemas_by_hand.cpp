#include "show/schemas_by_hand.hpp"

#ifndef ORDERLAB_SCHEMAS_BY_HAND
#error "ORDERLAB_SCHEMAS_BY_HAND: the folder show/schemas, from the build file"
#endif

// A file with a 0 behind it, kept out of what a shared library exports.
#define ORDERLAB_SCHEMA(symbol, file)                                                \
  __asm__(".pushsection .rodata\n.global " #symbol "\n.hidden " #symbol "\n" #symbol \
          ":\n.incbin \"" ORDERLAB_SCHEMAS_BY_HAND "/" file "\"\n.byte 0\n.popsection\n")
ORDERLAB_SCHEMA(orderlab_schema_export, "export.json");
ORDERLAB_SCHEMA(orderlab_schema_shared, "shared.json");
extern "C" __attribute__((visibility("hidden"))) const char kSchemaOfExport[] __asm__("orderlab_schema_export");
extern "C" __attribute__((visibility("hidden"))) const char kSharedSchema[] __asm__("orderlab_schema_shared");

namespace orderlab {

std::span<const SchemaByHand> schemas_by_hand() {
  static const SchemaByHand kSchemas[] = {{"export.json", kSchemaOfExport}, {"shared.json", kSharedSchema}};
  return kSchemas;
}

}  // namespace orderlab
