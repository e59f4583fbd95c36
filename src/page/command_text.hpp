// The command that repeats a finding.
#pragma once

#include <string>

#include "describe/option.hpp"

namespace orderlab {

class CommandText {
 public:
  /// `begins`: "orderlab train".
  explicit CommandText(std::string begins) : text_(std::move(begins)) {}

  /// Adds nothing if the value is empty.
  void add(const Flag& flag, const std::string& value);

  /// All options of the request that have a value and on which results depend.
  template <class T>
  void add_options(const OptionsOf<T>& options, const T& request) {
    for (const Option& option : options.rows)
      if (!option.flag->speed_only) add(*option.flag, option.text(*option.flag, &request));
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace orderlab
