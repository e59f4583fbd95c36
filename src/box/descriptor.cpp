#include "box/descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/memory.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// "; the limit is 16 open files (ulimit -n)"; empty where nothing is limited.
std::string limit_in_words(decltype(RLIMIT_NOFILE) resource, rlim_t unit, const std::string& words) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "";
  return "; the limit is " + std::to_string(limit.rlim_cur / unit) + " " + words;
}

// The limit that a call which failed so has met.
std::string limit_behind(int error) {
  switch (error) {
    case EMFILE:
      return limit_in_words(RLIMIT_NOFILE, 1, "open files (ulimit -n)");
    case EAGAIN:
      return limit_in_words(RLIMIT_NPROC, 1, "processes of a user (ulimit -u)");
    case ENOMEM:
      return limit_in_words(RLIMIT_AS, 1024, "KiB of memory (ulimit -v)");
    case EFBIG:
      return limit_in_words(RLIMIT_FSIZE, 1, "bytes in a file (ulimit -f)");
    default:
      return "";
  }
}

}  // namespace

void fail_of_system(const std::string& what) {
  const int error = errno;
  throw Error(ErrorKind::unsupported,
              "a box cannot " + what + ": " + std::generic_category().message(error) + limit_behind(error));
}

std::string few_files_hint() {
  constexpr rlim_t kFew = 64;  // an interpreter that loads libraries has tens open
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kFew) return "";
  return limit_behind(EMFILE) + ", which may be too few";
}

Descriptor::Descriptor(int file) : file_(file) {
  if (file < 0 || file > STDERR_FILENO) return;
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (moved < 0) return;  // too many are open; better there than nowhere
  ::close(file);
  file_ = moved;
}

Descriptor::~Descriptor() {
  if (file_ >= 0) ::close(file_);
}

DescriptorPair make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_of_system("make a pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void do_not_block(const Descriptor& file) { ::fcntl(file.get(), F_SETFL, O_NONBLOCK); }

DescriptorPair make_connection() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) fail_of_system("make a connection");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// A file that may not grow so far would end a process that does not ignore SIGXFSZ.
Descriptor make_memory_file(std::size_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
    errno = EFBIG;
    fail_of_system("make a file in memory");
  }
  const int file = ::memfd_create("orderlab", MFD_CLOEXEC);
  if (file < 0) fail_of_system("make a file in memory");
  return Descriptor(file);
}

SharedMemory::SharedMemory(std::size_t bytes) : file_(make_memory_file(bytes)), bytes_(bytes) {
  require_memory(static_cast<double>(bytes));
  if (::ftruncate(file(), static_cast<off_t>(bytes)) != 0) fail_of_system("share memory");
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file(), 0);
  if (data == MAP_FAILED) fail_of_system("share memory");
  data_ = static_cast<std::byte*>(data);
}

SharedMemory::~SharedMemory() { ::munmap(data_, bytes_); }

}  // namespace orderlab
