// Scores in lists and in files of other programs.
#include "orderlab/scores.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

Scores scores_in(const std::string& name, std::string_view content) {
  const TemporaryFile file(name, content);
  return read_scores(file.path());
}

std::string refusal_of_scores(const std::string& name, std::string_view content) {
  return message_of(ErrorKind::input, [&] { scores_in(name, content); });
}

std::string npy_of(const Shape& shape, const Numbers& numbers) {
  return npy_bytes(Format::fp64, shape, std::as_bytes(std::span(numbers)));
}

}  // namespace

TEST_CASE("a list begins with a number") {
  for (const char* text : {"0.5", "0.5,0.6", " 1e-3 , 2", "-1,2", "0x1p-1,x", "nan,1"}) CHECK(is_score_list(text));
  for (const char* text : {"a.csv", "", "-", "runs,0.5", "0.5.csv", "./1"}) CHECK(!is_score_list(text));
  CHECK(parse_scores("0.5, 0x1p-2,-1").values == Numbers{0.5, 0.25, -1});
  CHECK(contains(message_of(ErrorKind::usage, [] { parse_scores("1,,2"); }), "value 2: '' is not a number"));
  CHECK(contains(message_of(ErrorKind::usage, [] { parse_scores("1,-inf"); }), "value 2: is -inf"));
}

TEST_CASE("a text has one score a line, or seed and score") {
  CHECK(scores_in("a.txt", "# accuracy\n0.5\r\n\n 0.25 \n").values == Numbers{0.5, 0.25});
  CHECK(scores_in("a.csv", "accuracy\n0.5\n0.25\n").values == Numbers{0.5, 0.25});
  CHECK(scores_in("a.csv", "0.5\n").seeds.empty());
  const Scores with_seeds = scores_in("a.csv", "seed,accuracy\n7,0.5\n08, 0.25\nrun c,1\n9.0,2\n");
  CHECK(with_seeds.values == Numbers{0.5, 0.25, 1, 2});
  CHECK(with_seeds.seeds == Names{"7", "8", "run c", "9"});
  CHECK(scores_in("a.csv", "\"\",\"score\"\n\"1\",0.5\n").seeds == Names{"1"});  // as R and pandas write
  CHECK(scores_in("a.csv", "9007199254740993,1\n009007199254740992,2\n00,3\n").seeds ==
        Names{"9007199254740993", "9007199254740992", "0"});
  CHECK(scores_in("a.csv", "1,0.5\n2,0.25\n").values == Numbers{0.5, 0.25});
  CHECK(scores_in("a.csv", "\"a, b\",0.5\n").seeds == Names{"a, b"});
  CHECK(contains(refusal_of_scores("a.csv", "1,0.5\n\"1\"x,0.5\n"), ":2: "));
}

TEST_CASE("scores in per cent are the decimals that they are written as, rounded once") {
  const Scores list = parse_scores("93%, 94.7 %,-1e1%,100%");
  CHECK(list.percent);
  CHECK(list.values == Numbers{0.93, 0.947, -0.1, 1});
  CHECK(is_score_list("93%,94%"));
  CHECK(!parse_scores("0.93,0.94").percent);
  const Scores file = scores_in("a.csv", "seed,accuracy\n1,93.1%\n2,\"94 %\"\n");
  CHECK(file.percent);
  CHECK(file.values == Numbers{0.931, 0.94});
  CHECK(contains(message_of(ErrorKind::usage, [] { parse_scores("93%,0.94"); }),
                 "value 2: '0.94' is not in per cent and the scores before it are; write all with %, or none"));
  CHECK(contains(refusal_of_scores("a.txt", "0.93\n94%\n"), "a.txt:2: '94%' is in per cent and the scores before it"));
  CHECK(contains(message_of(ErrorKind::usage, [] { parse_scores("%,94%"); }), "value 1: '%' is not a number"));
}

TEST_CASE("an array has one dimension") {
  const Scores scores = scores_in("a.npy", npy_of({3}, {0.5, 0.25, 1}));
  CHECK(scores.values == Numbers{0.5, 0.25, 1});
  CHECK(scores.seeds.empty());
  CHECK(contains(refusal_of_scores("a.npy", npy_of({2, 2}, {1, 2, 3, 4})), "has the shape 2x2; scores are an array"));
  CHECK(contains(refusal_of_scores("a.npy", npy_of({2}, {1, 0.0 / 0.0})), "score 1 is "));
}

TEST_CASE("what is no score is named with its line") {
  CHECK(contains(refusal_of_scores("a.csv", "0.5\nx\n"), "a.csv:2: 'x' is not a number"));
  CHECK(contains(refusal_of_scores("a.csv", "1,x\n"), "a.csv:1: 'x' is not a number"));
  CHECK(contains(refusal_of_scores("a.csv", "seed,score\n1,nan\n"), "a.csv:2: the score is nan; leave out runs that"));
  CHECK(contains(refusal_of_scores("a.csv", "1,0.5\n0.5\n"), "a.csv:2: has 1 column, the lines above 2 columns"));
  CHECK(contains(refusal_of_scores("a.csv", "a,b,c\n1,2,3\n"), "a.csv:1: has 3 columns; scores are one a line"));
  CHECK(contains(refusal_of_scores("a.csv", "0,781\n0,79\n"), "a.csv: all 2 lines have the seed 0; a decimal point"));
  CHECK(contains(refusal_of_scores("a.csv", ""), "no score in it"));
  CHECK(contains(refusal_of_scores("a.csv", "seed,score\n"), "no score in it"));
  CHECK(contains(refusal_of_scores("a.dat", "1\n"), "unknown extension '.dat'; known: .npy, "));
  CHECK(contains(message_of(ErrorKind::input, [] { read_scores("absent.csv"); }), "absent.csv: no such file"));
}
