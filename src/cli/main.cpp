// main(): the terminal, Ctrl-C, the end of memory where nothing can be thrown, and nothing else.
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
#include "core/printable.hpp"

namespace {

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
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
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
