#include "cli/tiny_model.hpp"

#include <doctest/doctest.h>

using namespace orderlab;
using namespace orderlab::cli;

TEST_CASE("the built-in model continues bytes") {
  const LanguageModel model = tiny_model();
  CHECK(model.name == "tiny");
  CHECK(model.vocabulary == 256);
  CHECK(model.parameters() > 0);
  CHECK(model.layers.size() >= 1);
  CHECK(model.embedding.numbers == tiny_model().embedding.numbers);  // one copy, in the program
  const std::vector<Prompt> prompts = tiny_prompts();
  CHECK(prompts.size() >= 1);
  for (const Prompt& prompt : prompts) CHECK(prompt.tokens.size() <= model.positions);
}
