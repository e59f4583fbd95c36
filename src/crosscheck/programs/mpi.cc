// MPI_Reduce and MPI_Allreduce. Every job has a communicator of its own: a library may change its algorithm after a few
// calls. Rank r adds term r of each output.
#include <mpi.h>

#include <cstring>

#include "jobs.hh"

static MPI_Datatype type_of(double) { return MPI_DOUBLE; }
static MPI_Datatype type_of(float) { return MPI_FLOAT; }
static MPI_Comm comm = MPI_COMM_NULL;

template <class T>
static void add(const Job& job, const T* x, T* sums) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != job.workers || ranks != static_cast<int>(job.terms)) MPI_Abort(MPI_COMM_WORLD, 3);
  if (job.number == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int count = static_cast<int>(job.outputs), root = static_cast<int>(job.parameter);
  const MPI_Datatype type = type_of(T());
  std::vector<T> mine(job.outputs);
  for (std::size_t e = 0; e < job.outputs; ++e) mine[e] = x[e * job.terms + static_cast<std::size_t>(rank)];
  if (job.call == "MPI_Reduce") {
    MPI_Reduce(mine.data(), sums, count, type, MPI_SUM, root, comm);
    if (root != 0 && rank == root) MPI_Send(sums, count, type, 0, 0, MPI_COMM_WORLD);
    if (root != 0 && rank == 0) MPI_Recv(sums, count, type, root, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (job.call == "MPI_Allreduce") {
    MPI_Allreduce(mine.data(), sums, count, type, MPI_SUM, comm);
    std::vector<T> of_rank_0(sums, sums + count);
    MPI_Bcast(of_rank_0.data(), count, type, 0, MPI_COMM_WORLD);
    if (std::memcmp(of_rank_0.data(), sums, sizeof(T) * job.outputs) != 0) MPI_Abort(MPI_COMM_WORLD, 5);
  } else {
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
  if (job.last()) MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0, rank = 0;
  MPI_Get_library_version(version, &length);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int status = run_jobs(argv[1], version, rank == 0,
                              [](const Job& job, const auto* x, const auto*, auto* sums) { add(job, x, sums); });
  MPI_Finalize();
  return status;
}
