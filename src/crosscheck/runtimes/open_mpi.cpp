// Open MPI: its algorithms, and which one it chooses. Source: Open MPI 4.1, coll_tuned_decision_fixed.c, operations
// that commute, up to 31 ranks.
#include "crosscheck/runtimes/mpi_cases.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kOpenMpiBuilds[] = {{"mpicxx.openmpi", "mpirun.openmpi"}, {"mpicxx", "mpirun"}};

/// Messages of fewer bytes than `end` are added in `order`.
struct OpenMpiRange {
  std::size_t end;
  MpiOrder order;
};

MpiOrder first_below(std::size_t bytes, std::initializer_list<OpenMpiRange> ranges, MpiOrder otherwise) {
  for (const OpenMpiRange& range : ranges)
    if (bytes < range.end) return range.order;
  return otherwise;
}

MpiOrder open_mpi_reduce(const MpiMessage& m) {
  using enum MpiOrder;
  if (m.ranks < 4) return first_below(m.bytes, {{8, linear}, {16, binary}, {32, chain}, {262144, linear}}, chain);
  if (m.ranks < 8)
    return first_below(
        m.bytes, {{4096, binary}, {65536, chain}, {262144, binomial}, {524288, linear}, {1048576, binomial}}, linear);
  if (m.ranks < 16) return first_below(m.bytes, {{8192, binary}}, binomial);
  if (m.ranks < 32) return first_below(m.bytes, {{4096, binary}}, binomial);
  return binomial;
}

MpiOrder open_mpi_ring(const MpiMessage& m) {
  return m.count >= m.ranks ? MpiOrder::ring : MpiOrder::recursive_doubling;
}

MpiOrder open_mpi_rabenseifner(const MpiMessage& m) {
  return m.fills_power_of_two() ? MpiOrder::rabenseifner : MpiOrder::linear;
}

MpiOrder open_mpi_allreduce(const MpiMessage& m) {
  constexpr MpiOrder kDoubling = MpiOrder::recursive_doubling;
  const MpiOrder ring = open_mpi_ring(m);
  const MpiOrder rabenseifner = open_mpi_rabenseifner(m);
  if (m.ranks < 4)
    return first_below(m.bytes, {{8, ring}, {4096, kDoubling}, {8192, ring}, {16384, kDoubling}, {262144, ring}},
                       rabenseifner);
  if (m.ranks < 8) return first_below(m.bytes, {{16, ring}, {8192, kDoubling}}, rabenseifner);
  if (m.ranks < 16) return first_below(m.bytes, {{8192, kDoubling}}, rabenseifner);
  return first_below(m.bytes, {{64, ring}, {4096, kDoubling}}, rabenseifner);
}

MpiAlgorithm open_mpi_forced(const std::string& collective, int number, MpiChoice choice) {
  MpiAlgorithm algorithm;
  algorithm.label = "algorithm " + std::to_string(number);
  algorithm.arguments = {"--mca",
                         "coll_tuned_use_dynamic_rules",
                         "1",
                         "--mca",
                         "coll_tuned_" + collective + "_algorithm",
                         std::to_string(number),
                         "--mca",
                         "coll_tuned_reduce_algorithm_chain_fanout",
                         "1"};
  (collective == "reduce" ? algorithm.reduce : algorithm.allreduce) = choice;
  return algorithm;
}

std::vector<RuntimeSetting> open_mpi_settings(const RuntimeScope& scope, const RuntimeBuild& build) {
  constexpr MpiChoice kLinear = [](const MpiMessage&) { return MpiOrder::linear; };
  constexpr MpiChoice kChain = [](const MpiMessage&) { return MpiOrder::chain; };
  constexpr MpiChoice kBinary = [](const MpiMessage&) { return MpiOrder::binary; };
  constexpr MpiChoice kBinomial = [](const MpiMessage&) { return MpiOrder::binomial; };
  constexpr MpiChoice kInOrder = [](const MpiMessage&) { return MpiOrder::in_order; };
  constexpr MpiChoice kDoubling = [](const MpiMessage&) { return MpiOrder::recursive_doubling; };
  const std::vector<MpiAlgorithm> forced{
      open_mpi_forced("reduce", 1, kLinear),
      open_mpi_forced("reduce", 2, kChain),
      open_mpi_forced("reduce", 3, kChain),
      open_mpi_forced("reduce", 4, kBinary),
      open_mpi_forced("reduce", 5, kBinomial),
      open_mpi_forced("reduce", 6, kInOrder),
      open_mpi_forced("reduce", 7, open_mpi_rabenseifner),
      open_mpi_forced("allreduce", 1, kLinear),
      open_mpi_forced("allreduce", 3, kDoubling),
      open_mpi_forced("allreduce", 4, open_mpi_ring),
      open_mpi_forced("allreduce", 5, open_mpi_ring),
      open_mpi_forced("allreduce", 6, open_mpi_rabenseifner),
  };
  // More ranks than cores, and root, are refused without these.
  return mpi_settings(scope, 17, {build.launcher, "--allow-run-as-root", "--oversubscribe"},
                      {{}, {}, {}, open_mpi_reduce, open_mpi_allreduce}, forced);
}

}  // namespace

extern const Runtime kOpenMpi;
const Runtime kOpenMpi{
    .name = "Open MPI",
    .device = "mpi",
    .packages = "g++ openmpi-bin libopenmpi-dev",
    .source = "mpi",
    .builds = kOpenMpiBuilds,
    .flags = {},
    .version = "Open MPI",
    .settings = open_mpi_settings,
};

}  // namespace orderlab
