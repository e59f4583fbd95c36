#include "order/formats_along.hpp"

#include "order/combinations.hpp"

namespace orderlab {

namespace {

std::string named(Format format) { return std::string(info(format).name); }

}  // namespace

bool holds_all_of(Format to, Format from) {
  const FormatInfo& a = info(to);
  const FormatInfo& b = info(from);
  return a.precision >= b.precision && a.e_max >= b.e_max && a.smallest_subnormal() <= b.smallest_subnormal();
}

std::string FormatsAlong::follow(const StageCall& call, const Step& step) {
  const std::string stage(call.stage->name);
  if (held_ == Format::fp80 && changes_format(step))
    return "`" + stage +
           "` does not go with fp80 accumulators, whose partial sums all stay fp80; leave it out, or "
           "accumulate in fp64";
  if (const auto* round = std::get_if<steps::Round>(&step.is)) {
    changed_ = true;
    if (!holds_all_of(round->format, held_)) held_ = round->format;
    return {};
  }
  if (const auto* in = std::get_if<steps::In>(&step.is)) {
    changed_ = true;
    adds_ = {in->add, in->store};
    if (holds_all_of(in->add, held_)) return {};
    return "`in(" + named(in->add) + ")` adds numbers of " + named(in->add) + ", and the partial sums before it are " +
           named(held_) + " numbers; put `round(" + named(in->add) + ") |` before it";
  }
  if (std::holds_alternative<steps::Move>(step.is)) return {};
  if (!holds_all_of(adds_.add, held_))
    return "`" + stage + "` adds numbers of " + named(adds_.add) + ", and the partial sums before it are " +
           named(held_) + " numbers; put `in(" + named(held_) + ") |` before it";
  if (adds_.store == adds_.add) {
    held_ = adds_.add;
    return {};
  }
  if (!adds_plainly(step, {Accumulate::plain}))
    return "`" + stage + "` does more than add plainly, and store=" + named(adds_.store) +
           " says what is stored of plain additions alone; use acc=plain";
  // What is added to nothing stays as it is.
  held_ = holds_all_of(adds_.store, held_) ? adds_.store : adds_.add;
  return {};
}

}  // namespace orderlab
