#include "sweep/counts_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "sweep/content_hash.hpp"
#include "sweep/merge_counts.hpp"

using namespace orderlab;

namespace {

constexpr std::uint64_t kSamples = 60;

// Samples of a made-up order: the k-th gives k mod 7 + 0.5.
CountedSamples made_up(const SampleRange& range, std::uint64_t max_distinct) {
  CountedSamples made{SampleRanges(range),
                      ResultCounts({.format = Format::fp32, .center = 2, .max_distinct = max_distinct})};
  for (std::uint64_t k = range.first; k < range.second; ++k) {
    Evaluation sample;
    sample.value = static_cast<double>(k % 7) + 0.5;
    sample.bits = round_to_bits(Format::fp32, sample.value);
    made.counts.add(sample, 0.25, 0.125);
  }
  return made;
}

CountsFile part(std::uint64_t begin, std::uint64_t end, std::uint64_t max_distinct = 100) {
  CountsFile file;
  file.config = {{"n", 100}, {"order", Json::array({"warp", "sptr"})}};
  file.samples = kSamples;
  file.flags = {{"--n", Json::array({"100"})}};
  file.orders.push_back({"warp", true, made_up({begin, end}, max_distinct)});
  file.orders.push_back({"sptr", false, {}});
  return file;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "orderlab_counts_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name, const CountsFile& content) const {
    const std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary) << to_bytes(content);
    return path;
  }

 private:
  std::string path_;
};

std::optional<std::string> refusal(const std::string& bytes) {
  try {
    counts_from_bytes(bytes, "a.counts");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return std::nullopt;
}

MergedCounts merged(const std::vector<std::string>& paths) {
  return merge_counts(paths, [](std::size_t) { return true; });
}

std::string merge_refusal(const std::vector<std::string>& paths) {
  try {
    merged(paths);
  } catch (const Error& error) {
    return error.what();
  }
  return "merged";
}

std::string with_hash(const std::string& bytes) { return bytes + hash_of(bytes).bytes(); }

}  // namespace

TEST_CASE("a file of counts gives back what was written") {
  for (const std::uint64_t max_distinct : {std::uint64_t{100}, std::uint64_t{3}}) {
    const CountsFile file = part(10, 30, max_distinct);
    CHECK(file.orders[0].drawn.counts.binned() == (max_distinct == 3));
    const std::string bytes = to_bytes(file);
    const CountsFile read = counts_from_bytes(bytes, "a.counts");
    CHECK(to_bytes(read) == bytes);
    CHECK(read.drawn().ranges() == std::vector<SampleRange>{{10, 30}});
    CHECK(read.orders[0].drawn.counts.samples() == 20);
    CHECK(!read.orders[1].random);
  }
}

TEST_CASE("damaged files of counts are refused") {
  const std::string bytes = to_bytes(part(10, 30));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    CHECK(refusal(flipped));
    CHECK(refusal(bytes.substr(0, i)));
  }
  CHECK(refusal(bytes + "x") ==
        "a.counts: is damaged: its hash is not that of its content; draw these samples again, into a new file");
  CHECK(refusal("orderlab counts 2\n") ==
        "a.counts: is a file of counts of version 2, this orderlab reads 1, or is damaged");
  CHECK(refusal("SQLite format 3") == "a.counts: is not a file of counts; `orderlab sample --counts FILE` writes one");
  // Whole files, with a hash that fits, that say what cannot be.
  const std::string unhashed = bytes.substr(0, bytes.size() - 16);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = unhashed;
    REQUIRE(text.find(from) != std::string::npos);
    return refusal(with_hash(text.replace(text.find(from), from.size(), to)));
  };
  CHECK(!refusal(with_hash(unhashed)));
  CHECK(changed("\"bits_version\":5", "\"bits_version\":1").value().starts_with("a.counts: was drawn by orderlab "));
  CHECK(changed("[[10,30]]", "[[10,31]]") == "a.counts: is damaged: it has another number of samples than its ranges");
  for (const char* ranges : {"[[30,10]]", "[[10,20],[15,25]]", "[10,30]", "[[10]]", "{}", "[[10,-30]]", "7"})
    CHECK(changed("[[10,30]]", ranges));
  CHECK(changed("\"bytes\":", "\"bytes\":1"));
  CHECK(changed("{\"orderlab\"", "{{\"orderlab\""));
}

