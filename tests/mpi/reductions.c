/* Sums over the ranks of MPI, and their bits: each count of elements on a communicator of its own, several calls of
   MPI_Reduce and of MPI_Allreduce.

   usage: reductions FILE CALLS ROOT COUNT...

   FILE gets doubles: of each count, the sums of each call of MPI_Reduce, then of each call of MPI_Allreduce. Element e
   of rank r is term number r * 2^32 + e. Exit status 3 where ranks have other bits than rank 0 after MPI_Allreduce. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of either sign, with exponents over 41 binades; compare_reductions.py has the same. */
static double term(uint64_t number) {
  uint64_t z = (number + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return ldexp((double)(int64_t)z, (int)(z % 41) - 83);
}

static int differ(const double* x, int count, int rank, MPI_Comm comm) {
  double* of_rank_0 = malloc(sizeof(double) * (size_t)count);
  memcpy(of_rank_0, x, sizeof(double) * (size_t)count);
  MPI_Bcast(of_rank_0, count, MPI_DOUBLE, 0, comm);
  const int mine = rank > 0 && memcmp(of_rank_0, x, sizeof(double) * (size_t)count) != 0;
  free(of_rank_0);
  return mine;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, different = 0, any = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int calls = atoi(argv[2]), root = atoi(argv[3]);
  FILE* file = rank == 0 ? fopen(argv[1], "wb") : NULL;
  for (int a = 4; a < argc; ++a) {
    const int count = atoi(argv[a]);
    double* terms = malloc(sizeof(double) * (size_t)count);
    double* sums = malloc(sizeof(double) * (size_t)count);
    for (int e = 0; e < count; ++e) terms[e] = term(((uint64_t)rank << 32) + (uint64_t)e);
    for (int all = 0; all < 2; ++all) {
      MPI_Comm comm;
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      for (int call = 0; call < calls; ++call) {
        if (all) {
          MPI_Allreduce(terms, sums, count, MPI_DOUBLE, MPI_SUM, comm);
          different += differ(sums, count, rank, MPI_COMM_WORLD);
        } else {
          MPI_Reduce(terms, sums, count, MPI_DOUBLE, MPI_SUM, root, comm);
          if (root != 0 && rank == root) MPI_Send(sums, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
          if (root != 0 && rank == 0) MPI_Recv(sums, count, MPI_DOUBLE, root, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank == 0) fwrite(sums, sizeof(double), (size_t)count, file);
      }
      MPI_Comm_free(&comm);
    }
    free(terms);
    free(sums);
  }
  if (file) fclose(file);
  MPI_Allreduce(&different, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return any > 0 ? 3 : 0;
}
