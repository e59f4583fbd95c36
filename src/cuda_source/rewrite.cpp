#include "cuda_source/rewrite.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "cuda_source/tokens.hpp"

namespace orderlab::cuda_source {

namespace {

constexpr std::array<std::string_view, 4> kBuiltIns = {"gridDim", "blockDim", "blockIdx", "threadIdx"};
constexpr std::array<std::string_view, 4> kOfTheDevice = {"__global__", "__device__", "__launch_bounds__",
                                                          "__shared__"};
// Names in front of a name that they do not declare.
constexpr std::array<std::string_view, 13> kNoTypes = {"return",    "else",     "do",      "case",   "throw",
                                                       "goto",      "new",      "delete",  "sizeof", "co_yield",
                                                       "co_return", "co_await", "operator"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, const Token& token) {
  return token.kind == TokenKind::name && std::find(names.begin(), names.end(), token.text) != names.end();
}

bool opens(const Token& t) { return t.is("(") || t.is("[") || t.is("{"); }
bool closes(const Token& t) { return t.is(")") || t.is("]") || t.is("}"); }

struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

using Tokens = std::span<const Token>;

/// Index of the bracket that the one at `i` closes, of any kind; nothing where there is none.
std::optional<std::size_t> back_over_brackets(Tokens tokens, std::size_t i) {
  for (std::size_t depth = 0;; --i) {
    if (tokens[i].kind == TokenKind::directive) return {};
    if (closes(tokens[i])) ++depth;
    if (opens(tokens[i]) && --depth == 0) return i;
    if (i == 0) return {};
  }
}

/// The same of template arguments: index of the < for the > at `i`.
std::optional<std::size_t> back_over_arguments(Tokens tokens, std::size_t i) {
  for (std::size_t depth = 0;; --i) {
    const Token& token = tokens[i];
    if (token.is(">")) ++depth;
    if (token.is("<") && --depth == 0) return i;
    if (closes(token) && !token.is("}")) {
      const auto open = back_over_brackets(tokens, i);
      if (!open) return {};
      i = *open;
    } else if (opens(token) || token.is("}") || token.is(";") || token.kind == TokenKind::directive) {
      return {};
    }
    if (i == 0) return {};
  }
}

/// Index of the first token of the expression that ends in front of index `end`: what a launch calls.
std::optional<std::size_t> callee_begin(Tokens tokens, std::size_t end) {
  std::size_t i = end;
  while (i > 0) {
    const std::size_t last = i - 1;
    if (tokens[last].is(">")) {
      const auto open = back_over_arguments(tokens, last);
      if (!open || *open == 0) return {};
      i = *open;
      if (tokens[i - 1].kind != TokenKind::name) return {};
      continue;
    }
    if (tokens[last].is(")") || tokens[last].is("]")) {
      const auto open = back_over_brackets(tokens, last);
      if (!open) return {};
      i = *open;
      const bool follows = i > 0 && !is_one_of(kNoTypes, tokens[i - 1]) &&
                           (tokens[i - 1].kind == TokenKind::name || tokens[i - 1].is(">") || tokens[i - 1].is("]") ||
                            (tokens[last].is("]") && tokens[i - 1].is(")")));
      if (follows) continue;
      return i;
    }
    if (tokens[last].kind != TokenKind::name || is_one_of(kNoTypes, tokens[last])) return {};
    i = last;
    if (i > 0 && tokens[i - 1].is("template")) --i;
    if (i == 0) return i;
    const Token& before = tokens[i - 1];
    if (before.is(".") || before.is("->") || before.is("##")) {
      --i;
    } else if (before.is("::")) {
      --i;
      if (i == 0 || is_one_of(kNoTypes, tokens[i - 1]) ||
          (tokens[i - 1].kind != TokenKind::name && !tokens[i - 1].is(">")))
        return i;
    } else {
      return i;
    }
  }
  return {};
}

/// Launches in the arguments of launches, of which none is rewritten beyond so many.
constexpr std::size_t kMostNested = 100;

/// Index of the first > of the >>> that closes the <<< at `i`.
std::optional<std::size_t> configuration_end(Tokens tokens, std::size_t i, std::size_t nested = 0) {
  if (nested == kMostNested) return {};
  std::size_t depth = 0;
  for (++i; i + 2 < tokens.size(); ++i) {
    if (tokens[i].is("<<<")) {  // a launch in the arguments of a launch
      const auto inner = configuration_end(tokens, i, nested + 1);
      if (!inner) return {};
      i = *inner + 2;
    } else if (opens(tokens[i])) {
      ++depth;
    } else if (closes(tokens[i])) {
      if (depth-- == 0) return {};
    } else if (depth == 0 && (tokens[i].is(";") || tokens[i].kind == TokenKind::directive)) {
      return {};
    } else if (depth == 0 && tokens[i].is(">") && tokens[i + 1].is(">") && tokens[i + 2].is(">") &&
               tokens[i + 1].begin == tokens[i].end && tokens[i + 2].begin == tokens[i + 1].end) {
      return i;
    }
  }
  return {};
}

/// The declaration of a dynamic shared array, taken apart.
struct DynamicArray {
  std::string type;
  std::string_view name;
  std::string further;  ///< extents after the first: "[32]"
};

/// What the tokens in front of a semicolon declare, if that is a dynamic shared array.
std::optional<DynamicArray> dynamic_array(Tokens declaration) {
  DynamicArray array;
  bool is_extern = false;
  bool is_shared = false;
  std::size_t extent = declaration.size();
  for (std::size_t i = 0; i < declaration.size(); ++i) {
    const Token& token = declaration[i];
    if (token.kind == TokenKind::directive) return {};
    is_extern = is_extern || token.is("extern");
    is_shared = is_shared || token.is("__shared__");
    if (extent == declaration.size() && token.is("[") && i + 1 < declaration.size() && declaration[i + 1].is("]"))
      extent = i;
  }
  if (!is_extern || !is_shared || extent == declaration.size() || extent == 0) return {};
  if (declaration[extent - 1].kind != TokenKind::name) return {};
  array.name = declaration[extent - 1].text;
  for (std::size_t i = 0; i + 1 < extent; ++i) {
    const Token& token = declaration[i];
    if (token.is("extern") || token.is("__shared__")) continue;
    if (token.is("alignas") || token.is("__align__") || token.is("__attribute__")) {  // all are aligned
      std::size_t depth = 0;
      for (++i; i + 1 < extent; ++i) {
        if (opens(declaration[i])) ++depth;
        if (closes(declaration[i]) && --depth == 0) break;
      }
      continue;
    }
    if (!array.type.empty()) array.type += ' ';
    array.type += token.text;
  }
  for (std::size_t i = extent + 2; i < declaration.size(); ++i) array.further += declaration[i].text;
  if (array.type.empty() || declaration.back().is(")")) return {};
  return array;
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view source) : source_(source) {}

