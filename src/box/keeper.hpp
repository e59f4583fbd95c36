// What runs between fork and the program of a box, and the process that keeps it: the keeper ends with the program, and
// ends all that the program started.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace orderlab {

/// What a child is to do.
struct ChildSetup {
  std::vector<std::string> arguments;            ///< arguments of a program; the first is its path
  std::function<void()> call;                    ///< without a program: what is called in the child
  std::array<int, 5> files{-1, -1, -1, -1, -1};  ///< its descriptors 0 to 4; -1: nothing. 2 is always the child's
  std::size_t threads = 0;                       ///< OMP_NUM_THREADS; 0: as the environment has it
};

/// What a keeper tells the process that made it, in memory that both see.
struct KeeperNotes {
  enum class Step { none, start, place, execute };

  std::atomic<Step> failed{Step::none};  ///< what could not be done before the program ran
  std::atomic<int> reason{0};            ///< and its errno
  std::atomic<pid_t> program{0};         ///< which leads a process group
  std::atomic<bool> group_ended{false};  ///< and that group was killed
};

/// What a keeper is made with. Everything is made before fork, after which other threads may hold any lock.
struct KeeperStart {
  const ChildSetup& setup;
  std::span<char* const> arguments;
  char** environment;
  pid_t parent;
  int errors;  ///< the program's standard error
  KeeperNotes& notes;
};

/// Signal to a keeper: end all.
inline constexpr int kEndAll = SIGTERM;

/// In a new process with all signals blocked: becomes the keeper of the program that it starts.
[[noreturn]] void become_keeper(const KeeperStart& start);

}  // namespace orderlab