TEST_CASE("files merge to what one file has, in any order") {
  const Folder folder;
  for (const std::uint64_t max_distinct : {std::uint64_t{100}, std::uint64_t{3}}) {
    const std::string whole = to_bytes(part(0, kSamples, max_distinct));
    const std::string a = folder.file("a", part(0, 10, max_distinct));
    const std::string b = folder.file("b", part(10, 45, max_distinct));
    const std::string c = folder.file("c", part(45, kSamples, max_distinct));
    for (const auto& paths : {std::vector{a, b, c}, std::vector{c, a, b}, std::vector{b, c, a}}) {
      const MergedCounts all = merged(paths);
      CHECK(all.left_out.empty());
      CHECK(to_bytes(all.file) == whole);
    }
    // A file whose samples others have adds nothing, wherever it stands.
    const std::string both = folder.file("both", part(0, 45, max_distinct));
    for (const auto& paths : {std::vector{a, both, c}, std::vector{both, c, a}}) {
      const MergedCounts all = merged(paths);
      CHECK(all.left_out == std::vector{a});
      CHECK(to_bytes(all.file) == whole);
    }
    // So does one that was merged when parts of it were half done.
    const std::string before = folder.file("before", merged({a, folder.file("half", part(45, 50, max_distinct))}).file);
    for (const auto& paths : {std::vector{before, a, b, c}, std::vector{c, b, before, a}}) {
      const MergedCounts all = merged(paths);
      CHECK(all.left_out == std::vector{before});
      CHECK(to_bytes(all.file) == whole);
    }
    // And files that overlap each other, where one has all of both.
    const std::string all_of_it = folder.file("all", part(0, kSamples, max_distinct));
    const std::string front = folder.file("front", part(0, 40, max_distinct));
    const std::string back = folder.file("back", part(20, kSamples, max_distinct));
    const MergedCounts one = merged({front, back, all_of_it});
    CHECK(one.left_out == std::vector{front, back});
    CHECK(to_bytes(one.file) == whole);
  }
  const MergedCounts gap = merged({folder.file("a", part(0, 10)), folder.file("c", part(45, kSamples))});
  CHECK(gap.file.drawn().missing_from({0, kSamples}).text() == "10:45");
}

TEST_CASE("files that do not go together are refused") {
  const Folder folder;
  const std::string a = folder.file("a", part(0, 10));
  const std::string overlapping = folder.file("b", part(5, 20));
  CHECK(merge_refusal({a, overlapping}) ==
        overlapping + ": its samples 5:10 are in " + a +
            ", too, and each has others; counts cannot be taken apart, so merge files whose samples are apart");
  CountsFile other = part(10, 20);
  other.config["n"] = 200;
  const std::string of_200 = folder.file("c", other);
  CHECK(merge_refusal({a, of_200}) == of_200 + ": holds other samples than " + a + ": its n is 200, not 100");
  other.orders[0].expression = "random";
  CHECK(merge_refusal({a, folder.file("c", other)}).ends_with(": its order is random, sptr, not warp, sptr"));
  other = part(10, 20);
  other.orders.pop_back();  // of a file that was made up
  CHECK(merge_refusal({a, folder.file("c", other)}).find("holds other samples than") != std::string::npos);
  other = part(10, 20);
  other.orders[0].random = false;
  CHECK(merge_refusal({a, folder.file("c", other)}).find("holds other samples than") != std::string::npos);
  other = part(10, 20);
  other.orders[0].drawn = made_up({10, 20}, 50);
  CHECK(merge_refusal({a, folder.file("d", other)}).find("measured against another sum") != std::string::npos);
}

TEST_CASE("a merge that is stopped has nothing") {
  const Folder folder;
  const std::vector<std::string> paths{folder.file("a", part(0, 10)), folder.file("b", part(10, 20))};
  for (const std::size_t last : {0U, 1U, 2U, 3U}) {
    const MergedCounts stopped = merge_counts(paths, [&](std::size_t i) { return i < last; });
    CHECK(stopped.file.orders.empty());
  }
  CHECK(merge_counts(paths, [](std::size_t i) { return i < 4; }).file.drawn().size() == 20);
}