  Rewritten run() {
    std::vector<Token> tokens = tokens_of(source_);
    drop_backslashes(tokens);
    walk(tokens);
    for (const Token& token : tokens)
      if (token.kind == TokenKind::directive) rewrite_macro(token);
    return {applied(), std::move(problems_)};
  }

 private:
  struct Scope {
    bool is_namespace;
    bool of_the_device;
  };
  struct Renaming {
    std::string_view name;
    std::size_t depth;  ///< scopes around it: it ends with the innermost of them
    bool is_parameter;  ///< of a function whose body has not begun
  };
  struct State {
    std::vector<Scope> scopes;
    std::size_t parentheses = 0;
    std::vector<Renaming> renamings;
  };

  /// Whether a backslash stands in front of the end of the line there, perhaps with blanks between.
  bool continues(std::size_t line_end) const {
    const std::size_t last = source_.substr(0, line_end).find_last_not_of(" \t\r\v\f");
    return last != std::string_view::npos && source_[last] == '\\';
  }

  void replace(std::size_t begin, std::size_t end, std::string text) {
    for (std::size_t i = begin; i < end; ++i)  // as many lines as before, continued where they were
      if (source_[i] == '\n') text += continues(i) ? "\\\n" : "\n";
    edits_.push_back({begin, end, std::move(text)});
  }

  void complain(const Token& token, std::string text) {
    constexpr std::size_t kMostProblems = 100;
    if (problems_.size() == kMostProblems) return;
    const auto begin = source_.begin();
    const auto lines = std::count(begin, begin + static_cast<std::ptrdiff_t>(token.begin), '\n');
    problems_.push_back({static_cast<std::size_t>(lines) + 1, std::move(text)});
  }

  // ---- The source outside of macros
  /// A backslash with only a comment between it and the end of its line: nvcc, which takes comments out first, sees a
  /// line that continues; g++ and clang refuse it.
  void drop_backslashes(std::vector<Token>& tokens) {
    const auto ends_line = [&](const Token& token) {
      const std::size_t next = (&token + 1) == tokens.data() + tokens.size() ? source_.size() : (&token + 1)->begin;
      return token.is("\\") && source_.substr(token.end, next - token.end).find('\n') != std::string_view::npos;
    };
    std::vector<Token> kept;
    for (const Token& token : tokens)
      if (ends_line(token))
        replace(token.begin, token.end, " ");
      else
        kept.push_back(token);
    tokens = std::move(kept);
  }

