// The grammar of orders (src/docs/reference/grammar.md): text to calls, with positions for error messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

struct SyntaxCall;

/// One argument as written: a word, number or quoted text, a call with arguments of its own, or several of them.
struct SyntaxArgument {
  std::string key;                ///< the key in key=..., else empty
  std::string text;               ///< the word or quoted text; of calls, the name of the first
  std::vector<SyntaxCall> calls;  ///< one for a call with parentheses, all of call { "|" call }, else none
  std::size_t position = 0;       ///< where its first character stands, from 1
  bool quoted = false;
};

/// NAME or NAME(arguments).
struct SyntaxCall {
  std::string name;
  std::size_t position = 0;  ///< where its first character stands, from 1
  std::vector<SyntaxArgument> arguments;
};

/// Reads call { "|" call }. Error(usage) "order 'TEXT': position P: ...".
std::vector<SyntaxCall> parse_pipeline(std::string_view text);

/// The text as one call. Error(usage) naming `what` otherwise.
SyntaxCall parse_call(std::string_view what, std::string_view text);

/// Error(usage) "WHAT 'TEXT': position P: PROBLEM".
[[noreturn]] void fail_at(std::string_view what, std::string_view text, std::size_t position,
                          const std::string& problem);

}  // namespace orderlab
