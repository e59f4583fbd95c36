// Builds without libdw: nothing is known of a module's variables and lines.
#include "simt/symbols.hpp"

namespace orderlab::simt {

const VariableTable* thread_local_variables(const LoadedModule&) { return nullptr; }
const VariableTable* global_variables(const LoadedModule&) { return nullptr; }
std::string source_line(const void*) { return {}; }

}  // namespace orderlab::simt
