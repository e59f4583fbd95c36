// What MPFR keeps for each thread.
#pragma once

namespace orderlab {

/// Makes the calling thread give back MPFR's caches and pools when it ends. Call before MPFR is used.
void free_mpfr_cache_at_thread_exit();

}  // namespace orderlab
