// Tokens of CUDA C++ as far as rewriting a source needs them: comments, literals, preprocessor lines and lines that
// continue are told apart; nothing is evaluated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace orderlab::cuda_source {

enum class TokenKind : std::uint8_t {
  name,
  number,
  literal,     ///< a string or a character, raw or not, with its prefix
  sign,        ///< one character, except ::, ->, ## and <<<
  directive,   ///< a whole preprocessor line with its continuations, from the # on
};

struct Token {
  TokenKind kind;
  std::size_t begin;
  std::size_t end;
  std::string_view text;  ///< of the source, from begin to end

  bool is(std::string_view other) const { return kind != TokenKind::literal && text == other; }
};

/// The tokens of `source` in order, without comments. Never fails: what no rule covers is a sign of one character, and
/// what is not closed ends with the source.
std::vector<Token> tokens_of(std::string_view source);

/// The tokens of part of a source, [begin, end), at their places in the whole of it. Holds no directives.
std::vector<Token> tokens_within(std::string_view source, std::size_t begin, std::size_t end);

/// A preprocessor line, taken apart.
struct Directive {
  std::string_view name;  ///< "include", "define"; empty for a lone #
  std::size_t rest;       ///< place in the source behind the name
};
Directive directive_of(std::string_view source, const Token& token);

}  // namespace orderlab::cuda_source
