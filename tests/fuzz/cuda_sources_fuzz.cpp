// Sources of CUDA: tokens lie behind each other, and what is rewritten has the lines that it had.
#include <algorithm>
#include <string>
#include <string_view>

#include "cuda_source/arguments.hpp"
#include "cuda_source/rewrite.hpp"
#include "cuda_source/tokens.hpp"
#include "fuzz/fuzz.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(cuda_sources) {
  const std::string_view source = text_of(input);
  std::size_t end = 0;
  for (const cuda_source::Token& token : cuda_source::tokens_of(source)) {
    require(token.begin >= end && token.end > token.begin && token.end <= source.size(), "tokens are in order");
    require(token.text == source.substr(token.begin, token.end - token.begin), "a token is what stands there");
    end = token.end;
  }
  const cuda_source::Rewritten rewritten = cuda_source::rewrite(source);
  const auto lines = [](std::string_view text) { return std::count(text.begin(), text.end(), '\n'); };
  require(lines(rewritten.text) == lines(source), "rewriting keeps the lines");
  for (const cuda_source::Problem& problem : rewritten.problems)
    require(problem.line >= 1 && problem.line <= static_cast<std::size_t>(lines(source)) + 1, "a problem has a line");
  (void)cuda_source::includes_of(source);
  (void)cuda_source::variables_of_call(source, 1, "cuda");
}
