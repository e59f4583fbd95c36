#include "probe/first_answers.hpp"

#include <algorithm>

#include "orderlab/error.hpp"
#include "probe/sanity.hpp"

namespace orderlab {

namespace {

constexpr int kFewestDigits = 7;  // that the answers of a command need to be any use

}  // namespace

FirstAnswers first_answers(AskedBox& box, BoxReplay& replay, std::size_t repeats) {
  box.begin("sums of a few terms", 10);
  replay.answer(0);  // before all else: the first calls can differ from later ones
  if (const std::string wrong = wrong_sum_of_few(box); !wrong.empty()) return {.wrong = wrong};
  if (const std::string changed = changed_term(box); !changed.empty()) {
    if (box.box().digits() == Box::kAllDigits) return {.wrong = changed};
    throw Error(ErrorKind::input, changed + ": too few digits to compare bits; print 17, as printf \"%.17g\" does");
  }
  const std::size_t again = std::max<std::size_t>(repeats, 2) - 1;
  const bool vary = replay.varies(BoxReplay::kRepeatedInputs, again);
  require_digits(box, kFewestDigits);
  return {.vary = vary, .agreed = vary ? 0 : BoxReplay::kRepeatedInputs * again};
}

void require_digits(const AskedBox& box, int digits) {
  if (box.box().digits() >= static_cast<std::size_t>(digits)) return;
  throw Error(ErrorKind::input, "the box prints " + std::to_string(box.box().digits()) +
                                    " significant digits: too few to compare bits; print 17, as printf \"%.17g\" does");
}

}  // namespace orderlab
