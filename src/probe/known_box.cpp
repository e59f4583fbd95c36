#include "probe/known_box.hpp"

#include <algorithm>
#include <cmath>

#include "probe/accumulate_formats.hpp"
#include "probe/candidates.hpp"
#include "probe/sanity.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kExactSums = 24;  // inputs; one of them is asked as often again

// Exponents that terms and sums can have: a narrower accumulator may have fewer.
ExponentRange exponents_of_sums(const KnownBox& known) {
  ExponentRange range = exponents_of_terms(known.box);
  range.most = std::min(range.most, known.masks.exponent);
  if (known.precision() >= info(known.terms()).precision) return range;
  const std::vector<Format> formats = known.accumulate_formats();
  const FormatInfo& narrow = info(formats.empty() ? Format::fp16 : formats.front());
  return {std::max(range.least, narrow.e_min), std::min(range.most, narrow.e_max - 1)};
}

}  // namespace

std::vector<Format> KnownBox::accumulate_formats() const { return orderlab::accumulate_formats(terms(), accumulator); }

Format KnownBox::additions() const {
  const std::vector<Format> all = accumulate_formats();
  return all.empty() ? Format::fp64 : all.front();
}

MeasuredBox measure_box(AskedBox& box, BoxReplay& replay, const FirstAnswers& first) {
  const Format terms = box.setting().format;
  MeasuredBox measured{{.box = box, .replay = replay, .agreed = first.agreed, .formats = {terms, terms, terms}}};
  KnownBox& known = measured.known;
  box.begin("precision", 100);
  known.accumulator = measure_accumulator(box);
  replay.answer(Candidates::kMatchedInputs);
  known.masks = masks_for(terms, known.accumulator, info(replay.result_format(Format::fp64)).precision);
  measured.wrong = miscounted_term(box, known.masks);
  if (!measured.wrong.empty()) return measured;
  known.masks_work = find_masks(box, known.masks) || first.vary;
  measured.wrong = wrong_exact_sums(known, kExactSums, kExactSums);
  return measured;
}

std::string wrong_exact_sums(const KnownBox& known, std::size_t varied, std::size_t repeated) {
  // The precision that both the box and its texts have.
  const double digits = static_cast<double>(known.box.box().digits()) * std::log2(10.0);
  const int bits = std::min({known.precision(), info(known.terms()).precision, static_cast<int>(digits)});
  return wrong_exact_sum(known.box, bits, exponents_of_sums(known), varied, repeated);
}

}  // namespace orderlab
