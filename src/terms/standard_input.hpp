// Standard input as a stream buffer; the global std::cin belongs to the program, not to the library.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <ios>
#include <streambuf>
#include <system_error>
#include <vector>

#include "orderlab/error.hpp"

namespace orderlab {

/// Reads file descriptor 0 to its end. Error(input) if reading fails.
class StandardInput : public std::streambuf {
 protected:
  int_type underflow() override {
    ssize_t got = 0;
    do got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
    while (got < 0 && errno == EINTR);
    if (got < 0)
      throw Error(ErrorKind::input, "standard input: cannot be read: " + std::generic_category().message(errno));
    if (got == 0) return traits_type::eof();
    setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
    return traits_type::to_int_type(buffer_.front());
  }

 private:
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
};

}  // namespace orderlab
