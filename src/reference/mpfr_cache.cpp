#include "reference/mpfr_cache.hpp"

#include <mpfr.h>

#include "core/arithmetic_guard.hpp"

namespace orderlab {

void free_mpfr_cache_at_thread_exit() {
  struct Cache {
    bool used = false;
    ~Cache() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local Cache cache;
  cache.used = true;  // makes the thread construct it
}

}  // namespace orderlab
