#include "fit/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "arrival/service_time.hpp"
#include "core/text.hpp"

namespace orderlab {

namespace {

// s: below a tenth of a position hardly any two change places, at 10 m hardly any two do not.
constexpr FreeParameter kJitter[] = {{.name = "s", .low = 0.1, .high = 10, .of_length = true}};

std::vector<std::vector<double>> jitter_starts(double spread, const RecordedLaunch&) { return {{spread}}; }

constexpr FreeParameter kDrift[] = {{.name = "first", .low = 0.1, .high = 10, .of_length = true},
                                    {.name = "last", .low = 0.1, .high = 10, .of_length = true}};

// From slightly growing to hardly any disorder at the start, and the other way round.
std::vector<std::vector<double>> drift_starts(double spread, const RecordedLaunch&) {
  return {{0.8 * spread, 1.2 * spread}, {0.2 * spread, 1.4 * spread}, {1.2 * spread, 0.8 * spread}};
}

// size: one alone shares with nobody, a batch of all moves nobody past another.
constexpr FreeParameter kBatches[] = {
    {.name = "first", .low = 0.1, .high = 10, .of_length = true},
    {.name = "last", .low = 0.1, .high = 10, .of_length = true},
    {.name = "size", .low = 1, .high = 1, .of_length = true},
    {.name = "share", .logarithmic = false, .low = 0, .high = 1},
    {.name = "near", .logarithmic = false, .low = 0, .high = 0.9},
};

// From batches of a warp of neighbours to some of a hundredth of the grid.
std::vector<std::vector<double>> batches_starts(double spread, const RecordedLaunch& launch) {
  std::vector<std::vector<double>> starts;
  for (const double size : {4.0, 16.0, 64.0, 256.0, 1024.0})
    if (4 * size <= static_cast<double>(launch.m))
      for (const double share : {0.2, 0.6}) starts.push_back({0.4 * spread, 1.4 * spread, size, share, 0.1});
  return starts;
}

constexpr FreeParameter kPasses[] = {{.name = "first", .low = 0.1, .high = 10, .of_length = true},
                                     {.name = "later", .low = 0.1, .high = 10, .of_length = true}};

constexpr FreeParameter kSteadyDrift[] = {{.name = "first", .low = 0.1, .high = 10, .of_length = true},
                                          {.name = "last", .low = 0.1, .high = 10, .of_length = true},
                                          {.name = "rho", .logarithmic = false, .low = 0, .high = 1}};

std::vector<std::vector<double>> steady_drift_starts(double spread, const RecordedLaunch& launch) {
  std::vector<std::vector<double>> starts;
  for (const double rho : {0.1, 0.6})
    for (std::vector<double> start : drift_starts(spread, launch)) {
      start.push_back(rho);
      starts.push_back(std::move(start));
    }
  return starts;
}

// r: more than m slots stay empty. cv: at 10 nearly all service times are 0.
constexpr FreeParameter kSlots[] = {
    {.name = "r", .whole = true, .low = 1, .high = 1, .of_length = true},
    {.name = "cv", .low = ServiceTime::kLeastVariation, .high = 10},
    {.name = "stagger", .logarithmic = false, .low = 0, .high = 1},
};

// A block arrives about r times the deviation of its service time away from its place, so r cv is near the spread.
std::vector<std::vector<double>> slots_starts(double spread, const RecordedLaunch& launch) {
  std::vector<std::vector<double>> starts;
  for (double r = 0.5 * static_cast<double>(launch.m); r >= 2 && starts.size() < 36; r /= 2)
    for (const double stagger : {0.15, 0.5, 0.85}) starts.push_back({r, spread / r, stagger});
  return starts;
}

std::vector<std::vector<double>> nothing_to_start(double, const RecordedLaunch&) { return {}; }

// resident: a launch may never have more than one wave. bias, delay: as s of jitter. burst: at 0.95 twenty thread
// blocks finish at once. jitter: more than a tenth of the grid in flight is no jitter.
constexpr FreeParameter kSmQueues[] = {
    {.name = "resident", .whole = true, .low = 1, .high = 1, .of_length = true},
    {.name = "bias", .low = 1, .high = 10, .of_length = true},
    {.name = "burst", .logarithmic = false, .low = 0, .high = 0.95},
    {.name = "jitter", .whole = true, .low = 1, .high = 0.1, .of_length = true},
    {.name = "delay", .low = 0.1, .high = 10, .of_length = true},
    {.name = "length", .low = 1, .high = 1, .of_length = true},
    {.name = "first", .logarithmic = false, .low = 0, .high = 1},
};

// A common delay of a part of the spread or more, shared by fewer or more neighbours than there are multiprocessors.
std::vector<std::vector<double>> sm_queues_starts(double spread, const RecordedLaunch& launch) {
  const auto sms = static_cast<double>(launch.wave.sms);
  const auto resident = static_cast<double>(launch.wave.resident);
  std::vector<std::vector<double>> starts;
  for (const double bias : {1.0, 2.0})
    for (const double delay : {0.3, 1.2})
      for (const double length : {0.2, 0.7, 2.0})
        starts.push_back({resident, bias * spread, 0.3, 3, delay * spread, length * sms, 0.4});
  return starts;
}

constexpr ArrivalFamily kFamilies[] = {
    {"uniform", {}, nothing_to_start},
    {"launch", {}, nothing_to_start},
    {"jitter", kJitter, jitter_starts},
    {"drift", kDrift, drift_starts},
    {"batches", kBatches, batches_starts},
    {.model = "passes", .parameters = kPasses, .starts = drift_starts, .given = GivenArgument::pass},
    {.model = "steady", .parameters = kSteadyDrift, .starts = steady_drift_starts, .around = "drift"},
    {"slots", kSlots, slots_starts},
    {.model = "sm_queues", .parameters = kSmQueues, .starts = sm_queues_starts, .given = GivenArgument::sms},
};

const ArrivalModel* model_of(std::string_view name) {
  for (const ArrivalModel* model : arrival_models())
    if (model->name == name) return model;
  throw std::logic_error("no arrival model " + std::string(name));
}

ArrivalCall call_of(const ArrivalModel* model, std::vector<Argument> arguments) {
  return {model, std::make_shared<const Arguments>(std::move(arguments)), nullptr};
}

}  // namespace

std::span<const ArrivalFamily> arrival_families() { return kFamilies; }

std::vector<const ArrivalFamily*> families_for(const RecordedLaunch& launch) {
  constexpr std::size_t kLeastEach = 4;  // thread blocks of a multiprocessor
  std::vector<const ArrivalFamily*> families;
  for (const ArrivalFamily& family : kFamilies) {
    if (family.given == GivenArgument::pass && launch.pass >= launch.m) continue;
    if (family.given == GivenArgument::sms &&
        (launch.wave.sms > launch.m / kLeastEach ||
         static_cast<double>(launch.wave.sms) > model_of(family.model)->parameters[0].high))
      continue;
    families.push_back(&family);
  }
  return families;
}

std::uint64_t Coordinates::given_value() const {
  return family_.given == GivenArgument::pass ? launch_.pass : launch_.wave.sms;
}

double Coordinates::limit(std::size_t parameter, bool high) const {
  const FreeParameter& p = family_.parameters[parameter];
  const double value = !high ? p.low : p.of_length ? p.high * static_cast<double>(launch_.m) : p.high;
  return p.logarithmic ? std::log(value) : value;
}

std::vector<double> Coordinates::from_values(std::span<const double> values) const {
  std::vector<double> point;
  for (std::size_t i = 0; i < values.size(); ++i)
    point.push_back(family_.parameters[i].logarithmic ? std::log(values[i]) : values[i]);
  return clamped(point);
}

std::vector<double> Coordinates::clamped(std::span<const double> point) const {
  std::vector<double> inside;
  for (std::size_t i = 0; i < point.size(); ++i)
    inside.push_back(std::clamp(point[i], limit(i, false), limit(i, true)));
  return inside;
}

double Coordinates::value(std::size_t parameter, double coordinate) const {
  return family_.parameters[parameter].logarithmic ? std::exp(coordinate) : coordinate;
}

std::vector<double> Coordinates::values(const ArrivalCall& call) const {
  std::vector<Argument> all = call.arguments->values();
  if (family_.given != GivenArgument::none) all.erase(all.begin());
  if (!family_.around.empty()) {
    const std::vector<Argument> inner = call.arguments->arrival(0).arguments->values();
    all.erase(all.begin());
    all.insert(all.begin(), inner.begin(), inner.end());
  }
  all.resize(family_.parameters.size());  // those after them keep their defaults
  std::vector<double> values;
  for (const Argument& argument : all) {
    const auto* whole = std::get_if<std::uint64_t>(&argument);
    values.push_back(whole != nullptr ? static_cast<double>(*whole) : std::get<double>(argument));
  }
  return values;
}

double Coordinates::whole_steps(std::size_t parameter, double from) const {
  constexpr double kSteps = 1.5;
  return family_.parameters[parameter].logarithmic ? std::log1p(kSteps / value(parameter, from)) : kSteps;
}

std::optional<FittedParameter> Coordinates::given() const {
  if (family_.given == GivenArgument::none) return std::nullopt;
  return FittedParameter{model_of(family_.model)->parameters[0].name, static_cast<double>(given_value())};
}

ArrivalCall Coordinates::call(std::span<const double> point, int digits) const {
  const std::vector<double> inside = clamped(point);
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const FreeParameter& p = family_.parameters[i];
    const double exact = value(i, inside[i]);
    if (p.whole)
      arguments.emplace_back(static_cast<std::uint64_t>(std::llround(exact)));
    else
      arguments.emplace_back(digits > 0 ? read_real(fmt::format("{:.{}g}", exact, digits)).value_or(exact) : exact);
  }
  if (family_.given != GivenArgument::none) arguments.insert(arguments.begin(), given_value());
  if (!family_.around.empty()) {
    const ArrivalModel* inner = model_of(family_.around);
    const auto own = arguments.begin() + static_cast<std::ptrdiff_t>(inner->parameters.size());
    const ArrivalCall around = call_of(inner, {arguments.begin(), own});
    arguments.erase(arguments.begin(), own);
    arguments.insert(arguments.begin(), around);
  }
  return call_of(model_of(family_.model), std::move(arguments));
}

}  // namespace orderlab
