/* Sums by OpenMP threads, and their bits.

   usage: reductions FILE THREADS CALLS

   FILE has the terms, as doubles. Prints the bits of each call's sum. Exit status 3 where there are fewer threads. */
#include <inttypes.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int threads = atoi(argv[2]), calls = atoi(argv[3]);
  FILE* file = fopen(argv[1], "rb");
  if (file == NULL) return 2;
  double* x = malloc(sizeof(double) * 1000000);
  const long n = (long)fread(x, sizeof(double), 1000000, file);
  fclose(file);
  for (int call = 0; call < calls; ++call) {
    double s = 0;
    int team = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp single nowait
      team = omp_get_num_threads();
#pragma omp for reduction(+ : s) schedule(static)
      for (long i = 0; i < n; ++i) s += x[i];
    }
    if (team != threads) return 3;
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    printf("0x%016" PRIx64 "\n", bits);
  }
  free(x);
  return 0;
}
