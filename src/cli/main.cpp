// main(): the terminal, Ctrl-C, and nothing else.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"

namespace {

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) >= 40)
    return std::atoi(columns);
  return 80;
}

}  // namespace

int main(int argc, char** argv) {
  orderlab::cli::InterruptGuard interrupt;
  orderlab::cli::Session session{
      std::cout,        std::cerr,         isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0,
      terminal_width(), interrupt.token(), &interrupt.stoppable()};
  const int status = orderlab::cli::run_program({argv + 1, argv + argc}, session);
  std::cout.flush();
  if (std::cout) return status;
  std::cerr << "orderlab: standard output cannot be written\n";
  return orderlab::cli::kFailed;
}
