// Trees alone: orderlab probe --newick.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab;
using namespace orderlab::cli;

TEST_CASE("probe --newick writes trees in place of the text") {
  const Outcome outcome = run({"probe", "--command", "awk '{s += $1} END {printf \"%.17g\\n\", s}'", "--format", "fp64",
                               "--n", "4", "--sizes", "2", "--newick", "--quiet"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.out == "(((x0,x1)n4,x2)n5,x3)n6;\n(x0,x1)n2;\n");
  const Outcome loud = run({"probe", "--command", "awk '{s += $1} END {printf \"%.17g\\n\", s}'", "--format", "fp64",
                            "--n", "2", "--newick"});
  CHECK(loud.out == "(x0,x1)n2;\n");
}

TEST_CASE("a toggle that is refused is named without a value") {
  const TemporaryFolder folder;
  refuses({"probe", "--command", "cat", "--fused", "--newick"}, "probe: --newick: is not for --fused; leave it out");
}
