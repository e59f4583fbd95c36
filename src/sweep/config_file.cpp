#include "sweep/config_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include "config/axis.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "sweep/toml_file.hpp"

namespace orderlab {

namespace {

// A range of more values than this is a slip.
constexpr std::size_t kMostValues = 1'000'000;

// Whole numbers up to here are written exactly by a TOML float such as 1e6.
constexpr double kLargestWhole = 0x1p53;

class ConfigReader {
 public:
  explicit ConfigReader(std::string path) : path_(std::move(path)) {}

  ConfigFile read() {
    ConfigFile config;
    config.path = path_;
    const toml::table table = read_toml(path_);
    check_keys(table, top_keys(), "key");
    config.title = text_of(table, "title");
    config.question = text_of(table, "question");
    const AxisValues operations = axis(table, axes::kOp);
    has_sums_ = std::any_of(operations.begin(), operations.end(),
                            [](const AxisValue& value) { return value.text == axes::kOp.default_text; });
    for (const Axis* key : axis_list()) {
      config.axes.push_back(axis(table, *key));
      config.given.push_back(table.contains(key->name));
    }
    config.published = published(table, operations);
    if (const toml::node* excluded = table.get("exclude")) read_exclusions(*excluded, config);
    return config;
  }

 private:
  std::string place(const toml::source_region& where) const { return toml_place(path_, where); }

  [[noreturn]] void fail(const toml::source_region& where, const std::string& problem) const {
    throw Error(ErrorKind::input, place(where) + ": " + problem);
  }

  static std::vector<std::string> top_keys() {
    std::vector<std::string> keys{"title", "question", "published", "exclude"};
    for (const Axis* key : axis_list()) keys.emplace_back(key->name);
    return keys;
  }

  void check_keys(const toml::table& table, const std::vector<std::string>& known, const std::string& what) const {
    for (const auto& [key, node] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        fail(key.source(), unknown_name(what, key.str(), known));
  }

  std::string text_of(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (!node->is_string()) fail(node->source(), key + ": must be a text in quotes");
    return text_in(*node, key);
  }

  // The file is looked for in the config's folder.
  PublishedPoints published(const toml::table& table, const AxisValues& operations) const {
    const toml::node* node = table.get("published");
    if (node == nullptr) return {};
    const std::string file = text_of(table, "published");
    if (file.empty()) fail(node->source(), "published: is empty; name a CSV file");
    if (std::all_of(operations.begin(), operations.end(),
                    [](const AxisValue& value) { return value.text == axes::kOp.default_text; }))
      fail(node->source(), "published: is about operations with many outputs; add op, such as op = \"index_add\"");
    return read_published((std::filesystem::path(path_).parent_path() / file).string());
  }

  AxisValues axis(const toml::table& table, const Axis& key) const {
    const toml::node* node = table.get(key.name);
    if (node == nullptr) {
      if (key.default_text.empty() && (!has_sums_ || (key.name == axes::kN.name && has_file(table)))) return {};
      if (key.default_text.empty())
        throw Error(ErrorKind::input, fmt::format("{}: {} is missing: {}", path_, key.name, key.help));
      return key.default_text == kAbsent ? AxisValues{} : AxisValues{{std::string(key.default_text), path_}};
    }
    AxisValues values = values_of(*node, key);
    if (values.empty()) fail(node->source(), std::string(key.name) + ": is empty; give at least one value");
    return values;
  }

  // Whether terms are those of a file, which says how many there are.
  static bool has_file(const toml::table& table) {
    const auto is_file = [](const toml::node& node) {
      const auto* text = node.as_string();
      return text != nullptr && !read_count(text->get()).value;
    };
    const toml::node* input = table.get(axes::kInput.name);
    if (input == nullptr) return false;
    const toml::array* list = input->as_array();
    return list == nullptr ? is_file(*input) : std::any_of(list->begin(), list->end(), is_file);
  }

  // One value, a list of values and ranges, or a range; a value that comes again is dropped.
  AxisValues values_of(const toml::node& node, const Axis& key) const {
    AxisValues values;
    std::unordered_set<std::string> known;
    const auto add = [&](AxisValues more) {
      for (AxisValue& value : more)
        if (known.insert(value.text).second) values.push_back(std::move(value));
    };
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& entry : *list) {
        if (entry.is_array()) fail(entry.source(), std::string(key.name) + ": is a list in a list");
        add(values_of(entry, key));
      }
    } else if (node.is_table()) {
      add(range(*node.as_table(), key));
    } else {
      add({{value(node, key), place(node.source())}});
    }
    return values;
  }

