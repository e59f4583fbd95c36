#include "files/open_input.hpp"

#include <bzlib.h>
#include <doctest/doctest.h>

#include <string>

#include "files/file_address.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::string bzipped(std::string text) {
  std::string archive(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(archive.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(archive.data(), &size, text.data(), static_cast<unsigned>(text.size()), 9, 0, 0) ==
          BZ_OK);
  archive.resize(size);
  return archive;
}

}  // namespace

TEST_CASE("an archive that holds more than the limit is refused") {
  const std::string archive = bzipped(std::string(1 << 20, '\n'));
  CHECK(archive.size() < 100);
  CHECK(decompressed(archive, "a.bz2", 1 << 20).size() == 1 << 20);
  CHECK_THROWS_WITH_AS((void)decompressed(archive + archive, "a.bz2", (2 << 20) - 1),
                       "a.bz2: is larger than 2.0 MiB, the limit for a file of this kind", Error);
}

TEST_CASE("what is not compressed stays as it is") {
  CHECK(decompressed("BZ", "a") == "BZ");
  CHECK(decompressed("", "a").empty());
  CHECK(without_codec_suffix("a.csv.gz") == "a.csv");
  CHECK(without_codec_suffix("a.csv") == "a.csv");
}

TEST_CASE("a name stands behind two colons, unless there is a file of the whole name") {
  const TemporaryFile file("a::b.txt", "1\n");
  CHECK(file_address("a.csv::price").path == "a.csv");
  CHECK(file_address("a.csv::price").name == "price");
  CHECK(file_address("run.h5::/group/x").name == "/group/x");
  CHECK(file_address("a.csv::x::y").name == "x::y");
  CHECK(file_address("-::price").path == "-");
  CHECK(file_address("a.csv::").path == "a.csv::");
  CHECK(file_address("::a").path == "::a");
  CHECK(file_address(file.path()).name.empty());
}
