// Ctrl-C as a stop token.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace orderlab::cli {

/// While it lives, SIGINT and SIGTERM request a stop; a second one ends the program at once. Make it before any other
/// thread, so that all inherit the blocked signals.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t signals_;
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace orderlab::cli
