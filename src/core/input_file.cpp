#include "core/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr int kWriterPatienceMs = 5000;
constexpr int kLookMs = 50;  // between looks after a stop

/// Waits until a pipe has bytes, or has ended; false where that takes longer than `patience_ms`, if that is not 0.
bool wait_for_bytes(int file, int patience_ms) {
  pollfd writer{file, POLLIN, 0};
  for (int waited = 0; ::poll(&writer, 1, kLookMs) == 0; waited += kLookMs) {
    stop_point();
    if (patience_ms > 0 && waited >= patience_ms) return false;
  }
  return true;
}

std::string reason(int code) { return std::generic_category().message(code); }

// Why a file of this kind is none that can be read; null for one that can.
const char* wrong_kind(mode_t mode, Pipes pipes) {
  if (S_ISDIR(mode)) return "is a folder";
  if (S_ISREG(mode) || (S_ISFIFO(mode) && pipes == Pipes::read)) return nullptr;
  if (S_ISFIFO(mode)) return "is a pipe, not a file";
  return S_ISSOCK(mode) ? "is a socket, not a file" : "is a device, not a file";
}

}  // namespace

void InputStream::fail(const std::string& problem) const { throw Error(ErrorKind::input, name_ + ": " + problem); }

InputBytes::InputBytes(std::string name, std::string_view bytes) : InputStream(std::move(name), bytes.size()) {
  char* const first = const_cast<char*>(bytes.data());  // a stream buffer only reads what it was not given to write
  setg(first, first, first + bytes.size());
}

// Not blocking, so that opening a named pipe does not wait for a writer that never comes.
InputFile::InputFile(const std::string& path, std::string_view remedy, Pipes pipes)
    : InputStream(path.empty() ? "''" : path),
      file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
  const int problem = errno;
  const std::string right = "; " + std::string(remedy);
  if (file_ < 0 && (problem == ENOENT || problem == ENOTDIR)) fail("no such file" + right);
  if (file_ < 0 && problem == ENXIO) fail("is a socket or a device, not a file" + right);
  if (file_ < 0) fail("cannot be opened: " + reason(problem) + right);
  try {
    struct stat status {};
    if (::fstat(file_, &status) != 0) fail("cannot be read: " + reason(errno));
    if (const char* wrong = wrong_kind(status.st_mode, pipes)) fail(wrong + right);
    if (S_ISREG(status.st_mode)) {
      set_size(static_cast<std::uint64_t>(status.st_size));
      pass_.emplace(*size());
    }
    if (S_ISFIFO(status.st_mode)) await_writer(remedy);
    if (::fcntl(file_, F_SETFL, ::fcntl(file_, F_GETFL) & ~O_NONBLOCK) != 0) fail("cannot be read: " + reason(errno));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

InputFile::InputFile() : InputStream("standard input"), file_(STDIN_FILENO) {}

InputFile::~InputFile() {
  if (file_ != STDIN_FILENO) ::close(file_);
}

// Without a writer reading gives an end, and poll() waits for the first one; a writer that is silent gives EAGAIN.
void InputFile::await_writer(std::string_view remedy) {
  const ssize_t got = ::read(file_, buffer_.data(), buffer_.size());
  if (got > 0) setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
  if (got == 0 && !wait_for_bytes(file_, kWriterPatienceMs))
    fail("is a pipe to which nothing writes; start its writer first, or " + std::string(remedy));
}

InputFile::int_type InputFile::underflow() {
  // A pipe gives a few bytes at a time; what a file is, its first ones tell.
  const std::size_t wanted = begun_ ? 1 : kTellingBytes;
  begun_ = true;
  std::size_t filled = 0;
  while (filled < wanted) {
    if (!size()) wait_for_bytes(file_, 0);
    const ssize_t got = ::read(file_, buffer_.data() + filled, buffer_.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read: " + reason(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  if (filled == 0) return traits_type::eof();
  if (pass_) pass_->did(filled);
  setg(buffer_.data(), buffer_.data(), buffer_.data() + filled);
  return traits_type::to_int_type(buffer_.front());
}

std::string_view InputStream::next_bytes() {
  if (sgetc() == traits_type::eof()) return {};
  return {gptr(), static_cast<std::size_t>(egptr() - gptr())};
}

bool InputStream::next_line(std::string& line) {
  line.clear();
  if (sgetc() == traits_type::eof()) return false;
  ++line_number_;
  while (sgetc() != traits_type::eof()) {
    char* const end = std::find(gptr(), egptr(), '\n');
    line.append(gptr(), end);
    const bool ended = end != egptr();
    gbump(static_cast<int>(end - gptr()) + (ended ? 1 : 0));
    if (line.size() > kLongestLine)
      throw Error(ErrorKind::input, name_ + ":" + std::to_string(line_number_) + ": a line of more than " +
                                        bytes_in_words(kLongestLine) + "; is it text, with line feeds?");
    if (ended) break;
  }
  return true;
}

std::string InputStream::rest(std::uint64_t limit) {
  const auto refuse = [&] {
    fail("is larger than " + bytes_in_words(static_cast<double>(limit)) + ", the limit for a file of this kind");
  };
  if (size_.value_or(0) > limit) refuse();
  InputMemory memory(name_);
  std::string text;
  while (sgetc() != traits_type::eof()) {
    const auto here = static_cast<std::size_t>(egptr() - gptr());
    if (here > limit - text.size()) refuse();
    memory.take(here);
    text.append(gptr(), here);
    gbump(static_cast<int>(here));
  }
  return text;
}

}  // namespace orderlab
