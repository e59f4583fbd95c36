// MPI_Reduce and MPI_Allreduce of each number of ranks and elements.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

/// The orders that an MPI library may choose.
enum class MpiOrder { linear, chain, binary, binomial, in_order, recursive_doubling, rabenseifner, ring };

/// A sum over ranks: what an algorithm is chosen by.
struct MpiMessage {
  std::size_t ranks = 2;
  std::size_t count = 1;  ///< elements
  std::size_t bytes = 8;  ///< of all
  std::size_t root = 0;   ///< of MPI_Reduce

  /// Whether there is an element for each rank of the largest power of two.
  bool fills_power_of_two() const;
};

using MpiChoice = MpiOrder (*)(const MpiMessage& message);

/// What a library does: of itself, or told to by arguments of mpirun or by the environment.
struct MpiAlgorithm {
  std::string label = {};  ///< "algorithm 4"; empty: the library's choice
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = {};
  MpiChoice reduce = nullptr;  ///< null: not run
  MpiChoice allreduce = nullptr;
};

/// A process for each number of ranks, up to `most_ranks` unless all is asked for, root and algorithm. `launcher`: the
/// words before -np.
std::vector<RuntimeSetting> mpi_settings(const RuntimeScope& scope, std::size_t most_ranks,
                                         const std::vector<std::string>& launcher, const MpiAlgorithm& chosen,
                                         const std::vector<MpiAlgorithm>& forced);

}  // namespace orderlab
