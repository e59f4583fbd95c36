// The values of a Matrix Market file, those that are written, in its order.
#include <utility>

#include "core/text.hpp"
#include "files/market_entries.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

class MarketTexts : public NumberTexts {
 public:
  explicit MarketTexts(std::unique_ptr<InputStream> content) : content_(std::move(content)), entries_(*content_) {
    if (entries_.pattern())
      throw file_error(content_->name(), "is a pattern, whose entries are all 1; there is nothing to round");
  }

  bool next(std::string_view& text) override {
    MarketEntry entry{};
    if (!entries_.next(entry)) return false;
    text = entry.value;
    return true;
  }
  std::string where() const override { return content_->name() + ":" + std::to_string(content_->line_number()); }
  std::string remedy() const override { return "write ROW COLUMN VALUE, such as 1 2 -2.5e3"; }
  Shape shape(std::size_t count) const override { return {count}; }

 private:
  std::unique_ptr<InputStream> content_;
  MarketEntries entries_;
};

class MarketFile : public ArrayFile {
 public:
  explicit MarketFile(OpenFile file) : file_(std::move(file)) {}

  std::vector<ArrayEntry> list() override {
    const MarketEntries entries(*file_.content);
    return {{"",
             "values of a " + std::to_string(entries.rows()) + " x " + std::to_string(entries.columns()) + " matrix",
             Shape{entries.count()}}};
  }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format>) override {
    require_array(file_.address.path, "array", name, {{"", "", {}}});
    return array_of_texts(std::make_unique<MarketTexts>(std::move(file_.content)), file_.address.path);
  }

 private:
  OpenFile file_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_market(OpenFile file) { return std::make_unique<MarketFile>(std::move(file)); }

}  // namespace orderlab