  std::string value(const toml::node& node, const Axis& key) const {
    if (const auto* quoted = node.as_string(); quoted != nullptr && !key.word.empty() && quoted->get() == key.word)
      return std::string(key.word);
    if (const auto* quoted = node.as_string(); quoted != nullptr && key.or_file && !read_count(quoted->get()).value)
      return text_in(node, key.name);
    if (key.kind == AxisKind::count) return std::to_string(count(node, std::string(key.name), key.low));
    if (key.kind == AxisKind::real) return real(node, std::string(key.name));
    if (!node.is_string() || (**node.as_string()).empty())
      fail(node.source(), fmt::format("{}: must be a text in quotes: {}", key.name, key.help));
    return text_in(node, key.name);
  }

  // The text of a string, which \u0000 and its like would carry into pages, stores and terminals.
  std::string text_in(const toml::node& node, std::string_view key) const {
    const std::string& text = **node.as_string();
    const auto at = std::find_if(text.begin(), text.end(),
                                 [](char c) { return (c >= 0 && c < ' ' && c != '\t' && c != '\n') || c == '\x7f'; });
    if (at != text.end())
      fail(node.source(), fmt::format("{}: holds the control character {}; a text is characters that print", key,
                                      static_cast<int>(*at)));
    return text;
  }

  // An integer, a float that is whole (TOML's 1e6), or a text as on the command line ("2^20").
  std::uint64_t count(const toml::node& node, const std::string& name, std::uint64_t low) const {
    std::string text;
    if (const auto* whole = node.as_integer()) {
      text = std::to_string(whole->get());
    } else if (const auto* real = node.as_floating_point()) {
      if (!(std::fabs(real->get()) <= kLargestWhole))
        fail(node.source(), name + ": is too large for a TOML float; write it in digits");
      text = fmt::format("{}", real->get());
    } else if (const auto* quoted = node.as_string()) {
      text = quoted->get();
    } else {
      fail(node.source(), name + ": must be a count such as 1000, 1e6 or \"2^20\"");
    }
    try {
      return parse_count(name, text, low);
    } catch (const Error& error) {
      fail(node.source(), error.what());
    }
  }

  std::string real(const toml::node& node, const std::string& name) const {
    std::optional<double> number = node.value<double>();
    if (const auto* quoted = node.as_string()) number = read_real(quoted->get());
    if (!number || !std::isfinite(*number)) fail(node.source(), name + ": must be a number such as 0.5");
    return shortest(*number);
  }

  double factor_of(const toml::node& node) const {
    const std::optional<double> factor = node.value<double>();
    if (!factor || !(*factor > 1) || std::isinf(*factor))
      fail(node.source(), "factor: must be a number above 1, such as 10");
    return *factor;
  }

  // { from, to } in steps of 1, which a size has to say, { from, to, step }, or { from, to, factor }: from * factor^k,
  // rounded to whole numbers.
  AxisValues range(const toml::table& table, const Axis& key) const {
    const std::string name(key.name);
    if (key.kind == AxisKind::real) fail(table.source(), name + ": takes no range; give a list");
    if (key.kind != AxisKind::count) fail(table.source(), name + ": has texts, so it takes no range; give a list");
    check_keys(table, {"from", "to", "step", "factor"}, "key of a range");
    for (const char* end : {"from", "to"})
      if (!table.contains(end)) fail(table.source(), fmt::format("{}: a range needs {}", name, end));
    if (table.contains("step") && table.contains("factor"))
      fail(table.source(), name + ": a range has a step or a factor, not both");
    if (key.role == AxisRole::size && !table.contains("step") && !table.contains("factor"))
      fail(table.source(), name +
                               ": a range needs a step or a factor, such as { from = 10, to = 1000, factor = 10 }; "
                               "step = 1 is every number");
    const std::uint64_t from = count(*table.get("from"), name + ".from", key.low);
    const std::uint64_t to = count(*table.get("to"), name + ".to", key.low);
    std::vector<std::uint64_t> numbers;
    if (const toml::node* factor = table.get("factor"))
      numbers = geometric(from, to, factor_of(*factor), name, table);
    else
      numbers =
          arithmetic(from, to, table.contains("step") ? count(*table.get("step"), name + ".step", 1) : 1, name, table);
    AxisValues values;
    for (const std::uint64_t number : numbers) values.push_back({std::to_string(number), place(table.source())});
    return values;
  }

