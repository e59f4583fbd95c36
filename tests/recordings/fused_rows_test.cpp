// Fused units against outputs of GPUs: every row, and which changes of a unit the rows tell.
#include <doctest/doctest.h>

#include <bit>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "config/json.hpp"
#include "orderlab/fused.hpp"

using namespace orderlab;

namespace {

/// Rows of one unit and one format of sums.
struct RowSet {
  std::string unit;
  Format sums;
  std::size_t length;
  int fraction_bits;
  Json rows;
  Json kills;
};

double number_of(const Json& bits) {
  const auto pattern = static_cast<std::uint32_t>(std::stoul(bits.text(), nullptr, 16));
  return static_cast<double>(std::bit_cast<float>(pattern));
}

std::vector<RowSet> read_row_sets() {
  std::ifstream file(ORDERLAB_SHARED_DATA "/tensor_core_rows.json");
  REQUIRE(file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<RowSet> sets;
  const Json all = Json::parse(text);
  for (const Json& set : all.elements())
    sets.push_back({set["unit"].text(), *find_format(set["out"].text()), set["L"].count(),
                    static_cast<int>(set["F"].count()), set["rows"], set["kills"]});
  return sets;
}

double rounded(Format format, double x) { return value_of_bits(format, round_to_bits(format, x)); }

/// Rows of which `sum(products, start)` is another number than the recorded one.
template <class Sum>
std::uint64_t different_rows(const RowSet& set, const Sum& sum) {
  std::uint64_t different = 0;
  for (const Json& row : set.rows.elements()) {
    std::vector<Factors> products;
    for (std::size_t k = 0; k < row["a"].size(); ++k)
      products.push_back({number_of(row["a"][k]), number_of(row["b"][k])});
    if (sum(products, rounded(set.sums, number_of(row["c"]))) != number_of(row["d"])) ++different;
  }
  return different;
}

std::uint64_t rows_unlike(const RowSet& set, const FusedUnit& unit) {
  return different_rows(set, [&](const std::vector<Factors>& products, double start) {
    return fused_sum(unit, set.sums, products, start).sum;
  });
}

/// Products and sums each rounded to fp32, from left to right; the sum rounded to the format of the row.
double sequential_sum(Format sums, const std::vector<Factors>& products, double start) {
  auto sum = static_cast<float>(start);
  for (const Factors& p : products) sum += static_cast<float>(p.x * p.y);
  return rounded(sums, static_cast<double>(sum));
}

/// The unit with a change that its rows may tell.
FusedUnit changed(FusedUnit unit, const std::string& change) {
  if (change == "F-1") --unit.fraction_bits;
  if (change == "F+1") ++unit.fraction_bits;
  if (change == "half L") unit.length /= 2;
  if (change == "RNE") unit.of_fp32 = FusedRounding::to_nearest;
  return unit;
}

}  // namespace

TEST_CASE("each of the 138 recorded rows of tensor cores has the bits of its unit") {
  std::size_t rows = 0;
  for (const RowSet& set : read_row_sets()) {
    CAPTURE(set.unit);
    CAPTURE(info(set.sums).name);
    const FusedUnit* const unit = find_fused_unit(set.unit);
    REQUIRE(unit != nullptr);
    CHECK(unit->length == set.length);
    CHECK(unit->fraction_bits == set.fraction_bits);
    CHECK(rows_unlike(set, *unit) == 0);
    rows += set.rows.size();
  }
  CHECK(rows == 138);
}

TEST_CASE("rows tell a unit from one with another F, L or rounding wherever the file says so") {
  const std::vector<std::string> changes{"F-1", "F+1", "half L", "RNE"};
  for (const RowSet& set : read_row_sets()) {
    const FusedUnit& unit = *find_fused_unit(set.unit);
    for (const std::string& change : changes) {
      CAPTURE(set.unit);
      CAPTURE(info(set.sums).name);
      CAPTURE(change);
      const bool toward_zero = unit.rounding(set.sums) != FusedRounding::to_nearest;
      if (change == "RNE" && !toward_zero) continue;
      const std::uint64_t killed = rows_unlike(set, changed(unit, change));
      if (set.kills[change].count() > 0)
        CHECK(killed > 0);
      else if (killed == 0)
        MESSAGE(set.unit << " in " << info(set.sums).name << ": no row tells " << change);
    }
  }
}

TEST_CASE("rows tell every unit whose sums are fp32 from sums from left to right in fp32") {
  for (const RowSet& set : read_row_sets()) {
    CAPTURE(set.unit);
    CAPTURE(info(set.sums).name);
    const std::uint64_t killed = different_rows(set, [&](const std::vector<Factors>& products, double start) {
      return sequential_sum(set.sums, products, start);
    });
    if (set.sums == Format::fp32)
      CHECK(killed > 0);
    else if (killed == 0)  // the file's counts are of sums that are not rounded to fp16
      MESSAGE(set.unit << " in " << info(set.sums).name << ": no row tells sums in fp32, rounded once");
  }
}
