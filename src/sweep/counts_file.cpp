#include "sweep/counts_file.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/input_file.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "sweep/content_hash.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kFirstWords = "orderlab counts ";
constexpr std::string_view kCountsFileVersion = "1";
constexpr std::size_t kHashBytes = 16;

Json head_of(const CountsFile& file, const std::vector<std::string>& wires) {
  Json head{{"orderlab", ORDERLAB_VERSION}, {"bits_version", kBitsVersion}, {"samples", file.samples}};
  head["config"] = file.config;
  head["flags"] = file.flags;
  head["orders"] = Json::array();
  for (std::size_t i = 0; i < file.orders.size(); ++i) {
    Json ranges = Json::array();
    for (const auto& [begin, end] : file.orders[i].drawn.samples.ranges()) ranges.push_back(Json::array({begin, end}));
    head["orders"].push_back({{"expression", file.orders[i].expression},
                              {"random", file.orders[i].random},
                              {"ranges", ranges},
                              {"bytes", wires[i].size()}});
  }
  return head;
}

class CountsReader {
 public:
  CountsReader(std::string_view bytes, const std::string& path) : rest_(bytes), path_(path) {}

  CountsFile read() {
    if (!rest_.starts_with(kFirstWords)) refuse("is no file of counts; `orderlab sample --counts FILE` writes one");
    const std::string_view version = line().substr(kFirstWords.size());
    if (version != kCountsFileVersion)
      refuse("is a file of counts of version " + std::string(version) + ", this orderlab reads " +
             std::string(kCountsFileVersion));
    return content();
  }

  // Of the bytes from the first on.
  void require_intact(std::string_view all) const {
    if (all.size() < kHashBytes ||
        hash_of(all.substr(0, all.size() - kHashBytes)).bytes() != all.substr(all.size() - kHashBytes))
      refuse("is damaged: its hash is not that of its content; draw these samples again, into a new file");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Error(ErrorKind::input, path_ + ": " + why); }

  std::string_view line() {
    const std::string_view found = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(rest_.size(), found.size() + 1));
    return found;
  }

  CountsFile content() {
    const Json head = Json::parse(line());
    if (head["bits_version"].count() != kBitsVersion)
      refuse("was drawn by orderlab " + head["orderlab"].text() + ", whose sums have other bits (version " +
             head["bits_version"].dump() + ", here " + std::to_string(kBitsVersion) + "); draw all parts with one");
    CountsFile file{head["config"], head["samples"].count(), head["flags"], {}};
    for (const Json& order : head["orders"]) file.orders.push_back(read_order(order));
    if (rest_.size() != kHashBytes) refuse("is damaged: there are bytes too many");
    return file;
  }

  CountedOrder read_order(const Json& json) {
    CountedOrder order{json["expression"].text(), json["random"] == Json(true)};
    std::uint64_t count = 0;
    for (const Json& range : json["ranges"]) {
      const SampleRange read(range[0].count(), range[1].count());
      order.drawn.samples.add(read);
      count += read.second - read.first;
    }
    const std::size_t size = json["bytes"].count();
    if (size > rest_.size()) refuse("is damaged: the bytes end too early");
    if (size > 0) order.drawn.counts = ResultCounts::from_wire(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (order.drawn.counts.samples() != count || order.drawn.samples.size() != count)
      refuse("is damaged: it has another number of samples than its ranges");
    return order;
  }

  std::string_view rest_;
  const std::string& path_;
};

std::string order_in_words(const CountsFile& file) {
  std::string text;
  for (const CountedOrder& order : file.orders) text += (text.empty() ? "" : ", ") + order.expression;
  return text;
}

std::uint64_t drawn_in_all(const CountsFile& file) {
  return std::accumulate(file.orders.begin(), file.orders.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const CountedOrder& order) { return sum + order.drawn.samples.size(); });
}

