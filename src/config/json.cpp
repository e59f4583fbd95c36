#include "config/json.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

using Library = nlohmann::ordered_json;

const Json kNull;

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorKind::input, "JSON: " + what); }

/// The value as the alternative T; Error(input) names what it should have been.
template <class T, class Variant>
auto& as(Variant& value, const char* what) {
  auto* held = std::get_if<T>(&value);
  if (held == nullptr) fail(std::string("not ") + what);
  return *held;
}

/// What the library calls while it reads a text: each value goes into the innermost open array or object.
class Builder : public nlohmann::json_sax<Library> {
 public:
  Json root;
  std::string wrong;

  bool null() override { return add(Json()); }
  bool boolean(bool truth) override { return add(truth); }
  bool number_integer(std::int64_t number) override { return add(number); }
  bool number_unsigned(std::uint64_t number) override { return add(number); }
  // The library gives the text a point of the process's locale, and reads it so; of some locales only the first byte.
  bool number_float(double number, const std::string& token) override {
    std::string text = token;
    const auto is_of_number = [](char c) {
      return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == 'e' || c == 'E';
    };
    std::ranges::replace_if(text, std::not_fn(is_of_number), '.');
    return add(read_real(text).value_or(number));
  }
  bool string(std::string& text) override { return add(std::move(text)); }
  bool binary(Library::binary_t&) override { return false; }
  bool key(std::string& text) override {
    place_ = &(*open_.back())[text];
    return true;
  }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const Library::exception& error) override {
    wrong = error.what();
    return false;
  }

 private:
  static constexpr std::size_t kMostOpen = 100;

  Json* put(Json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    if (open_.back()->is_object()) return &(*place_ = std::move(value));
    open_.back()->push_back(std::move(value));
    return &open_.back()->elements().back();
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(put(std::move(value)));
    if (open_.size() > kMostOpen)
      wrong = "more than " + std::to_string(kMostOpen) + " arrays and objects inside each other";
    return open_.size() <= kMostOpen;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;  ///< the innermost last; none grows while one inside it is open
  Json* place_ = nullptr;    ///< where the value of the key that was read goes
};

bool plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

void write_text(std::string& out, const std::string& text) {
  if (std::all_of(text.begin(), text.end(), plain))
    out.append(1, '"').append(text).append(1, '"');
  else
    out += printable(Library(text).dump(-1, ' ', false, Library::error_handler_t::replace));  // DEL, C1 and their like
}

void new_line(std::string& out, int indent, int level) {
  if (indent >= 0) out.append(1, '\n').append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(bool truth) : value_(truth) {}
Json::Json(unsigned long long number) : value_(std::uint64_t{number}) {}
Json::Json(long long number) : Json(static_cast<unsigned long long>(number)) {
  if (number < 0) value_ = std::int64_t{number};
}
Json::Json(double number) : value_(number) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::vector<Json> values) : value_(std::move(values)) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> values) {
  const bool members = std::all_of(values.begin(), values.end(), [](const Json& value) {
    return value.is_array() && value.size() == 2 && value.front().is_text();
  });
  if (!members) {
    value_ = std::vector<Json>(values);
    return;
  }
  value_ = std::vector<Member>();
  for (const Json& value : values) (*this)[value.front().text()] = value.back();
}

Json Json::array(std::initializer_list<Json> values) { return Json(std::vector<Json>(values)); }

Json Json::object() {
  Json json;
  json.value_ = std::vector<Member>();
  return json;
}

Json Json::parse(std::string_view text) {
  Builder builder;
  if (!Library::sax_parse(text, &builder)) fail(builder.wrong);
  return std::move(builder.root);
}

std::string Json::dump(int indent) const {
  std::string out;
  write(out, indent, 0);
  return out;
}

bool Json::is_null() const { return std::holds_alternative<std::monostate>(value_); }
bool Json::is_number() const {
  return is_count() || std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<double>(value_);
}
bool Json::is_count() const { return std::holds_alternative<std::uint64_t>(value_); }
bool Json::is_text() const { return std::holds_alternative<std::string>(value_); }
bool Json::is_array() const { return std::holds_alternative<std::vector<Json>>(value_); }
bool Json::is_object() const { return std::holds_alternative<std::vector<Member>>(value_); }

double Json::number() const {
  if (const auto* count = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*count);
  if (const auto* integer = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*integer);
  return as<double>(value_, "a number");
}

std::uint64_t Json::count() const { return as<std::uint64_t>(value_, "a count"); }
const std::string& Json::text() const { return as<std::string>(value_, "a text"); }

std::size_t Json::size() const {
  if (is_null()) return 0;
  return is_object() ? members().size() : elements().size();
}

const Json& Json::at(std::size_t position) const {
  const std::span<const Json> all = elements();
  if (position >= all.size()) fail("an array has no element " + std::to_string(position));
  return all[position];
}

std::span<const Json> Json::elements() const { return as<std::vector<Json>>(value_, "an array"); }
std::span<Json> Json::elements() { return as<std::vector<Json>>(value_, "an array"); }
std::span<const Json::Member> Json::members() const { return as<std::vector<Member>>(value_, "an object"); }
std::span<Json::Member> Json::members() { return as<std::vector<Member>>(value_, "an object"); }

void Json::push_back(Json value) {
  if (is_null()) value_ = std::vector<Json>();
  as<std::vector<Json>>(value_, "an array").push_back(std::move(value));
}

const Json* Json::find(std::string_view key) const {
  const auto* all = std::get_if<std::vector<Member>>(&value_);
  if (all == nullptr) return nullptr;
  const auto found = std::find_if(all->begin(), all->end(), [&](const Member& member) { return member.key == key; });
  return found == all->end() ? nullptr : &found->value;
}

bool Json::contains(std::string_view key) const { return find(key) != nullptr; }

const Json& Json::operator[](std::string_view key) const {
  const Json* found = find(key);
  return found == nullptr ? kNull : *found;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = std::vector<Member>();
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  return as<std::vector<Member>>(value_, "an object").emplace_back(Member{std::string(key), Json()}).value;
}

void Json::erase(std::string_view key) {
  std::erase_if(as<std::vector<Member>>(value_, "an object"), [&](const Member& member) { return member.key == key; });
}

void Json::update(const Json& object) {
  for (const auto& [key, value] : object.members()) (*this)[key] = value;
}

void Json::write(std::string& out, int indent, int level) const {
  const auto list = [&](char open, char close, const auto& all, const auto& write_one) {
    out += open;
    for (const auto& one : all) {
      if (&one != &all[0]) out += ',';
      new_line(out, indent, level + 1);
      write_one(one);
    }
    if (!all.empty()) new_line(out, indent, level);
    out += close;
  };
  if (is_object())
    list('{', '}', members(), [&](const Member& member) {
      write_text(out, member.key);
      out += indent >= 0 ? ": " : ":";
      member.value.write(out, indent, level + 1);
    });
  else if (is_array())
    list('[', ']', elements(), [&](const Json& value) { value.write(out, indent, level + 1); });
  else if (is_text())
    write_text(out, text());
  else if (const auto* truth = std::get_if<bool>(&value_))
    out += *truth ? "true" : "false";
  else if (const auto* integer = std::get_if<std::int64_t>(&value_))
    out += std::to_string(*integer);
  else if (is_count())
    out += std::to_string(count());
  else
    out += is_null() ? "null" : Library(number()).dump();
}

bool operator==(const Json& a, const Json& b) {
  return a.is_number() && b.is_number() && a.value_.index() != b.value_.index() ? a.number() == b.number()
                                                                                : a.value_ == b.value_;
}

std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

}  // namespace orderlab
