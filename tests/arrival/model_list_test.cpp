// What holds for every arrival model in the list.
#include <set>

#include "arrival/arguments.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("every arrival model describes itself, and no two share a name") {
  std::set<std::string_view> names;
  for (const ArrivalModel* model : arrival_models()) {
    CHECK(names.insert(model->name).second);
    CHECK_FALSE(model->summary.empty());
    CHECK_FALSE(model->source.empty());
  }
  for (const NamedArrival& named : named_arrivals()) {
    CHECK(names.insert(named.name).second);
    CHECK_FALSE(named.expression.empty());
    CHECK_FALSE(named.summary.empty());
    CHECK_FALSE(named.source.empty());
    CHECK(named.threads_per_block > 0);
  }
}

TEST_CASE("every arrival model draws a permutation, whatever the size") {
  std::vector<std::size_t> sizes(41);
  std::iota(sizes.begin(), sizes.end(), 0u);
  for (const std::size_t power : {64u, 128u, 256u, 1024u, 4096u})
    for (const std::size_t m : {power - 1, power, power + 1}) sizes.push_back(m);
  for (const ArrivalModel* model : arrival_models())
    for (const std::size_t m : sizes)
      for (const Arguments& arguments : arguments_to_try(*model, m)) {
        CAPTURE(std::string(model->name));
        CAPTURE(m);
        REQUIRE(is_permutation_of_launch(draw(*model, arguments, m)));
      }
}

TEST_CASE("an order is a pure function of arguments, seed and sample") {
  constexpr std::size_t m = 500;
  for (const ArrivalModel* model : arrival_models()) {
    CAPTURE(std::string(model->name));
    for (const Arguments& arguments : arguments_to_try(*model, m)) {
      const ArrivalOrder first = draw(*model, arguments, m, 3, 5);
      draw(*model, arguments, m, 3, 6);
      CHECK(draw(*model, arguments, m, 3, 5) == first);
    }
    const Arguments arguments = arguments_to_try(*model, m).back();
    std::set<ArrivalOrder> orders;
    for (std::uint64_t sample = 0; sample < 50; ++sample) orders.insert(draw(*model, arguments, m, 3, sample));
    CHECK((orders.size() > 1) == model->random);
    orders.clear();
    for (std::uint64_t seed = 0; seed < 50; ++seed) orders.insert(draw(*model, arguments, m, seed, 0));
    CHECK((orders.size() > 1) == model->random);
  }
}

TEST_CASE("an order of 2^32 partial sums is refused as unsupported by every model") {
  for (const ArrivalModel* model : arrival_models()) {
    CAPTURE(std::string(model->name));
    try {
      model->check(arguments_to_try(*model, 1).front(), std::size_t{1} << 32);
      FAIL_CHECK("not refused");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unsupported);
    }
  }
}

TEST_CASE("the first draw of seed 1 is what bits_version 5 says") {
  CHECK(draw(model("uniform"), {}, 8) == ArrivalOrder{0, 1, 6, 4, 7, 2, 3, 5});
  CHECK(draw(model("jitter"), jitter(2), 8) == ArrivalOrder{0, 1, 2, 5, 3, 6, 4, 7});
  CHECK(draw(model("slots"), slots(3, 0.2), 8) == ArrivalOrder{0, 1, 2, 3, 5, 4, 6, 7});
  CHECK(draw(model("slots"), slots(5, 1.5), 8) == ArrivalOrder{1, 4, 0, 6, 7, 5, 3, 2});
  static_assert(kBitsVersion == 5);
}
