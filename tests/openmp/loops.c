/* Sums by the threads of OpenMP loops, and their bits; what each is for compare_loops.py says. SCHEDULE, T and what the
   loop does are given when it is compiled.

   usage: loops FILE THREADS CALLS

   FILE has the terms, of type T. Prints the bits of each call's sum. Exit status 3 where there are fewer threads. */
#include <inttypes.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef T
#define T double
#endif
#ifndef SCHEDULE
#define SCHEDULE static
#endif
enum { MOST = 1 << 20 };

#if defined SIMD
#define LOOP _Pragma("omp parallel for simd reduction(+ : s) schedule(SCHEDULE) num_threads(threads)")
#elif defined RACE /* no reduction clause: updates are lost */
#define LOOP _Pragma("omp parallel for schedule(SCHEDULE) num_threads(threads)")
#else
#define LOOP _Pragma("omp parallel for reduction(+ : s) schedule(SCHEDULE) num_threads(threads)")
#endif

__attribute__((noinline)) static T total(const T* x, long n, int threads) {
  T s = 0;
#if defined LOST_CHUNK /* the last thread's chunk is left out */
  n -= n / threads;
#elif defined LOST_TERM
  n -= 1;
#endif
#if defined UNSYNCHRONISED /* each thread stores a sum that it may have read too early */
  volatile T shared = 0;
#pragma omp parallel num_threads(threads)
  {
    T own = 0;
#pragma omp for schedule(SCHEDULE) nowait
    for (long i = 0; i < n; ++i) own += x[i];
    const T before = shared;
#pragma omp barrier
    shared = before + own;
  }
  s = shared;
#elif defined NARROW /* sums of threads in fp32 */
  float narrow = 0;
#pragma omp parallel for reduction(+ : narrow) schedule(SCHEDULE) num_threads(threads)
  for (long i = 0; i < n; ++i) narrow += (float)x[i];
  s = narrow;
#else
  LOOP
  for (long i = 0; i < n; ++i) s += x[i];
#endif
#if defined TWICE /* the first term once more */
  s += x[0];
#endif
  return s;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int threads = atoi(argv[2]), calls = atoi(argv[3]);
  FILE* file = fopen(argv[1], "rb");
  if (file == NULL) return 2;
  T* x = malloc(sizeof(T) * MOST);
  const long n = (long)fread(x, sizeof(T), MOST, file);
  fclose(file);
  int team = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
  team = omp_get_num_threads();
  if (team != threads) return 3;
  for (int call = 0; call < calls; ++call) {
    const T s = total(x, n, threads);
    uint64_t bits = 0;
    memcpy(&bits, &s, sizeof s);
    printf("bits:0x%0*" PRIx64 "\n", (int)(2 * sizeof s), bits);
  }
  free(x);
  return 0;
}
