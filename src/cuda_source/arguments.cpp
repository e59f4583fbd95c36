#include "cuda_source/arguments.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "cuda_source/tokens.hpp"

namespace orderlab::cuda_source {

namespace {

constexpr std::array<std::string_view, 9> kCasts = {
    "reinterpret_cast", "static_cast", "const_cast", "void", "const", "float", "double", "int", "std"};

bool is_cast(const Token& token) { return std::find(kCasts.begin(), kCasts.end(), token.text) != kCasts.end(); }

/// `d_x` of `(void**)&this->d_x[i]`.
std::string variable_of(std::span<const Token> argument) {
  for (std::size_t i = 0; i < argument.size(); ++i) {
    const Token& token = argument[i];
    const auto follows = [&](std::string_view sign) { return i + 1 < argument.size() && argument[i + 1].is(sign); };
    if (token.kind != TokenKind::name || is_cast(token) ||
        (follows("*") && i + 2 < argument.size() && (argument[i + 2].is(")") || argument[i + 2].is("*"))))
      continue;
    if (follows("(") || follows("<") || follows("::")) continue;
    if ((follows("->") || follows(".")) && i + 2 < argument.size() && argument[i + 2].kind == TokenKind::name &&
        !(i + 3 < argument.size() && argument[i + 3].is("(")))
      continue;
    return std::string(token.text);
  }
  return {};
}

/// Tokens of the source from the ( of the call on; none where it is not there.
std::vector<Token> call_of(std::string_view source, std::size_t line, std::string_view function) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line; ++i) {
    begin = source.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  constexpr std::size_t kMostBytes = 2000;  // of a call
  std::vector<Token> tokens = tokens_within(source, begin, std::min(source.size(), begin + kMostBytes));
  const auto name = std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) {
    return token.kind == TokenKind::name && token.text.starts_with(function);
  });
  tokens.erase(tokens.begin(), std::find_if(name, tokens.end(), [](const Token& token) { return token.is("("); }));
  return tokens;
}

}  // namespace

std::string kernel_of_call(std::string_view source, std::size_t line, std::string_view function) {
  const std::vector<Token> tokens = call_of(source, line, function);
  const auto name = std::find_if(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.is(",") || (token.kind == TokenKind::name && !is_cast(token));
  });
  return name == tokens.end() || name->is(",") ? "" : std::string(name->text);
}

std::vector<std::string> variables_of_call(std::string_view source, std::size_t line, std::string_view function) {
  const std::vector<Token> tokens = call_of(source, line, function);
  std::vector<std::string> variables;
  std::size_t depth = 0;
  std::size_t first = 1;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool opens = token.is("(") || token.is("[") || token.is("{");
    const bool closes = token.is(")") || token.is("]") || token.is("}");
    if (opens) ++depth;
    if (closes) --depth;
    if ((closes && depth == 0) || (depth == 1 && token.is(","))) {
      variables.push_back(variable_of(std::span(tokens).subspan(first, i - first)));
      first = i + 1;
      if (depth == 0) return variables;
    }
  }
  return {};
}

}  // namespace orderlab::cuda_source
