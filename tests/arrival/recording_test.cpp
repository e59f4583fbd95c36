// Reading files of rows, plain and compressed, and every way in which they can be wrong.
#include "arrival/recording.hpp"

#include <bzlib.h>
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "core/recorded_launches.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;

namespace {

using Table = std::vector<std::vector<std::uint32_t>>;

/// A file in a folder of its own, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    std::string pattern = (std::filesystem::temp_directory_path() / "orderlab-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    std::ofstream(path(), std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return (folder_ / "rows").string(); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

std::string compressed(std::string content) {
  std::string archive(content.size() + content.size() / 100 + 600, '\0');  // what bzlib's manual says is enough
  unsigned length = static_cast<unsigned>(archive.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(archive.data(), &length, content.data(), static_cast<unsigned>(content.size()), 9, 0,
                                   0) == BZ_OK);
  archive.resize(length);
  return archive;
}

Table rows_of(const std::string& content) { return read_rows(TemporaryFile(content).path())->rows; }

/// What the error about `content` says behind the path; "" if there is none.
std::string problem(const std::string& content) {
  const TemporaryFile file(content);
  try {
    read_rows(file.path());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    const std::string message = error.what();
    REQUIRE(message.starts_with(file.path() + ":"));
    return message.substr(file.path().size());
  }
  return "";
}

/// Two launches of 7 warps, in thread blocks of two.
RecordedLaunches recorded_warps() {
  return {.facts = {{"device", "none"}},
          .kernel = "warp",
          .unit = ArrivalUnit::warp,
          .n = 224,
          .shape = {64, 1, 4},
          .sm_ids = 2,
          .launches = {{.tickets = {0, 2, 1, 6, 4, 3, 5}, .sm = {0, 1, 0, 1, 0, 1, 0}},
                       {.tickets = {6, 5, 4, 3, 2, 1, 0}, .ticket_ns = {0, 1, 1, 1, 1, 1, 1}}}};
}

Table parsed(const RecordedLaunches& recorded, std::optional<ArrivalUnit> unit = std::nullopt) {
  return parse_rows(write_arrivals_text(recorded), "file", unit)->rows;
}

std::string complaint(ErrorKind kind, const std::string& text, std::optional<ArrivalUnit> unit) {
  try {
    parse_rows(text, "file", unit);
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "";
}

std::string long_text() {
  std::string text;
  for (std::uint64_t i = 0; i < 300000; ++i) text += std::to_string(i * 7919 % 300007) + (i % 1000 == 999 ? "\n" : ",");
  return text;
}

}  // namespace

TEST_CASE("rows may be separated by commas, blanks or both, with comments, empty lines and any line end") {
  const Table expected{{0, 1, 2}, {20, 10}, {4294967295}};
  CHECK(rows_of("0,1,2\n20,10\n4294967295\n") == expected);
  CHECK(rows_of("0 1 2\n20\t10\n4294967295") == expected);
  CHECK(rows_of("# header\n 0, 1 ,2 # the first\r\n\r\n20 , 10\r\n\n  \n04294967295 \n\n") == expected);
}

TEST_CASE("a bzip2 archive is read by its content, also of several streams") {
  const TemporaryFile plain(long_text());
  const TemporaryFile archive(compressed(long_text()));
  const TemporaryFile two(compressed("0,1\n2,") + compressed("3\n"));
  CHECK(read_rows(archive.path())->rows == read_rows(plain.path())->rows);
  CHECK(read_rows(archive.path())->hash == read_rows(plain.path())->hash);
  CHECK(read_rows(archive.path())->path == archive.path());
  CHECK(read_rows(two.path())->rows == Table{{0, 1}, {2, 3}});
}

TEST_CASE("the hash is of the numbers and where rows end, not of how they are written") {
  const auto hash = [](const std::string& content) { return read_rows(TemporaryFile(content).path())->hash; };
  CHECK(hash("0,1,2\n3\n") == hash("# x\n0 1  2\n\n03"));
  CHECK(hash("0,1,2\n3\n") != hash("0,1\n2,3\n"));
  CHECK(hash("0,1,2\n3\n") != hash("0,1,2\n4\n"));
  // XXH3-128 of the 16 bytes 2 0 0 0 0 0 0 0, 1 0 0 0, 0 0 0 0: the row's length and its two numbers.
  CHECK(hash("1,0") == hash_rows(Table{{1, 0}}));
  CHECK(hash("1,0") == "xxh3:18bb58e687c722830d9b5ffa5193bb7f");
}

TEST_CASE("what is no row of whole numbers is refused with its line") {
  CHECK(problem("0,1\n2,x3\n") == ":2: 'x3' is not a whole number; each row lists whole numbers from 0");
  CHECK(problem("0,-1\n") == ":1: '-1' is not a whole number; each row lists whole numbers from 0");
  CHECK(problem("\n\n1.5") == ":3: '1.5' is not a whole number; each row lists whole numbers from 0");
  CHECK(problem("1;2") == ":1: '1;2' is not a whole number; each row lists whole numbers from 0");
  CHECK(problem("1\n4294967296") == ":2: '4294967296' is too large; numbers up to 4294967295 can be read");
  CHECK(problem("99999999999999999999999999") ==
        ":1: '99999999999999999999999999' is too large; numbers up to 4294967295 can be read");
  CHECK(problem("0,,1") == ":1: a comma without a number in front of it");
  CHECK(problem(",1") == ":1: a comma without a number in front of it");
  CHECK(problem("1,2,\n3") == ":1: a comma without a number behind it");
  CHECK(problem(std::string("\x93NUMPY\0", 7)) ==
        ":1: '?NUMPY?' is not a whole number; each row lists whole numbers from 0");
}

TEST_CASE("a file without numbers, a directory and no file at all are refused") {
  CHECK(problem("") == ": has no numbers; it must have rows of whole numbers");
  CHECK(problem("# nothing\n\n") == ": has no numbers; it must have rows of whole numbers");
  const TemporaryFile file("1");
  const std::string folder = file.folder().string();
  const std::string remedy = "; name a file of rows of whole numbers";
  CHECK_THROWS_WITH_AS(read_rows(folder), (folder + ": is a folder" + remedy).c_str(), Error);
  const std::string missing = folder + "/missing";
  CHECK_THROWS_WITH_AS(read_rows(missing), (missing + ": no such file" + remedy).c_str(), Error);
}

TEST_CASE("a bzip2 archive that is damaged or cut anywhere is refused") {
  const std::string archive = compressed(long_text());
  for (const std::size_t length :
       {std::size_t{3}, std::size_t{4}, std::size_t{20}, archive.size() / 2, archive.size() - 1})
    CHECK(problem(archive.substr(0, length)) == ": a truncated bzip2 archive; a complete copy would help");
  for (const std::size_t place :
       {std::size_t{3}, std::size_t{5}, std::size_t{12}, archive.size() / 2, archive.size() - 3}) {
    std::string damaged = archive;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x40);
    CAPTURE(place);
    CHECK(problem(damaged) == ": a damaged bzip2 archive; a fresh copy would help");
  }
  CHECK(problem(archive + "0,1\n") == ": a damaged bzip2 archive: something else follows its end");
  CHECK(problem(compressed("")) == ": has no numbers; it must have rows of whole numbers");
  CHECK(problem(compressed("0\nx\n")) == ":2: 'x' is not a whole number; each row lists whole numbers from 0");
}

