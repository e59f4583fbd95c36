// The grammar of orders: what is read, how it is written back, and what a wrong text is told. Long for its tables of
// texts.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/syntax.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::string canonical(std::string_view text, std::string_view arrival = {}) {
  return parse_order(text, arrival).expression();
}

/// What the parse, or the check for `n` terms, says is wrong.
std::string problem(std::string_view text, std::size_t n = 100, bool products = false, std::string_view arrival = {}) {
  try {
    parse_order(text, arrival).check(n, products, Format::fp64);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("spaces are free and name() is name") {
  const char* const expected = "tile(64,2) | halving(64) | seq(acc=neumaier)";
  CHECK(canonical("tile(64,2)|halving(64)|seq(acc=neumaier)") == expected);
  CHECK(canonical("  tile ( 64 , 2 )\t|\n halving( 64 ) | seq ( acc = neumaier )  ") == expected);
  CHECK(canonical("seq()") == "seq");
  CHECK(canonical("warp()") == canonical("warp"));
  CHECK(canonical("arrive()|seq") == "arrive(uniform) | seq");
}

TEST_CASE("arguments may be named and given in any order, counts in any spelling") {
  CHECK(canonical("tile(items=2,b=64)|seq") == "tile(64,2) | seq");
  CHECK(canonical("tile(2^6,2,grid=1e2)|seq") == "tile(64,2,100) | seq");
  CHECK(canonical("seq(k=1_0)|seq") == "seq(10) | seq");
  CHECK(canonical("seq(from=zero,acc=fma)") == "seq(acc=fma,from=zero)");
  CHECK(canonical("seq(acc=plain)") == "seq");
  CHECK(canonical("seq(from=first)") == "seq(from=first)");
  CHECK(canonical("pairwise(1)") == "pairwise");
  CHECK(canonical("pairwise(base=8)") == "pairwise(8)");
  CHECK(canonical("sort(key=abs_desc)|seq") == "sort(abs_desc) | seq");
  CHECK(canonical("halving('32')|seq") == "halving(32) | seq");
}

TEST_CASE("a named order may stand wherever a stage may") {
  CHECK(canonical("spa(128,grid=7)") == "tile(128,2,7) | halving(128) | arrive(uniform) | seq(acc=atomic)");
  CHECK(canonical("simd(w=16)") == "strided(16) | halving(16)");
  CHECK(canonical("reverse | simd(4) | warp") ==
        "reverse | strided(4) | halving(4) | halving(32) | arrive(uniform) | seq(acc=atomic)");
  CHECK(canonical("cub(blocks=660,load=striped)") ==
        "cub_tile(660,striped) | adjacent(32) | seq(8) | cub_tile(1) | adjacent(32) | seq(8) | seq(from=zero)");
  CHECK(canonical("cub(load=aligned)") == canonical("cub"));
  CHECK(canonical("thrust(660)") == canonical("cub(660,striped)"));
  CHECK(canonical("sptr(32,4)") == "tile(32,4) | halving(32) | strided(32,from=zero) | halving(32)");
}

TEST_CASE("an order keeps the name it was written as, an expression has none") {
  CHECK(parse_order("warp").name() == "warp");
  CHECK(parse_order(" spa(128) ").name() == "spa");
  CHECK(parse_order("halving(32) | arrive | seq(acc=atomic)").name() == "");
  CHECK(parse_order("warp | seq").name() == "");
  CHECK(parse_order("seq").name() == "");
}

TEST_CASE("the arrival model goes to every bare arrive and to no other") {
  CHECK(canonical("arrive | seq", "launch") == "arrive(launch) | seq");
  CHECK(canonical("arrive | seq(2) | arrive(launch) | seq", "jitter(5)") ==
        "arrive(jitter(5)) | seq(2) | arrive(launch) | seq");
  CHECK(canonical("warp | arrive | seq", "slots(1280,0.2,0)") ==
        "halving(32) | arrive(slots(1280,0.2,0)) | seq(acc=atomic) | arrive(slots(1280,0.2,0)) | seq");
  CHECK(canonical("arrive(slots(r=1280, cv=0.2, stagger=0.5)) | seq") == "arrive(slots(1280,0.2)) | seq");
  CHECK(canonical("arrive(v100_b64_drift) | seq") == "arrive(drift(107,413)) | seq");
  CHECK(canonical("arrive(model=launch) | seq") == "arrive(launch) | seq");
  CHECK(canonical("arrive | seq") == "arrive(uniform) | seq");
}

TEST_CASE("an arrival model without a bare arrive to take it is refused") {
  CHECK(problem("seq", 100, false, "launch") ==
        "arrival launch: order 'seq' has no `arrive`; leave out --arrival, or use an order such as warp");
  CHECK(
      problem("arrive(launch) | seq", 100, false, "uniform") ==
      "arrival uniform: order 'arrive(launch) | seq' has its own arrival model; leave out --arrival, or write `arrive` "
      "without a model");
  CHECK(problem("warp", 100, false, "unifrom") ==
        "arrival 'unifrom': position 1: unifrom: no such arrival model; did you mean uniform?");
  CHECK(problem("warp", 100, false, "launch | seq") ==
        "arrival 'launch | seq': position 8: unexpected '|' after the end");
  CHECK(problem("warp", 100, false, "slots(0,0.2)") ==
        "arrival 'slots(0,0.2)': position 7: slots: r 0: must be at least 1");
}

TEST_CASE("a canonical text reads back to itself") {
  const std::uint64_t seed = 600;
  for (const std::string& pipeline : product_pipelines()) {
    const std::string text = canonical(pipeline);
    CAPTURE(text);
    CHECK(canonical(text) == text);
  }
  for (std::uint64_t i = 0; i < trials(200); ++i) {
    IndexGenerator draw(RandomStream(seed, 0, i), 0);
    const std::string pipeline = random_pipeline(draw, true);
    CAPTURE(seed);
    CAPTURE(pipeline);
    const Order order = parse_order(pipeline);
    const Order again = parse_order(order.expression());
    CHECK(again.expression() == order.expression());
    REQUIRE(again.stages().size() == order.stages().size());
    for (std::size_t s = 0; s < order.stages().size(); ++s) {
      CHECK(again.stages()[s].stage == order.stages()[s].stage);
      const auto& values = order.stages()[s].arguments.values();
      REQUIRE(again.stages()[s].arguments.values().size() == values.size());
      for (std::size_t a = 0; a < values.size(); ++a)
        CHECK(again.stages()[s].arguments.values()[a].index() == values[a].index());
    }
  }
}

TEST_CASE("a file stands in the canonical text as the hash of what it says") {
  const TemporaryFile file("2 0 1\n");
  const TemporaryFile same("# the same numbers\n2, 0, 1\n");
  const std::string text = canonical("perm('" + file.path() + "') | seq");
  CHECK(text.starts_with("perm('xxh3:"));
  CHECK(text == canonical("perm(" + same.path() + ") | seq"));
  CHECK(canonical("arrive(trace('" + file.path() + "')) | seq") == "arrive(trace(" + text.substr(5, 39) + ")) | seq");
}

TEST_CASE("a wrong text is told where it goes wrong") {
  struct Case {
    std::string_view text;
    std::string_view problem;
  };
  for (const auto& [text, expected] : {
           Case{"",
                "order '': position 1: empty; write a named order such as warp, or stages such as halving(32) | arrive "
                "| "
                "seq"},
           Case{"  ",
                "order '  ': position 3: empty; write a named order such as warp, or stages such as halving(32) | "
                "arrive | seq"},
           Case{"seq |", "order 'seq |': position 6: missing stage or named order"},
           Case{"| seq", "order '| seq': position 1: unexpected '|' instead of a stage or named order"},
           Case{"seq || seq", "order 'seq || seq': position 6: unexpected '|' instead of a stage or named order"},
           Case{"seq seq", "order 'seq seq': position 5: unexpected 's'; stages are separated by '|'"},
           Case{"seq)", "order 'seq)': position 4: unexpected ')'; stages are separated by '|'"},
           Case{"halving(32", "order 'halving(32': position 11: the '(' at position 8 is never closed; add ')'"},
           Case{"halving(", "order 'halving(': position 9: missing argument or ')'"},
           Case{"tile(64 2)", "order 'tile(64 2)': position 9: unexpected '2'; arguments are separated by ','"},
           Case{"tile(64,,2)", "order 'tile(64,,2)': position 9: unexpected ',' instead of an argument"},
           Case{"tile(64,2,)", "order 'tile(64,2,)': position 11: unexpected ')' instead of an argument"},
           Case{"seq(acc=)", "order 'seq(acc=)': position 9: unexpected ')' instead of a value of acc"},
           Case{"perm('a", "order 'perm('a': position 6: the quotation that starts here is never closed; add '"},
       }) {
    CAPTURE(text);
    CHECK(problem(text) == expected);
  }
  CHECK(problem(std::string(500, '(')).find("instead of a stage or named order") != std::string::npos);
  std::string deep = "seq";
  for (int i = 0; i < 500; ++i) deep += "(x";
  CHECK(problem(deep).find("parentheses nest too deeply") != std::string::npos);
}

TEST_CASE("an unknown name is told the nearest one") {
  CHECK(problem("halvin(32)") ==
        "order 'halvin(32)': position 1: halvin: no such stage or named order; did you mean halving?");
  CHECK(problem("seq | wrap") ==
        "order 'seq | wrap': position 7: wrap: no such stage or named order; did you mean warp?");
  CHECK(problem("Seq").find("did you mean seq?") != std::string::npos);
  CHECK(problem("arrive(slot(3,0.2)) | seq") ==
        "order 'arrive(slot(3,0.2)) | seq': position 8: slot: no such arrival model; did you mean slots?");
  CHECK(problem("seq(acc=khan)") ==
        "order 'seq(acc=khan)': position 5: seq: acc khan: no such choice; did you mean kahan?");
  CHECK(problem("sort(up) | seq").find("known: asc desc abs_asc abs_desc") != std::string::npos);
  CHECK(problem("xyzzyplugh").find("; known: shuffle arrive ") != std::string::npos);
}

TEST_CASE("a name of what orders do or consist of is answered with these orders") {
  const auto offers = [](std::string_view text, const std::string& names) {
    CAPTURE(text);
    const std::string expected = "no such stage or named order; did you mean " + names + "?";
    CHECK(problem(text).find(expected) != std::string::npos);
  };
  offers("kahan", "seq(acc=kahan)");
  offers("neumaier", "tprc_neumaier or seq(acc=neumaier)");
  offers("atomic", "warp, ao, spa or seq(acc=atomic)");
  offers("Cascade", "pairwise");
  offers("compensated", "tprc_neumaier");
  offers("ring", "nccl_ring or ompi_ring");
  offers("mpi", "mpi_recursive_doubling, mpi_rabenseifner or mpi_binomial");
  offers("desc", "sort or sort(key=desc)");
  offers("aligned", "cub_tile or cub(load=aligned)");
  offers("split", "pairwise, numpy, double_tree or nccl_tree(pattern=split)");
  for (const char* offered : {"seq(acc=kahan)", "sort(key=desc)", "cub(load=aligned)", "nccl_tree(pattern=split)"})
    CHECK_NOTHROW(parse_order(offered));
}

TEST_CASE("wrong arguments are told what is wrong and what would be right") {
  struct Case {
    std::string_view text;
    std::string_view problem;
  };
  for (const auto& [text, expected] : {
           Case{"seq(0)", "order 'seq(0)': position 5: seq: k 0: must be at least 1"},
           Case{"seq(-1)", "order 'seq(-1)': position 5: seq: k -1: is negative"},
           Case{"seq(1.5)", "order 'seq(1.5)': position 5: seq: k 1.5: is not a whole number"},
           Case{"seq(1e400)", "order 'seq(1e400)': position 5: seq: k 1e400: is too large (the limit is 2^64 - 1)"},
           Case{"seq(x)", "order 'seq(x)': position 5: seq: k x: is not a count such as 1000, 1e6, 1_000_000 or 2^20"},
           Case{"seq(seq(2))", "order 'seq(seq(2))': position 5: seq: k seq(...): takes no stage or model"},
           Case{"halving(33)",
                "order 'halving(33)': position 1: halving(33): k must be a power of two, such as 32 or 64"},
           Case{"simd(3)",
                "order 'simd(3)': simd 'strided(w) | halving(w)': position 14: halving(3): k must be a power of "
                "two, such as 2 or 4"},
           Case{"cub(load=stripes)",
                "order 'cub(load=stripes)': position 5: cub: load stripes: no such choice; did you "
                "mean striped?"},
           Case{"thrust(load=striped)",
                "order 'thrust(load=striped)': position 8: thrust has no parameter load; it is "
                "thrust(blocks=5280)"},
           Case{"cub_tile",
                "order 'cub_tile': position 1: cub_tile: blocks is missing; it is "
                "cub_tile(blocks,[load=aligned|striped])"},
           Case{"tile(64)",
                "order 'tile(64)': position 1: tile: items is missing; it is "
                "tile(b,items,[grid],[acc=plain|kahan|neumaier|atomic|fma])"},
           Case{"halving",
                "order 'halving': position 1: halving: k is missing; it is halving(k,[to=1],[rest=add|keep])"},
           Case{"halving(32,acc=kahan)",
                "order 'halving(32,acc=kahan)': position 12: halving has no parameter acc; it is "
                "halving(k,[to=1],[rest=add|keep])"},
           Case{"halving(32,64)",
                "order 'halving(32,64)': position 12: halving takes no further argument; it is "
                "halving(k,[to=1],[rest=add|keep])"},
           Case{"numpy(3)", "order 'numpy(3)': position 7: numpy takes no argument; it is numpy"},
           Case{"warp(64)", "order 'warp(64)': position 6: warp takes no argument; it is warp"},
           Case{"seq(k=1,k=2)", "order 'seq(k=1,k=2)': position 9: k is given twice"},
           Case{"seq(3,k=2)", "order 'seq(3,k=2)': position 7: k is given twice"},
           Case{"seq(2,kahan)",
                "order 'seq(2,kahan)': position 7: seq takes no further argument; it is "
                "seq([k],[acc=plain|kahan|neumaier|atomic|fma],[from=first|zero],[rest=add|keep])"},
           Case{"tile(64,2,from=zero)",
                "order 'tile(64,2,from=zero)': position 11: tile has no parameter from; it is "
                "tile(b,items,[grid],[acc=plain|kahan|neumaier|atomic|fma])"},
           Case{"seq(acc=kahan,from=zero)",
                "order 'seq(acc=kahan,from=zero)': position 1: seq: acc=kahan always starts from "
                "+0.0; leave out from="},
           Case{"chunks(2,acc=atomic,from=first)",
                "order 'chunks(2,acc=atomic,from=first)': position 1: chunks: acc=atomic "
                "always starts from +0.0; leave out from="},
           Case{"tile(65536,65536)",
                "order 'tile(65536,65536)': position 1: tile: b * items is too large (below 2^32)"},
           Case{"arrive(launch(3)) | seq",
                "order 'arrive(launch(3)) | seq': position 15: launch takes no argument; it is "
                "launch"},
           Case{"arrive(v100_b64(3)) | seq",
                "order 'arrive(v100_b64(3)) | seq': position 8: v100_b64 takes no arguments"},
           Case{"arrive(jitter(x)) | seq",
                "order 'arrive(jitter(x)) | seq': position 15: jitter: s x: is not a finite decimal "
                "number"},
           Case{"reverse(k=3)", "order 'reverse(k=3)': position 9: reverse has no parameter k; it takes none"},
       }) {
    CAPTURE(text);
    CHECK(problem(text) == expected);
  }
}

TEST_CASE("a pipeline that leaves more than one partial sum is told how many and what would finish it") {
  CHECK(problem("halving(32)", 100) ==
        "order halving(32): leaves 4 partial sums of 100 terms; end it with a stage that adds them all, such as "
        "`halving(32) | seq`");
  CHECK(problem("halving(32)", 32) == "");
  CHECK(problem("halving(32)", 33).find("leaves 2 partial sums of 33 terms") != std::string::npos);
  CHECK(problem("shuffle", 7).find("leaves 7 partial sums of 7 terms") != std::string::npos);
  CHECK(problem("shuffle", 1) == "");
  CHECK(problem("tile(64,2) | seq(3)", 1000).find("leaves 171 partial sums") !=
        std::string::npos);  // 7 * 64 + 64 threads
  CHECK(problem("spa | arrive", 1000) == "");
}

TEST_CASE("a sum of no terms is refused") { CHECK(problem("seq", 0) == "a sum of no terms: give at least one"); }

TEST_CASE("acc=fma wants products that no stage has added yet") {
  CHECK(problem("seq(acc=fma)") == "order seq(acc=fma): acc=fma needs terms that are products; add --with FILE");
  CHECK(problem("seq(acc=fma)", 100, true) == "");
  CHECK(problem("sort(asc) | shuffle | seq(acc=fma)", 100, true) == "");
  CHECK(problem("seq(2) | seq(acc=fma)", 100, true) ==
        "order seq(2) | seq(acc=fma): acc=fma stands after another reducing stage, where no products are left; move it "
        "to "
        "the first one");
  CHECK(problem("seq(2,acc=fma) | seq(acc=fma)", 100, true).find("stands after another reducing stage") !=
        std::string::npos);
}

TEST_CASE("a recorded order that does not fit is refused, naming its file") {
  const TemporaryFile three("2 0 1\n");
  const TemporaryFile twice("2 0 2\n");
  const TemporaryFile beyond("0 1 3\n");
  const TemporaryFile empty("# nothing\n");
  const TemporaryFile word("0 one 2\n");
  const auto message = [](const std::string& text, std::size_t n) -> std::string {
    try {
      parse_order(text).check(n, false, Format::fp64);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message("perm(" + three.path() + ") | seq", 3) == "");
  CHECK(message("perm(" + three.path() + ") | seq", 4) ==
        "perm(" + three.path() + "): has 3 positions for 4 partial sums; it must name each of them once");
  CHECK(message("perm(" + twice.path() + ") | seq", 3).find("2 occurs twice") != std::string::npos);
  CHECK(message("perm(" + beyond.path() + ") | seq", 3).find("3 is out of range") != std::string::npos);
  CHECK(message("arrive(trace(" + three.path() + ")) | seq", 3) == "");
  CHECK(message("arrive(trace(" + three.path() + ")) | seq", 4).find(three.path() + ":1: ") != std::string::npos);
  CHECK(message("arrive(trace(" + twice.path() + ")) | seq", 3).find("2 occurs twice") != std::string::npos);
  for (const TemporaryFile* file : {&empty, &word})
    CHECK_THROWS_AS(parse_order("perm('" + file->path() + "') | seq"), Error);
  CHECK(message("perm(/nowhere/x) | seq", 3).starts_with("/nowhere/x: "));
}

TEST_CASE("the reader of calls keeps positions, keys, quotes and nesting") {
  const auto calls = parse_pipeline(" a | b(1, k = c(2), 'x, (y)')");
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].name == "a");
  CHECK(calls[0].position == 2);
  CHECK(calls[0].arguments.empty());
  CHECK(calls[1].position == 6);
  REQUIRE(calls[1].arguments.size() == 3);
  CHECK(calls[1].arguments[0].text == "1");
  CHECK(calls[1].arguments[0].position == 8);
  CHECK(calls[1].arguments[1].key == "k");
  REQUIRE(calls[1].arguments[1].calls.size() == 1);
  CHECK(calls[1].arguments[1].calls[0].name == "c");
  CHECK(calls[1].arguments[2].quoted);
  CHECK(calls[1].arguments[2].text == "x, (y)");
  CHECK(parse_call("model", "uniform").name == "uniform");
  CHECK_THROWS_AS(parse_call("model", ""), Error);
}
