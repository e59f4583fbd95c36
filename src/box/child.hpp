// The process of a box: started, waited for until a deadline, and killed with all that it started.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "box/descriptor.hpp"
#include "box/keeper.hpp"

namespace orderlab {

/// Until when to wait, and what ends it before.
struct Deadline {
  std::chrono::steady_clock::time_point time;
  std::stop_token stop = {};
};

/// A child process. It dies with the object, and with this process, and so does all that it started.
class Child {
 public:
  explicit Child(const ChildSetup& setup);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Wake { ready, exited, late, stopped };

  /// Waits until one of `files` is ready, else the child has exited, else it is too late or to stop. Reads its
  /// standard error meanwhile.
  ///
  /// Errors: unsupported where the child could not be started.
  Wake wait(std::span<pollfd> files, const Deadline& deadline);

  /// Whether a child that has exited did so with status 0.
  bool succeeded() const;

  /// How a child has ended: "crashed (SIGSEGV)" or "exited with status 3", `where`, and the last line of its
  /// standard error after a colon.
  std::string ending(const std::string& where);

 private:
  bool has_exited() const;
  void require_start() const;
  void signal(int number) const;
  void read_errors();

  struct Unmap {
    void operator()(KeeperNotes* notes) const;
  };
  std::string program_;
  std::unique_ptr<KeeperNotes, Unmap> notes_;
  pid_t keeper_ = -1;
  Descriptor exit_;  // readable once the keeper has exited; none before Linux 5.3
  Descriptor errors_;
  std::string last_errors_;
};

}  // namespace orderlab
