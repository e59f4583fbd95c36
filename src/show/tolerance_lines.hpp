// A tolerance as a line to paste into a test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orderlab/study/tolerance.hpp"

namespace orderlab {

/// A decimal with at most `digits` significant digits whose double is not below `value`, the least such one.
///
/// Shape: value is finite and not negative.
std::string rounded_up(double value, int digits = 3);

/// rtol with an allowance for the one or two fp64 roundings of a comparison |a - b| <= rtol * |b|.
std::string rounded_up_rtol(double rtol);

struct PasteLine {
  std::string_view framework;  ///< its key in JSON
  std::string text;
};

/// Lines that compare `actual` with `desired` in fp64, by rtol where that is steady, else by atol; none without a
/// limit.
std::vector<PasteLine> paste_lines(const study::ToleranceFinding& finding);

/// Whether they use rtol: there is one, and no input is so ill-conditioned that it would only fit that input.
bool lines_by_rtol(const study::ToleranceFinding& finding);

}  // namespace orderlab
