// Ctrl-C as a stop token.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace orderlab::cli {

/// While it lives, SIGINT and SIGTERM request a stop if work that can stop is under way; otherwise, or a second time,
/// they end the program at once. Make it before any other thread, so that all inherit the blocked signals.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  std::atomic<bool>& stoppable() { return stoppable_; }

 private:
  sigset_t signals_;
  std::stop_source source_;
  std::atomic<bool> stoppable_ = false;
  std::jthread waiter_;
};

}  // namespace orderlab::cli
