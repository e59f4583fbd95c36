// Files, pipes and what is neither, as the readers of every kind of file open them.
#include "core/input_file.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "core/memory.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::string refusal(const std::string& path) {
  return message_of(ErrorKind::input, [&] { InputFile(path, "name another"); });
}

// What a writer that begins after `wait` and ends after as long again is read as.
std::string through_pipe(const std::string& path, std::chrono::milliseconds wait) {
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::jthread writer([&] {
    std::this_thread::sleep_for(wait);
    std::ofstream pipe(path);
    std::this_thread::sleep_for(wait);
    pipe << "1\n2\n";
  });
  InputFile file(path, "");
  CHECK_FALSE(file.size());
  return file.rest();
}

}  // namespace

TEST_CASE("a file is read whole, up to a limit") {
  const TemporaryFile file("a.txt", "1\n22\n");
  CHECK(InputFile(file.path(), "").rest() == "1\n22\n");
  CHECK(InputFile(file.path(), "").rest(5) == "1\n22\n");
  CHECK(InputFile(file.path(), "").size() == 5);
  CHECK(message_of(ErrorKind::input, [&] { (void)InputFile(file.path(), "").rest(4); }) ==
        file.path() + ": is larger than 4 B, the limit for a file of this kind");
  // a file that does not say its size
  CHECK(
      contains(message_of(ErrorKind::input, [] { (void)InputFile("/proc/self/status", "").rest(9); }), "larger than"));
}

TEST_CASE("lines come without their ends, and are counted") {
  const TemporaryFile file("a.txt", "1\n\n" + std::string(100'000, 'x') + "\r\nlast");
  InputFile input(file.path(), "");
  std::vector<std::string> lines;
  for (std::string line; input.next_line(line);) lines.push_back(line);
  CHECK(lines == std::vector<std::string>{"1", "", std::string(100'000, 'x') + "\r", "last"});
  CHECK(input.line_number() == 4);
}

TEST_CASE("what is no file is refused at once, with what would be right") {
  const TemporaryFile file("a.txt", "1\n");
  CHECK(refusal(file.folder()) == file.folder() + ": is a folder; name another");
  CHECK(refusal(file.path() + "/b") == file.path() + "/b: no such file; name another");
  CHECK(refusal("") == "'': no such file; name another");
  CHECK(refusal("/dev/zero") == "/dev/zero: is a device, not a file; name another");
  const std::string place = file.folder() + "/socket";
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  place.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(refusal(place) == place + ": is a socket or a device, not a file; name another");
  close(socket);
  const std::string pipe = file.folder() + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto refused = [](const std::string& path) {
    return message_of(ErrorKind::input, [&] { InputFile(path, "name another", Pipes::refused); });
  };
  CHECK(refused(pipe) == pipe + ": is a pipe, not a file; name another");
  CHECK(refused(file.folder()) == file.folder() + ": is a folder; name another");
  CHECK(InputFile(file.path(), "", Pipes::refused).rest() == "1\n");
}

TEST_CASE("a pipe is read from the writer that it has, or that comes a moment later") {
  const TemporaryFile file("a.txt", "");
  CHECK(through_pipe(file.folder() + "/soon", std::chrono::milliseconds(0)) == "1\n2\n");
  CHECK(through_pipe(file.folder() + "/later", std::chrono::milliseconds(200)) == "1\n2\n");
}

TEST_CASE("an input that grows beyond what is free is refused by its name") {
  InputMemory memory("a.txt");
  memory.take(1 << 20);
  CHECK(message_of(ErrorKind::unsupported, [&] {
          memory.take(std::size_t{1} << 60);
        }).starts_with("a.txt: is too large: 1.0 EiB were read and "));
}
