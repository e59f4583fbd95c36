// The process of a box: started, waited for until a deadline, and killed with every process of its group.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "box/descriptor.hpp"

namespace orderlab {

/// Until when to wait, and what ends it before.
struct Deadline {
  std::chrono::steady_clock::time_point time;
  std::stop_token stop = {};
};

/// What a child is to do.
struct ChildSetup {
  std::vector<std::string> arguments;            ///< of a program; the first is its path
  std::function<void()> call;                    ///< without a program: what is called in the child
  std::array<int, 5> files{-1, -1, -1, -1, -1};  ///< its descriptors 0 to 4; -1: nothing. 2 is always the child's
  std::size_t threads = 0;                       ///< OMP_NUM_THREADS; 0: as the environment has it
};

/// A child process in a process group of its own. It and the group die with the object, and with this
/// process.
class Child {
 public:
  explicit Child(const ChildSetup& setup);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Wake { ready, exited, late, stopped };

  /// Waits until one of `files` is ready, else the child has exited, else it is too late or to stop. Reads its
  /// standard error meanwhile.
  Wake wait(std::span<pollfd> files, const Deadline& deadline);

  /// Of a child that has exited: whether with status 0.
  bool succeeded() const;

  /// Of a child that has exited: "crashed (SIGSEGV)" or "exited with status 3", and the last line of its standard
  /// error after a colon.
  std::string ending();

 private:
  [[noreturn]] void become(const ChildSetup& setup, std::span<char* const> arguments, char** environment, pid_t parent,
                           int errors) const;
  bool has_exited() const;
  void read_errors();

  pid_t process_ = -1;
  Descriptor exit_;  // readable once the child has exited; none before Linux 5.3
  Descriptor errors_;
  std::string last_errors_;
};

}  // namespace orderlab