  std::vector<std::uint64_t> arithmetic(std::uint64_t from, std::uint64_t to, std::uint64_t step,
                                        const std::string& name, const toml::table& table) const {
    if (from <= to && (to - from) / step >= kMostValues)
      fail(table.source(), fmt::format("{}: is a range of more than {} values", name, kMostValues));
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = from; number <= to; number += step) {
      numbers.push_back(number);
      if (to - number < step) break;  // the next one might overflow
    }
    return numbers;
  }

  std::vector<std::uint64_t> geometric(std::uint64_t from, std::uint64_t to, double factor, const std::string& name,
                                       const toml::table& table) const {
    if (from == 0) fail(table.source(), name + ": a range with a factor cannot begin with 0");
    std::vector<std::uint64_t> numbers;
    for (double number = static_cast<double>(from); std::round(number) <= static_cast<double>(to); number *= factor) {
      if (number > kLargestWhole || numbers.size() >= kMostValues)
        fail(table.source(), fmt::format("{}: is a range that goes too far", name));
      const auto whole = static_cast<std::uint64_t>(std::llround(number));
      if (numbers.empty() || whole > numbers.back()) numbers.push_back(whole);
    }
    return numbers;
  }

  void read_exclusions(const toml::node& node, ConfigFile& config) const {
    const toml::array* list = node.as_array();
    if (list == nullptr)
      fail(node.source(), "exclude: must be a list of tables, such as [{ order = \"ao\", n = 1e6 }]");
    for (const toml::node& entry : *list) {
      const toml::table* table = entry.as_table();
      if (table == nullptr || table->empty())
        fail(entry.source(), "exclude: an entry must be a table with conditions, such as { order = \"ao\", n = 1e6 }");
      std::vector<std::string> known;
      for (const Axis* key : axis_list()) known.emplace_back(key->name);
      check_keys(*table, known, "key");
      std::vector<Condition> conditions;
      for (const auto& [key, value] : *table) conditions.push_back(condition(key.str(), value, config));
      config.excluded.push_back(std::move(conditions));
    }
  }

  Condition condition(std::string_view name, const toml::node& node, const ConfigFile& config) const {
    Condition result;
    result.axis = axis_position(name);
    const Axis& key = *axis_list()[result.axis];
    const toml::table* table = node.as_table();
    if (table != nullptr && key.kind == AxisKind::count) {
      check_keys(*table, {"from", "to"}, "key of a condition");
      if (const toml::node* from = table->get("from")) result.from = count(*from, std::string(name) + ".from", 0);
      if (const toml::node* to = table->get("to")) result.to = count(*to, std::string(name) + ".to", 0);
      return result;
    }
    std::vector<std::string> there;
    for (const AxisValue& value : config.axes[result.axis]) there.push_back(value.text);
    for (const AxisValue& value : values_of(node, key)) {
      if (std::find(there.begin(), there.end(), value.text) == there.end())
        fail(node.source(), "exclude: " + unknown_name("value of " + std::string(name), value.text, there));
      result.values.push_back(value.text);
    }
    return result;
  }

  std::string path_;
  bool has_sums_ = true;
};

}  // namespace

ConfigFile read_config(const std::string& path) { return ConfigReader(path).read(); }

}  // namespace orderlab
