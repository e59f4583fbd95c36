#include "fit/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "arrival/service_time.hpp"

namespace orderlab {

namespace {

// s: below a tenth of a position hardly any two change places, at 10 m hardly any two do not.
constexpr FreeParameter kJitter[] = {{.name = "s", .low = 0.1, .high = 10, .of_length = true}};

std::vector<std::vector<double>> jitter_starts(double spread, std::size_t) { return {{spread}}; }

constexpr FreeParameter kDrift[] = {{.name = "first", .low = 0.1, .high = 10, .of_length = true},
                                    {.name = "last", .low = 0.1, .high = 10, .of_length = true}};

// From slightly growing to hardly any disorder at the start, and the other way round.
std::vector<std::vector<double>> drift_starts(double spread, std::size_t) {
  return {{0.8 * spread, 1.2 * spread}, {0.2 * spread, 1.4 * spread}, {1.2 * spread, 0.8 * spread}};
}

// r: more than m slots stay empty. cv: at 10 nearly all service times are 0.
constexpr FreeParameter kSlots[] = {
    {.name = "r", .whole = true, .low = 1, .high = 1, .of_length = true},
    {.name = "cv", .low = ServiceTime::kLeastVariation, .high = 10},
    {.name = "stagger", .logarithmic = false, .low = 0, .high = 1},
};

// A block arrives about r times the deviation of its service time away from its place, so r cv is near the spread.
std::vector<std::vector<double>> slots_starts(double spread, std::size_t m) {
  std::vector<std::vector<double>> starts;
  for (double r = 0.5 * static_cast<double>(m); r >= 2 && starts.size() < 36; r /= 2)
    for (const double stagger : {0.15, 0.5, 0.85}) starts.push_back({r, spread / r, stagger});
  return starts;
}

std::vector<std::vector<double>> nothing_to_start(double, std::size_t) { return {}; }

constexpr ArrivalFamily kFamilies[] = {
    {"uniform", {}, nothing_to_start}, {"launch", {}, nothing_to_start}, {"jitter", kJitter, jitter_starts},
    {"drift", kDrift, drift_starts},   {"slots", kSlots, slots_starts},
};

const ArrivalModel* model_of(std::string_view name) {
  for (const ArrivalModel* model : arrival_models())
    if (model->name == name) return model;
  throw std::logic_error("no arrival model " + std::string(name));
}

}  // namespace

std::span<const ArrivalFamily> arrival_families() { return kFamilies; }

double Coordinates::limit(std::size_t parameter, bool high) const {
  const FreeParameter& p = family_.parameters[parameter];
  const double value = !high ? p.low : p.of_length ? p.high * static_cast<double>(m_) : p.high;
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
  std::vector<double> values;
  for (std::size_t i = 0; i < family_.parameters.size(); ++i)
    values.push_back(family_.parameters[i].whole ? static_cast<double>(call.arguments->count(i))
                                                 : call.arguments->real(i));
  return values;
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
      arguments.emplace_back(digits > 0 ? std::stod(fmt::format("{:.{}g}", exact, digits)) : exact);
  }
  ArrivalCall call;
  call.model = model_of(family_.model);
  call.arguments = std::make_shared<const Arguments>(std::move(arguments));
  return call;
}

}  // namespace orderlab
