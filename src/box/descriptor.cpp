#include "box/descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/memory.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

void fail_of_system(const std::string& what) {
  throw Error(ErrorKind::unsupported, "a box cannot " + what + ": " + std::generic_category().message(errno));
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

Descriptor make_memory_file() {
  const int file = ::memfd_create("orderlab", MFD_CLOEXEC);
  if (file < 0) fail_of_system("make a file in memory");
  return Descriptor(file);
}

SharedMemory::SharedMemory(std::size_t bytes) : file_(make_memory_file()), bytes_(bytes) {
  require_memory(static_cast<double>(bytes));
  if (::ftruncate(file(), static_cast<off_t>(bytes)) != 0) fail_of_system("share memory");
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file(), 0);
  if (data == MAP_FAILED) fail_of_system("share memory");
  data_ = static_cast<std::byte*>(data);
}

SharedMemory::~SharedMemory() { ::munmap(data_, bytes_); }

}  // namespace orderlab
