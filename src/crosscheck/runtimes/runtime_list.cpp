// The runtimes, one line each.
#include <array>

#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

extern const Runtime kLibgomp;
extern const Runtime kLibomp;
extern const Runtime kOneTbb;
extern const Runtime kOpenMpi;
extern const Runtime kMpich;
extern const Runtime kOpenBlas;

std::span<const Runtime* const> runtimes() {
  static constexpr std::array kRuntimes{
      &kLibgomp,  //
      &kLibomp,   //
      &kOneTbb,   //
      &kOpenMpi,  //
      &kMpich,    //
      &kOpenBlas,
  };
  return kRuntimes;
}

}  // namespace orderlab