  void walk(Tokens tokens) {
    std::vector<State> before_condition;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      if (token.kind == TokenKind::directive) {
        follow_condition(directive_of(source_, token).name, before_condition);
        if (state_.parentheses == 0) head_ = i + 1;
        continue;
      }
      if (token.is("<<<")) rewrite_launch(tokens, i);
      if (is_one_of(kBuiltIns, token)) rename(tokens, i);
      if (token.is("__launch_bounds__")) mark_literal_bounds(tokens, i);
      if (token.is("cudaLaunchKernel") || token.is("cudaLaunchCooperativeKernel")) drop_cast(tokens, i + 1);
      if (is_asm(token)) rewrite_asm(tokens, i, of_the_device(tokens, i));
      if (token.is("(")) ++state_.parentheses;
      if (token.is(")") && state_.parentheses > 0) --state_.parentheses;
      if (token.is("{")) open_scope(tokens, i);
      if (token.is("}")) close_scope();
      if (token.is(";") && state_.parentheses == 0) {
        rewrite_declaration(tokens.subspan(head_, i - head_), in_function());
        std::erase_if(state_.renamings, [](const Renaming& each) { return each.is_parameter; });
      }
      if (((token.is(";") || token.is(":")) && state_.parentheses == 0) || token.is("{") || token.is("}"))
        head_ = i + 1;
    }
  }

  /// Both branches of a condition begin as it found the source: each may open the same scope.
  void follow_condition(std::string_view directive, std::vector<State>& before) {
    if (directive == "if" || directive == "ifdef" || directive == "ifndef") before.push_back(state_);
    if (before.empty()) return;
    if (directive == "else" || directive == "elif") state_ = before.back();
    if (directive == "endif") before.pop_back();
  }

  bool in_function() const {
    return std::any_of(state_.scopes.begin(), state_.scopes.end(), [](const Scope& s) { return !s.is_namespace; });
  }

