// Where a number comes from: program, compiler, processor.
#pragma once

#include <string>

namespace orderlab {

struct Provenance {
  std::string version;  ///< version of orderlab
  std::string flags;    ///< compiler and its flags
  std::string cpu;      ///< "unknown" where the system does not say
};

Provenance provenance();

}  // namespace orderlab
