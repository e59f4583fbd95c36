#include "crosscheck/runtimes/program_sources.hpp"

#include <cassert>

#ifndef ORDERLAB_RUNTIME_PROGRAMS
#error "ORDERLAB_RUNTIME_PROGRAMS: the folder of the programs, from the build file"
#endif

// Each file with a 0 behind it, kept out of what a shared library exports.
#define ORDERLAB_EMBED(variable, symbol, file)                                              \
  __asm__(".pushsection .rodata\n.global " symbol "\n.hidden " symbol "\n" symbol           \
          ":\n.incbin \"" ORDERLAB_RUNTIME_PROGRAMS "/" file "\"\n.byte 0\n.popsection\n"); \
  extern "C" __attribute__((visibility("hidden"))) const char variable[] __asm__(symbol)

ORDERLAB_EMBED(kJobsHeader, "orderlab_program_jobs", "jobs.hh");
ORDERLAB_EMBED(kOpenMpProgram, "orderlab_program_openmp", "openmp.cc");
ORDERLAB_EMBED(kMpiProgram, "orderlab_program_mpi", "mpi.cc");
ORDERLAB_EMBED(kTbbProgram, "orderlab_program_tbb", "tbb.cc");
ORDERLAB_EMBED(kBlasProgram, "orderlab_program_blas", "blas.cc");

namespace orderlab {

std::string_view jobs_header() { return kJobsHeader; }

std::string_view program_source(std::string_view name) {
  if (name == "openmp") return kOpenMpProgram;
  if (name == "mpi") return kMpiProgram;
  if (name == "tbb") return kTbbProgram;
  assert(name == "blas");
  return kBlasProgram;
}

}  // namespace orderlab
