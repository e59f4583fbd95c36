#include "cli/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string_view>

#include "cli/command.hpp"
#include "core/float_environment.hpp"

namespace orderlab::cli {

namespace {

/// What was being written is there as a whole or not at all, and stores stay consistent: TemporaryFile, SQLite.
[[noreturn]] void end_program(Phase phase) {
  constexpr std::string_view kNothing = "orderlab: interrupted before there was anything to report\n";
  constexpr std::string_view kWork = "orderlab: interrupted; no report was written\n";
  constexpr std::string_view kReport = "orderlab: interrupted while the report was written\n";
  const std::string_view line = phase == Phase::preparing ? kNothing : phase == Phase::working ? kWork : kReport;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  _exit(kInterrupted);
}

bool reports(Phase phase) { return phase == Phase::reporting || phase == Phase::replacing; }

}  // namespace

InterruptGuard::InterruptGuard() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error, as a full disk is
  waiter_ = std::jthread([this](const std::stop_token& done) { wait(done); });
}

InterruptGuard::~InterruptGuard() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGTERM);  // wakes it
}

/// 0 where none came; after the first it waits no longer than kReportWithin.
int InterruptGuard::next_signal() const {
  using namespace std::chrono;
  constexpr timespec kLimit{duration_cast<seconds>(kReportWithin).count(),
                            nanoseconds(kReportWithin % seconds(1)).count()};
  const int signal = source_.stop_requested() ? sigtimedwait(&signals_, nullptr, &kLimit)  //
                                              : sigwaitinfo(&signals_, nullptr);
  return signal > 0 ? signal : 0;
}

void InterruptGuard::wait(const std::stop_token& done) {
  using Clock = std::chrono::steady_clock;
  const FloatEnvironment environment;
  Clock::time_point first{};
  while (!done.stop_requested()) {
    const bool stopping = source_.stop_requested();
    const int signal = next_signal();
    const bool late = signal == 0 && stopping && errno == EAGAIN;
    const Phase phase = phase_;
    if (done.stop_requested()) return;
    if (late) {
      if (!reports(phase)) end_program(phase);
    } else if (signal == 0) {
      continue;
    } else if (stopping && Clock::now() - first < kOneInterrupt) {
      continue;
    } else if (stopping || phase == Phase::preparing || phase == Phase::reporting) {
      end_program(phase);
    } else {
      first = Clock::now();
      source_.request_stop();
    }
  }
}

}  // namespace orderlab::cli
