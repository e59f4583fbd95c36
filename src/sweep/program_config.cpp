#include "sweep/program_config.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "sweep/toml_file.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostProgramPoints = 10'000;

class ProgramConfigReader {
 public:
  explicit ProgramConfigReader(const std::string& path) { config_.path = path; }

  std::optional<ProgramConfig> read() {
    const toml::table table = read_toml(config_.path);
    const toml::node* const command = table.get("command");
    if (command == nullptr) return std::nullopt;
    if (!command->is_string()) fail(*command, "command: must be a text in quotes, such as \"solve\"");
    config_.command = value_of(*command, "command");
    config_.command_place = toml_place(config_.path, command->source());
    std::size_t points = 1;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "command") continue;
      if (name == "title" || name == "question") {
        if (!node.is_string()) fail(node, name + ": must be a text in quotes");
        (name == "title" ? config_.title : config_.question) = value_of(node, name);
        continue;
      }
      config_.keys.push_back({name, toml_place(config_.path, key.source()), values_of(node, name)});
      points *= config_.keys.back().values.size();
      if (points > kMostProgramPoints)
        fail(node, "more than " + std::to_string(kMostProgramPoints) + " points; give fewer values");
    }
    // a table of toml++ is sorted by key; points follow the file
    std::stable_sort(config_.keys.begin(), config_.keys.end(),
                     [&](const ProgramKey& a, const ProgramKey& b) { return line(table, a) < line(table, b); });
    return std::move(config_);
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
    throw Error(ErrorKind::input, toml_place(config_.path, node.source()) + ": " + problem);
  }

  static std::pair<std::uint32_t, std::uint32_t> line(const toml::table& table, const ProgramKey& key) {
    const toml::source_position begin = table.get(key.name)->source().begin;
    return {begin.line, begin.column};
  }

  std::string value_of(const toml::node& node, const std::string& key) const {
    if (const auto text = node.value_exact<std::string>()) return *text;
    if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
    if (const auto number = node.value_exact<double>()) return shortest(*number);
    fail(node, key + ": must be a text in quotes, a number, or a list of these");
  }

  std::vector<std::string> values_of(const toml::node& node, const std::string& key) const {
    const toml::array* const list = node.as_array();
    if (list == nullptr) return {value_of(node, key)};
    std::vector<std::string> values;
    for (const toml::node& element : *list) values.push_back(value_of(element, key));
    if (values.empty()) fail(node, key + ": is empty; give at least one value");
    return values;
  }

  ProgramConfig config_;
};

}  // namespace

std::vector<std::vector<std::pair<const ProgramKey*, std::string>>> ProgramConfig::points() const {
  std::vector<std::vector<std::pair<const ProgramKey*, std::string>>> all(1);
  for (const ProgramKey& key : keys) {
    auto before = std::move(all);
    all.clear();
    for (const auto& point : before)
      for (const std::string& value : key.values) {
        all.push_back(point);
        all.back().emplace_back(&key, value);
      }
  }
  return all;
}

std::optional<ProgramConfig> read_program_config(const std::string& path) { return ProgramConfigReader(path).read(); }

}  // namespace orderlab