TEST_CASE("a device, which has no end, is refused at once") {
  CHECK_THROWS_WITH_AS(read_rows("/dev/zero"),
                       "/dev/zero: is a device, not a file; name a file of rows of whole numbers", Error);
}

TEST_CASE("a row stands on a line of its file, or is numbered where it came from none") {
  const TemporaryFile file("# two rows\n0,1\n\n1,0");
  const auto rows = read_rows(file.path());
  CHECK(rows->lines == std::vector<std::size_t>{2, 4});
  CHECK(place_of_row(*rows, 1) == file.path() + ":4");
  CHECK(place_of_row(Rows{"orders", "", {{0, 1}, {1, 0}}}, 1) == "orders: row 2");
}

TEST_CASE("a row is checked for being a permutation") {
  using Row = std::vector<std::uint32_t>;
  check_permutation_row("here", Row{});
  check_permutation_row("here", Row{0});
  check_permutation_row("here", Row{2, 0, 1});
  CHECK_THROWS_WITH_AS(check_permutation_row("here", Row{2, 0, 3}),
                       "here: 3 is out of range; a row of 3 numbers must have each of 0 to 2 once", Error);
  CHECK_THROWS_WITH_AS(check_permutation_row("here", Row{2, 0, 2}),
                       "here: 2 occurs twice; a row must have each of 0 to 2 once", Error);
}

