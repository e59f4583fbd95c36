#include "sweep/counts_file.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/input_file.hpp"
#include "core/text.hpp"
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
    if (!rest_.starts_with(kFirstWords)) refuse("is not a file of counts; `orderlab sample --counts FILE` writes one");
    const std::string_view version = line().substr(kFirstWords.size());
    if (version != kCountsFileVersion)
      refuse("is a file of counts of version " + shortened(version) + ", this orderlab reads " +
             std::string(kCountsFileVersion) + ", or is damaged");
    return content();
  }

  // `all`: the bytes of the whole file.
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
  InputFile file(path, "give a file that `orderlab sample --counts` wrote", Pipes::refused);  // a merge reads it twice
  return counts_from_bytes(file.rest(), path);
}

void require_same_sampling(const CountsFile& one, const std::string& path, const CountsFile& other,
                           const std::string& other_path) {
  const auto same = [](const CountedOrder& a, const CountedOrder& b) {
    return a.expression == b.expression && a.random == b.random;
  };
  const bool same_orders =
      std::equal(one.orders.begin(), one.orders.end(), other.orders.begin(), other.orders.end(), same);
  if (one.config == other.config && same_orders) return;
  const std::string problem = other_path + ": holds other samples than " + path;
  const std::string orders = order_in_words(other);
  if (orders != order_in_words(one))
    throw Error(ErrorKind::input, problem + ": its order is " + orders + ", not " + order_in_words(one));
  for (const auto& [key, value] : one.config.members())
    if (!(other.config[key] == value))
      throw Error(ErrorKind::input,
                  problem + ": its " + key + " is " + other.config[key].dump() + ", not " + value.dump());
  throw Error(ErrorKind::input, problem);
}

}  // namespace orderlab
