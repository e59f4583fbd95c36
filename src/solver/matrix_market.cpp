// Reads Matrix Market files. Eigen's reader, loadMarket, is lenient: it ignores the header, so it returns one triangle
// of a symmetric matrix, writes to std::cerr what it cannot read, and goes on. Here whatever is wrong is an error.
#include <cmath>
#include <string>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "files/market_entries.hpp"
#include "files/open_input.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/solver.hpp"

namespace orderlab {

CoordinateMatrix read_matrix_market(const std::string& path) {
  const FloatEnvironment environment;
  const auto file = open_input(path, "name a Matrix Market file");
  MarketEntries entries(*file);
  InputMemory memory(path);
  CoordinateMatrix matrix;
  matrix.rows = entries.rows();
  matrix.columns = entries.columns();
  const auto add = [&](const Triplet& entry) {
    memory.take(sizeof(Triplet));
    matrix.entries.push_back(entry);
  };
  for (MarketEntry entry{}; entries.next(entry);) {
    double value = 1;
    if (!entries.pattern()) {
      const auto number = read_number(entry.value, Format::fp64);
      if (!number || !std::isfinite(number->value))
        entries.fail(in_quotes(entry.value) + " is not a finite number, such as -2.5e3");
      value = number->value;
    }
    add({entry.row, entry.column, value});
    if (entries.symmetry() == MarketSymmetry::general || entry.row == entry.column) continue;
    add({entry.column, entry.row, entries.symmetry() == MarketSymmetry::symmetric ? value : -value});
  }
  return matrix;
}

}  // namespace orderlab
