// Archives: what tar reads of them, and their bytes where tar looks for something.
#include "cuda/capture/tar.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("an archive has a header of 512 bytes, the content in full blocks, and two empty blocks") {
  const std::vector<TarFile> files{{"a/b", "xyz"}};
  const std::string archive = tar_archive(files);
  CHECK(archive.size() == 4 * 512);
  CHECK(archive.starts_with(std::string("a/b\0", 4)));
  CHECK(archive.substr(100, 8) == std::string("0000644\0", 8));
  CHECK(archive.substr(124, 12) == std::string("00000000003\0", 12));
  CHECK(archive.substr(136, 12) == std::string("00000000000\0", 12));
  // The sum of the bytes, 8 blanks in place of itself: name 242, mode 350, owner and group 672, size 531, time 528,
  // blanks 256, type 48, magic 559, version 96.
  CHECK(archive.substr(148, 8) == std::string("006322\0 ", 8));
  CHECK(archive.substr(257, 8) == std::string("ustar\0"
                                              "00",
                                              8));
  CHECK(archive.substr(512, 4) == std::string("xyz\0", 4));
  CHECK(archive.substr(1024) == std::string(1024, '\0'));
  CHECK(tar_archive({}).size() == 1024);
}

TEST_CASE("tar unpacks what was packed, at sizes around a block") {
  std::vector<TarFile> files;
  for (const std::size_t size : std::vector<std::size_t>{0, 1, 511, 512, 513, 100000})
    files.push_back({"arrivals/of_" + std::to_string(size), std::string(size, 'x')});
  const TemporaryFile archive("a.tar", tar_archive(files));
  const std::string command = "tar -xf '" + archive.path() + "' -C '" + archive.folder() + "' 2>/dev/null";
  if (std::system("tar --version >/dev/null 2>&1") != 0) {
    MESSAGE("skipped: there is no tar");
    return;
  }
  REQUIRE(std::system(command.c_str()) == 0);
  for (const TarFile& file : files) CHECK(content_of(archive.folder() + "/" + file.name) == file.content);
}

TEST_CASE("a name that an archive has no room for is refused") {
  const auto refusal = [](std::size_t length) {
    const std::vector<TarFile> files{{std::string(length, 'n'), ""}};
    return message_of(ErrorKind::usage, [&] { static_cast<void>(tar_archive(files)); });
  };
  CHECK(refusal(99) == "no error");
  CHECK(contains(refusal(100), "is too long for an archive"));
}
