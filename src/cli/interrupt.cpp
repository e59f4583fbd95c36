#include "cli/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "core/float_environment.hpp"

namespace orderlab::cli {

InterruptGuard::InterruptGuard() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error, as a full disk is
  waiter_ = std::jthread([this](const std::stop_token& done) {
    const FloatEnvironment environment;
    while (!done.stop_requested()) {
      int signal = 0;
      if (sigwait(&signals_, &signal) != 0 || done.stop_requested()) continue;
      if (source_.stop_requested() || !stoppable_) _exit(kInterrupted);
      source_.request_stop();
    }
  });
}

InterruptGuard::~InterruptGuard() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGTERM);  // wakes it
}

}  // namespace orderlab::cli
