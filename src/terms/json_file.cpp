// Arrays of numbers in JSON: the whole file, or a member of the object that it is. Arrays of arrays have a shape.
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "files/json_members.hpp"
#include "files/json_scanner.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

/// The numbers of an array, whatever the arrays inside it; those of one level have to be of one length.
class JsonTexts : public NumberTexts {
 public:
  JsonTexts(std::string_view array, std::string where) : scanner_(array), where_(std::move(where)) {
    refusing([&] {
      scanner_.expect('[');
      open_.push_back(0);
    });
  }

  bool next(std::string_view& text) override {
    return refusing([&] { return next_number(text); });
  }
  std::string where() const override { return where_; }
  std::string remedy() const override { return "write an array of numbers, such as [0.1, -2e3]"; }
  Shape shape(std::size_t) const override {
    Shape shape;
    for (const auto& extent : extents_) shape.push_back(*extent);
    return shape;
  }

 private:
  template <class Call>
  auto refusing(Call call) -> decltype(call()) {
    try {
      return call();
    } catch (const Error& error) {
      throw file_error(where_, error.what());
    }
  }

  /// Ends the innermost array.
  void close() {
    const std::size_t level = open_.size() - 1;
    if (extents_.size() <= level) extents_.resize(level + 1);
    if (extents_[level].value_or(open_.back()) != open_.back())
      scanner_.fail("arrays of different lengths, " + std::to_string(*extents_[level]) + " and " +
                    std::to_string(open_.back()) + ",");
    if (open_.back() == 0) scanner_.fail("an empty array");
    extents_[level] = open_.back();
    open_.pop_back();
  }

  bool next_number(std::string_view& text) {
    constexpr std::size_t kMostLevels = 8;
    while (!open_.empty()) {
      if (scanner_.take(']')) {
        close();
        continue;
      }
      if (open_.back()++ > 0) scanner_.expect(',');
      if (scanner_.take('[')) {
        if (numbers_at_ && open_.size() >= *numbers_at_) scanner_.fail("an array among numbers");
        if (open_.size() == kMostLevels) scanner_.fail("more than 8 arrays inside each other");
        open_.push_back(0);
        continue;
      }
      if (numbers_at_.value_or(open_.size()) != open_.size()) scanner_.fail("a number among arrays");
      numbers_at_ = open_.size();
      const char first = scanner_.next();
      if (first == 'N' || first == 'I') scanner_.fail("JSON has no NaN or Infinity; write a .txt or .npy,");
      if (first != '-' && (first < '0' || first > '9'))
        scanner_.fail(in_quotes(scanner_.value()) + " is not a number; " + remedy() + ",");
      text = scanner_.number();
      return true;
    }
    scanner_.require_end();
    return false;
  }

  JsonScanner scanner_;
  std::string where_;
  std::vector<std::size_t> open_;  ///< values so far of the arrays that are open
  std::vector<std::optional<std::size_t>> extents_;
  std::optional<std::size_t> numbers_at_;  ///< how many arrays are around each number
};

class JsonFile : public ArrayFile {
 public:
  explicit JsonFile(const OpenFile& file) : path_(file.address.path), text_(file.content->rest(kMostJsonBytes)) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (text_.starts_with(kMark)) text_.erase(0, kMark.size());
    if (JsonScanner(text_).next() != '{') return;
    try {
      members_ = json_members(text_);
    } catch (const Error& error) {
      throw file_error(path_, error.what());
    }
  }

  std::vector<ArrayEntry> list() override {
    if (!members_) return {describe("", text_)};
    std::vector<ArrayEntry> entries;
    for (const JsonMember& member : *members_) entries.push_back(describe(member.key, member.value));
    return entries;
  }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format>) override {
    return array_of_texts(texts(found_name(name)), path_);
  }

  bool each_text(const std::string& name,
                 const std::function<void(const std::string&, std::string_view)>& use) override {
    const auto numbers = texts(found_name(name));
    for (std::string_view text; numbers->next(text);) use(numbers->where(), text);
    return true;
  }

 private:
  std::string found_name(const std::string& name) const {
    std::vector<ArrayEntry> arrays;
    if (!members_) arrays.push_back({});
    if (members_)
      for (const JsonMember& member : *members_)
        if (member.value.starts_with('[') || member.key == name) arrays.push_back({member.key, "", {}});
    return require_array(path_, "array", name, arrays).name;
  }

  static constexpr std::uint64_t kMostJsonBytes = std::uint64_t{1} << 34;

  std::unique_ptr<NumberTexts> texts(const std::string& name) const {
    if (!members_) return std::make_unique<JsonTexts>(text_, path_);
    for (const JsonMember& member : *members_)
      if (member.key == name) return std::make_unique<JsonTexts>(member.value, path_ + "::" + name);
    return nullptr;
  }

  ArrayEntry describe(const std::string& name, std::string_view value) const {
    if (JsonScanner(value).next() != '[') return {name, "no array", {}};
    try {
      const auto numbers = texts(name);
      std::size_t count = 0;
      for (std::string_view text; numbers->next(text);) ++count;
      return {name, "numbers", numbers->shape(count)};
    } catch (const Error&) {
      return {name, "no array of numbers", {}};
    }
  }

  std::string path_;
  std::string text_;
  std::optional<std::vector<JsonMember>> members_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_json(OpenFile file) { return std::make_unique<JsonFile>(file); }

}  // namespace orderlab
