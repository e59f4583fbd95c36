#include "box/descriptor.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "box/box_kit.hpp"

using namespace orderlab;
using namespace orderlab::box_kit;

namespace {

// Whether `condition` holds in a process of its own, whose limits and files are its own.
template <class F>
bool holds_elsewhere(const F& condition) {
  const pid_t process = ::fork();
  if (process == 0) ::_exit(condition() ? 0 : 1);
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string failure_of(int error) {
  try {
    errno = error;
    fail_of_system("test");
  } catch (const Error& failure) {
    CHECK(failure.kind() == ErrorKind::unsupported);
    return failure.what();
  }
}

bool limit(decltype(RLIMIT_NOFILE) resource, rlim_t value) {
  const rlimit both{value, value};
  return ::setrlimit(resource, &both) == 0;
}

}  // namespace

TEST_CASE("a file of a box takes no closed standard stream's place") {
  CHECK(holds_elsewhere([] {
    for (int file = 0; file < 3; ++file) ::close(file);
    const DescriptorPair pipe = make_pipe();
    const DescriptorPair connection = make_connection();
    const Descriptor file = make_memory_file(1);
    bool above = file.get() > 2;
    for (const DescriptorPair* pair : {&pipe, &connection})
      above =
          above && pair->first.get() > 2 && pair->second.get() > 2 && ::fcntl(pair->first.get(), F_GETFD) == FD_CLOEXEC;
    return above && ::fcntl(0, F_GETFD) < 0;
  }));
}

TEST_CASE("a failure of the system names the limit that it comes from") {
  CHECK(holds_elsewhere([] {
    return limit(RLIMIT_NOFILE, 17) &&
           few_files_hint() == "; the limit is 17 open files (ulimit -n), which may be too few" &&
           failure_of(EMFILE) == "a box cannot test: Too many open files; the limit is 17 open files (ulimit -n)";
  }));
  CHECK(holds_elsewhere([] {
    return limit(RLIMIT_NPROC, 5) && has(failure_of(EAGAIN), "; the limit is 5 processes of a user (ulimit -u)");
  }));
  CHECK(holds_elsewhere(
      [] { return limit(RLIMIT_FSIZE, 9) && has(failure_of(EFBIG), "; the limit is 9 bytes in a file (ulimit -f)"); }));
  CHECK(failure_of(EACCES) == "a box cannot test: Permission denied");
}
