// A JSON value: what documents are built of, and what those that a store keeps are read into.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace orderlab {

/// null, true or false, an integer, a number, a text, an array, or an object whose members stay in the order they came.
///
/// A plain class, since a seventh of all that is compiled handles JSON: the library that reads it and formats numbers
/// and texts is included by json.cpp alone. Destroying a value allocates nothing.
/// Errors: reading a value as what it is not, and a text that is not JSON, are Error(input).
class Json {
 public:
  struct Member;

  Json() noexcept;  ///< null
  Json(std::nullptr_t) noexcept : Json() {}
  Json(bool truth);
  Json(int number) : Json(static_cast<long long>(number)) {}
  Json(long number) : Json(static_cast<long long>(number)) {}
  Json(long long number);
  Json(unsigned number) : Json(static_cast<unsigned long long>(number)) {}
  Json(unsigned long number) : Json(static_cast<unsigned long long>(number)) {}
  Json(unsigned long long number);
  Json(double number);  ///< written as null where it is not finite
  Json(const char* text);
  Json(const void* pointer) = delete;  // would be a truth value
  Json(std::string_view text);
  Json(std::string text);
  Json(std::vector<Json> values);
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }

  /// An object where each value is an array of a text and another value, which make a member; else an array.
  Json(std::initializer_list<Json> values);

  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> values = {});
  static Json object();

  /// A later member takes the place of an earlier one of its key. At most 100 arrays and objects inside each other.
  static Json parse(std::string_view text);

  /// On one line, or each value on its own, indented by this many blanks per level. What is not UTF-8 becomes U+FFFD.
  std::string dump(int indent = -1) const;

  bool is_null() const;
  bool is_number() const;
  bool is_count() const;  ///< an integer of at least 0
  bool is_text() const;
  bool is_array() const;
  bool is_object() const;

  double number() const;  ///< integers too
  std::uint64_t count() const;
  const std::string& text() const;

  /// Elements or members; 0 for null.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// The element of an array; Error(input) where it has none there.
  const Json& operator[](std::integral auto position) const { return at(static_cast<std::size_t>(position)); }
  Json& operator[](std::integral auto position) { return const_cast<Json&>(std::as_const(*this)[position]); }
  const Json& at(std::size_t position) const;
  const Json& front() const { return at(0); }
  const Json& back() const { return at(size() - 1); }
  std::span<const Json> elements() const;
  std::span<Json> elements();
  const Json* begin() const { return elements().data(); }
  const Json* end() const { return begin() + elements().size(); }
  void push_back(Json value);  ///< null becomes an array

  /// The member of an object: null where a constant one has none; any other one gets it, and null becomes an object.
  const Json& operator[](std::string_view key) const;
  Json& operator[](std::string_view key);
  bool contains(std::string_view key) const;
  std::span<const Member> members() const;
  std::span<Member> members();
  void erase(std::string_view key);
  void update(const Json& object);  ///< takes over its members

  /// Integers and numbers by their value, members in their order.
  friend bool operator==(const Json& a, const Json& b);
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  void write(std::string& out, int indent, int level) const;
  const Json* find(std::string_view key) const;

  /// A negative integer is the only one that is not a count.
  std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, std::string, std::vector<Json>,
               std::vector<Member>>
      value_;
};

struct Json::Member {
  std::string key;
  Json value;
  bool operator==(const Member&) const = default;
};

}  // namespace orderlab