/// Adds files up.
class CountsMerger {
 public:
  void add(CountsFile file, const std::string& path) {
    if (paths_.empty()) {
      all_ = std::move(file);
    } else {
      require_same_experiment(all_, paths_.front(), file, path);
      bool adds = false;
      for (std::size_t i = 0; i < file.orders.size(); ++i) adds = add_order(i, file.orders[i].drawn, path) || adds;
      if (!adds) there_.push_back(path);
      all_.samples = std::max(all_.samples, file.samples);
      if (all_.flags.is_null()) all_.flags = file.flags;
    }
    paths_.push_back(path);
  }

  MergedCounts merged() && { return {std::move(all_), std::move(there_)}; }

 private:
  bool add_order(std::size_t i, const CountedSamples& more, const std::string& path) {
    CountedSamples& sum = all_.orders[i].drawn;
    const SampleRanges common = sum.samples.common_with(more.samples);
    if (common == more.samples) return false;
    if (!common.empty())
      throw Error(ErrorKind::input,
                  path + ": its samples " + common.text(3) +
                      " are in other files, too, and not its others; counts cannot be taken apart, so "
                      "merge files whose ranges are apart");
    if (!sum.samples.empty() && !(sum.counts.frame() == more.counts.frame()))
      throw Error(ErrorKind::input, path + ": its counts are measured against another sum than those of " +
                                        paths_.front() + "; draw these samples again");
    if (sum.samples.empty())
      sum = more;
    else
      sum.counts.merge(more.counts);
    sum.samples.add(more.samples);
    return true;
  }

  CountsFile all_;
  std::vector<std::string> paths_;
  std::vector<std::string> there_;
};

}  // namespace

SampleRanges CountsFile::drawn() const {
  SampleRanges all(SampleRange(0, samples));
  for (const CountedOrder& order : orders)
    if (order.random) all = all.common_with(order.drawn.samples);
  return all;
}

std::string to_bytes(const CountsFile& file) {
  std::vector<std::string> wires;
  for (const CountedOrder& order : file.orders)
    wires.push_back(order.drawn.samples.empty() ? std::string() : order.drawn.counts.wire());
  std::string bytes = std::string(kFirstWords) + std::string(kCountsFileVersion) + "\n";
  bytes += head_of(file, wires).dump() + "\n";
  for (const std::string& wire : wires) bytes += wire;
  return bytes + hash_of(bytes).bytes();
}

CountsFile counts_from_bytes(std::string_view bytes, const std::string& path) {
  CountsReader reader(bytes, path);
  const bool current = bytes.starts_with(std::string(kFirstWords) + std::string(kCountsFileVersion) + "\n");
  if (current) reader.require_intact(bytes);
  try {
    return reader.read();
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(path + ": ")) throw;
    throw Error(ErrorKind::input, path + ": is damaged: " + error.what());
  }
}

CountsFile read_counts_file(const std::string& path) {
  return counts_from_bytes(InputFile(path, "give a file that `orderlab sample --counts` wrote").rest(), path);
}

void require_same_experiment(const CountsFile& one, const std::string& path, const CountsFile& other,
                             const std::string& other_path) {
  if (one.config == other.config) return;
  const std::string problem = other_path + ": has samples of another experiment than " + path;
  const std::string orders = order_in_words(other);
  if (orders != order_in_words(one))
    throw Error(ErrorKind::input, problem + ": its order is " + orders + ", not " + order_in_words(one));
  for (const auto& [key, value] : one.config.members())
    if (!(other.config[key] == value))
      throw Error(ErrorKind::input,
                  problem + ": its " + key + " is " + other.config[key].dump() + ", not " + value.dump());
  throw Error(ErrorKind::input, problem);
}

MergedCounts merge_counts(std::span<const std::string> paths, const std::function<bool(std::size_t)>& next) {
  // Those with most samples first, so that files whose samples they have are known as such in any order.
  std::vector<std::pair<std::uint64_t, std::string>> files;
  for (const std::string& path : paths) {
    if (!next(files.size())) return {};
    files.emplace_back(drawn_in_all(read_counts_file(path)), path);
  }
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  CountsMerger merger;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!next(files.size() + i)) return {};
    merger.add(read_counts_file(files[i].second), files[i].second);
  }
  return std::move(merger).merged();
}

}  // namespace orderlab
