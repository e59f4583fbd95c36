// main(): the terminal, Ctrl-C, the end of memory where nothing can be thrown, and nothing else.
#include <fcntl.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "core/float_environment.hpp"
#include "core/printable.hpp"

namespace {

// A standard stream that is closed stays unusable, and no file that is opened later takes its number.
void hold_closed_streams() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0) [[maybe_unused]]
      const int held = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// The first object that is made here, since initialisers of others compute.
[[gnu::init_priority(101)]] const orderlab::FloatEnvironment kEnvironment;

// Arrays of millions of terms come and go with every input that is drawn. Freed ones up to these sizes stay with the
// process: to be given new pages each time would take a quarter of the time.
void keep_freed_memory() {
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) >= 40)
    return std::atoi(columns);
  return 80;
}

// Memory may also end where no exception passes: before there is a Session, and in destructors that allocate. Nothing
// is half-written then, for outputs are moved into place at once. Anything else that comes here is a bug and aborts.
[[noreturn]] void end_without_memory() noexcept {
  const auto end = [](std::string_view line) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    _exit(orderlab::cli::kFailed);
  };
  if (std::current_exception() == nullptr) std::abort();
  try {
    throw;
  } catch (const std::bad_alloc&) {
    end("orderlab: out of memory; fewer terms or threads need less\n");
  } catch (const std::system_error&) {
    end("orderlab: no thread can be started; the limits of memory or processes are too low\n");
  } catch (const std::exception& error) {
    std::cerr << "orderlab: unexpected: " << orderlab::printable(error.what()) << "\n";
  } catch (...) {  // or it would be called again
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  hold_closed_streams();
  keep_freed_memory();
  std::set_terminate(end_without_memory);
  orderlab::cli::InterruptGuard interrupt;
  orderlab::cli::Session session{
      std::cout,        std::cerr,         isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0,
      terminal_width(), interrupt.token(), &interrupt.phase()};
  const int status = orderlab::cli::run_program({argv + 1, argv + argc}, session);
  std::cout.flush();
  if (std::cout) return status;
  std::cerr << "orderlab: standard output cannot be written\n";
  return orderlab::cli::kFailed;
}