  /// Whether the scope, or the declaration that has begun at head_, is the device's.
  bool of_the_device(Tokens tokens, std::size_t end) const {
    if (!state_.scopes.empty() && state_.scopes.back().of_the_device) return true;
    return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(head_),
                       tokens.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const Token& token) { return is_one_of(kOfTheDevice, token); });
  }

  void open_scope(Tokens tokens, std::size_t i) {
    bool is_namespace = false;
    for (std::size_t k = head_; k < i; ++k)
      is_namespace = is_namespace || tokens[k].is("namespace") ||
                     (tokens[k].is("extern") && k + 1 < i && tokens[k + 1].kind == TokenKind::literal);
    const bool device = of_the_device(tokens, i);
    state_.scopes.push_back({is_namespace, device && !is_namespace});
    for (Renaming& each : state_.renamings)
      if (each.is_parameter) {
        each.is_parameter = false;
        each.depth = state_.scopes.size();
      }
  }

  void close_scope() {
    if (!state_.scopes.empty()) state_.scopes.pop_back();
    std::erase_if(state_.renamings, [&](const Renaming& each) { return each.depth > state_.scopes.size(); });
  }

  // ---- Names of the host
  bool declares(Tokens tokens, std::size_t i) const {
    if (i == 0) return false;
    const Token& before = tokens[i - 1];
    if (before.kind == TokenKind::name) return !is_one_of(kNoTypes, before);
    if (before.is("&") || before.is("*")) return i > 1 && (tokens[i - 2].is("dim3") || tokens[i - 2].is("uint3"));
    if (!before.is(",") || i + 1 >= tokens.size()) return false;
    // dim3 a(1), b(2);
    std::size_t first = head_;
    while (first < i && (tokens[first].is("const") || tokens[first].is("static"))) ++first;
    return first + 1 < i && (tokens[first].is("dim3") || tokens[first].is("uint3")) &&
           tokens[first + 1].kind == TokenKind::name && state_.parentheses == 0;
  }

  void rename(Tokens tokens, std::size_t i) {
    const Token& token = tokens[i];
    const bool member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
    if (!member && declares(tokens, i))
      state_.renamings.push_back({token.text, state_.scopes.size(), state_.parentheses > 0});
    const bool active = std::any_of(state_.renamings.begin(), state_.renamings.end(), [&](const Renaming& each) {
      return each.name == token.text && (each.depth > 0 || each.is_parameter || !of_the_device(tokens, i));
    });
    if (member || active) replace(token.begin, token.begin, "orderlab_");
  }

  // ---- Launches
  /// clang takes a number that depends on no template, which only a literal is for sure.
  void mark_literal_bounds(Tokens tokens, std::size_t i) {
    if (i + 3 < tokens.size() && tokens[i + 1].is("(") && tokens[i + 2].kind == TokenKind::number &&
        (tokens[i + 3].is(")") || tokens[i + 3].is(",")))
      replace(tokens[i].begin, tokens[i].end, "ORDERLAB_LITERAL_BOUNDS");
  }

  void rewrite_launch(Tokens tokens, std::size_t i) {
    const auto begin = callee_begin(tokens, i);
    const auto end = configuration_end(tokens, i);
    if (!begin || !end) {
      complain(tokens[i],
               std::string("a launch <<<...>>> ") + (begin ? "has no end" : "of what is not a kernel's name"));
      return;
    }
    replace(tokens[*begin].begin, tokens[*begin].begin, "ORDERLAB_LAUNCH((");
    replace(tokens[i].begin, tokens[i].end, "), ");
    replace(tokens[*end].begin, tokens[*end + 2].end, ")");
  }

  /// `(void*)kernel` as the first argument: the cast would hide the types of the kernel's parameters.
  void drop_cast(Tokens tokens, std::size_t open) {
    std::size_t i = open + 2;
    if (i + 3 >= tokens.size() || !tokens[open].is("(") || !tokens[open + 1].is("(")) return;
    if (tokens[i].is("const")) ++i;
    if (tokens[i].is("void") && tokens[i + 1].is("*") && tokens[i + 2].is(")"))
      replace(tokens[open + 1].begin, tokens[i + 2].end, "");
  }

  // ---- Dynamic shared memory
  void rewrite_declaration(Tokens declaration, bool local) {
    const auto array = dynamic_array(declaration);
    if (!array) return;
    const std::string name(array->name);
    std::string text;
    if (!local)
      text = "ORDERLAB_DYNAMIC_SHARED(" + array->type + ", " + name + ")";
    else if (array->further.empty())
      text = array->type + "* const " + name + " = ::orderlab::host_program::dynamic_shared<" + array->type + ">()";
    else
      text =
          "auto* const " + name + " = ::orderlab::host_program::dynamic_shared<" + array->type + array->further + ">()";
    replace(declaration.front().begin, declaration.back().end, text);
  }

  // ---- PTX
  static bool is_asm(const Token& token) { return token.is("asm") || token.is("__asm__") || token.is("__asm"); }

  void rewrite_asm(Tokens tokens, std::size_t i, bool device) {
    std::size_t open = i + 1;
    while (open < tokens.size() && tokens[open].kind == TokenKind::name) ++open;  // volatile
    if (!device || open + 1 >= tokens.size() || !tokens[open].is("(")) return;
    std::size_t depth = 0;
    for (std::size_t k = open; k < tokens.size(); ++k) {
      if (opens(tokens[k])) ++depth;
      if (closes(tokens[k]) && --depth == 0) {
        const bool literal = tokens[open + 1].kind == TokenKind::literal;
        replace(tokens[i].begin, tokens[k].end,
                "ORDERLAB_PTX(" + (literal ? std::string(tokens[open + 1].text) : std::string("\"\"")) + ")");
        return;
      }
    }
  }

  // ---- Bodies of macros
  void rewrite_macro(const Token& line) {
    const Directive directive = directive_of(source_, line);
    if (directive.name != "define") return;
    const std::vector<Token> tokens = tokens_within(source_, directive.rest, line.end);
    head_ = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].is("<<<")) rewrite_launch(tokens, i);
      const bool member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
      if (member && is_one_of(kBuiltIns, tokens[i])) replace(tokens[i].begin, tokens[i].begin, "orderlab_");
      if (is_asm(tokens[i])) rewrite_asm(tokens, i, true);
      if (tokens[i].is(";")) rewrite_declaration(Tokens(tokens).subspan(head_, i - head_), true);
      if (tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}")) head_ = i + 1;
    }
  }

  /// The source with all edits; of two at one place the longer one comes last.
  std::string applied() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string text;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < at) continue;  // within one that replaced all of it
      text += source_.substr(at, edit.begin - at);
      text += edit.text;
      at = edit.end;
    }
    text += source_.substr(at);
    return text;
  }

  std::string_view source_;
  std::vector<Edit> edits_;
  std::vector<Problem> problems_;
  State state_;
  std::size_t head_ = 0;  ///< first token of the statement or declaration
};

}  // namespace

Rewritten rewrite(std::string_view source) { return Rewriter(source).run(); }

std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> includes;
  for (const Token& token : tokens_of(source)) {
    if (token.kind != TokenKind::directive) continue;
    const Directive directive = directive_of(source, token);
    if (directive.name != "include" && directive.name != "include_next") continue;
    std::string_view rest = source.substr(directive.rest, token.end - directive.rest);
    const std::size_t begin = rest.find_first_of("<\"");
    if (begin == std::string_view::npos || rest.find_first_not_of(" \t") != begin) continue;
    const bool quoted = rest[begin] == '"';
    const std::size_t end = rest.find(quoted ? '"' : '>', begin + 1);
    if (end != std::string_view::npos) includes.push_back({rest.substr(begin + 1, end - begin - 1), quoted});
  }
  return includes;
}

}  // namespace orderlab::cuda_source
