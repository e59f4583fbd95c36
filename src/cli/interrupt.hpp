// Ctrl-C as a stop token.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

#include "cli/command.hpp"

namespace orderlab::cli {

/// So long after an interrupt a command may take to come to its report; then the program ends without one.
inline constexpr std::chrono::milliseconds kReportWithin{600};

/// Signals that come closer together are one interrupt: timeout(1) sends its own to a process and to its group.
inline constexpr std::chrono::milliseconds kOneInterrupt{10};

/// While it lives, SIGINT and SIGTERM do what the command's phase says, and a second time they end the program at once.
/// Make it before any other thread, so that all inherit the blocked signals.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  std::atomic<Phase>& phase() { return phase_; }

 private:
  void wait(const std::stop_token& done);
  int next_signal() const;

  sigset_t signals_;
  std::stop_source source_;
  std::atomic<Phase> phase_ = Phase::preparing;
  std::jthread waiter_;
};

}  // namespace orderlab::cli
