// A file descriptor that is closed once, and memory that several processes see.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace orderlab {

/// Error(unsupported, "a box cannot WHAT: REASON"), the reason being that of errno, with the limit of this process that
/// it may come from: "Too many open files; the limit is 16 open files (ulimit -n)".
[[noreturn]] void fail_of_system(const std::string& what);

/// "; the limit is 16 open files (ulimit -n), which may be too few" where that is few for a program; else empty.
std::string few_files_hint();

/// An open file, close-on-exec by whoever opened it. Never 0, 1 or 2, which others use even where they are closed.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int file);  ///< none where negative
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor();

  int get() const { return file_; }

 private:
  int file_ = -1;
};

/// Two ends of something.
struct DescriptorPair {
  Descriptor first;
  Descriptor second;
};

/// A pipe: `first` is read, `second` is written.
DescriptorPair make_pipe();

/// Reads and writes of `file` return at once.
void do_not_block(const Descriptor& file);

/// A connection that keeps messages apart.
DescriptorPair make_connection();

/// A file without a name, in memory, that can have so many bytes.
Descriptor make_memory_file(std::size_t bytes);

/// Zeros, shared with every process that is forked off or maps file().
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() const { return data_; }
  int file() const { return file_.get(); }

 private:
  Descriptor file_;
  std::size_t bytes_;
  std::byte* data_ = nullptr;
};

}  // namespace orderlab