TEST_CASE("a list is one row, or one number a line") {
  const std::vector<std::uint32_t> expected{2, 0, 1};
  CHECK(flatten({"file", "", {{2, 0, 1}}}) == expected);
  CHECK(flatten({"file", "", {{2}, {0}, {1}}}) == expected);
  CHECK_THROWS_WITH_AS(flatten({"file", "", {{2}, {0, 1}}}),
                       "file: has 2 rows, one of them with 2 numbers; it must have one row, or one number per line",
                       Error);
}

TEST_CASE("recorded arrivals are rows of the units that were recorded, plain or compressed") {
  const Table warps{{0, 2, 1, 6, 4, 3, 5}, {6, 5, 4, 3, 2, 1, 0}};
  const std::string text = write_arrivals_text(recorded_warps());
  CHECK(parsed(recorded_warps()) == warps);
  CHECK(parsed(recorded_warps(), ArrivalUnit::warp) == warps);
  CHECK(rows_of(compressed(text)) == warps);
  const auto rows = parse_rows(text, "file");
  CHECK(rows->lines == std::vector<std::size_t>{4, 6});
  CHECK(place_of_row(*rows, 1) == "file:6");
  CHECK(rows->hash == hash_rows(warps));
}

TEST_CASE("a thread block arrives with its last warp") {
  // Blocks {0, 1}, {2, 3}, {4, 5}, {6}: their last warps come third, sixth, seventh and fourth.
  CHECK(parsed(recorded_warps(), ArrivalUnit::thread_block) == Table{{0, 3, 1, 2}, {3, 2, 1, 0}});
  RecordedLaunches blocks = recorded_warps();
  blocks.unit = ArrivalUnit::thread_block;
  CHECK(parsed(blocks, ArrivalUnit::thread_block) == parsed(blocks));
  CHECK(parse_rows("1 0\n", "file", ArrivalUnit::thread_block)->rows == Table{{1, 0}});
}

TEST_CASE("units that a file does not have, and tickets that are no permutation, are refused") {
  RecordedLaunches blocks = recorded_warps();
  blocks.unit = ArrivalUnit::thread_block;
  CHECK(complaint(ErrorKind::usage, write_arrivals_text(blocks), ArrivalUnit::warp) ==
        "file: the order of thread blocks, not of warps; leave out the unit");
  CHECK(complaint(ErrorKind::usage, "0 1\n", ArrivalUnit::warp) ==
        "file: rows of numbers are orders of thread blocks; leave out the unit");
  RecordedLaunches twice = recorded_warps();
  twice.launches[1].tickets[0] = 5;
  CHECK(complaint(ErrorKind::input, write_arrivals_text(twice), ArrivalUnit::thread_block) ==
        "file:6: 5 occurs twice; a row must have each of 0 to 6 once");
  CHECK(complaint(ErrorKind::input, "orderlab arrivals 1\ntickets 0\n", std::nullopt)
            .starts_with("file:2: is the last line and is not a checksum"));
}
