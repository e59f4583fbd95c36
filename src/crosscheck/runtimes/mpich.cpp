// MPICH: its algorithms, and which one it chooses. Source: MPICH 4.0, coll/mpir/generic.json.
#include "crosscheck/runtimes/mpi_cases.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kMpichBuilds[] = {{"mpicxx.mpich", "mpirun.mpich"}, {"mpicxx", "mpirun"}};

MpiOrder mpich_rabenseifner(const MpiMessage& m) {
  return m.fills_power_of_two() ? MpiOrder::rabenseifner : MpiOrder::binomial;
}

MpiOrder mpich_reduce(const MpiMessage& m) {
  constexpr std::size_t kShortBytes = 2048;
  return m.bytes > kShortBytes ? mpich_rabenseifner(m) : MpiOrder::binomial;
}

// And by reduce-scatter and allgather for long messages, which has the same bits.
MpiOrder mpich_allreduce(const MpiMessage&) { return MpiOrder::recursive_doubling; }

MpiAlgorithm mpich_forced(const std::string& collective, const std::string& name, MpiChoice choice) {
  MpiAlgorithm algorithm;
  algorithm.label = name;
  algorithm.environment = {"MPIR_CVAR_DEVICE_COLLECTIVES=none", "MPIR_CVAR_COLLECTIVE_FALLBACK=silent",
                           "MPIR_CVAR_" + collective + "_INTRA_ALGORITHM=" + name};
  (collective == "REDUCE" ? algorithm.reduce : algorithm.allreduce) = choice;
  return algorithm;
}

std::vector<RuntimeSetting> mpich_settings(const RuntimeScope& scope, const RuntimeBuild& build) {
  constexpr MpiChoice kBinomial = [](const MpiMessage&) { return MpiOrder::binomial; };
  const std::vector<MpiAlgorithm> forced{
      mpich_forced("REDUCE", "binomial", kBinomial),
      mpich_forced("REDUCE", "reduce_scatter_gather", mpich_rabenseifner),
      mpich_forced("ALLREDUCE", "recursive_doubling", mpich_allreduce),
      mpich_forced("ALLREDUCE", "reduce_scatter_allgather", mpich_allreduce),
  };
  constexpr std::size_t kMostRanks = 8;  // they wait actively: more of them than cores take long
  return mpi_settings(scope, kMostRanks, {build.launcher}, {{}, {}, {}, mpich_reduce, mpich_allreduce}, forced);
}

}  // namespace

extern const Runtime kMpich;
const Runtime kMpich{
    .name = "MPICH",
    .device = "mpi",
    .packages = "g++ mpich libmpich-dev",
    .source = "mpi",
    .builds = kMpichBuilds,
    .flags = {},
    .version = "MPICH",
    .settings = mpich_settings,
};

}  // namespace orderlab
