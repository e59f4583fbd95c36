// The arrival models that can be fitted: their free parameters, limits and starting points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orderlab/fit.hpp"

namespace orderlab {

/// What is known of a recorded launch before a fit.
struct RecordedLaunch {
  std::size_t m = 0;     ///< thread blocks
  std::size_t pass = 0;  ///< of them in a pass: pass_length
  FirstWave wave = {};
};

/// The first argument of a model where it is known and not searched.
enum class GivenArgument : std::uint8_t {
  none,
  pass,  ///< thread blocks in a pass
  sms,   ///< multiprocessors
};

/// One parameter as the search sees it: the logarithm of a scale, a share as it is.
struct FreeParameter {
  std::string_view name;
  bool logarithmic = true;
  bool whole = false;
  double low = 0;
  double high = 0;  ///< times m where of_length
  bool of_length = false;
};

/// A model to fit. Adding one is one entry in families.cpp.
struct ArrivalFamily {
  std::string_view model;                     ///< name in arrival_models()
  std::span<const FreeParameter> parameters;  ///< in the order of the model's list, where those of `around` stand first

  /// Parameters worth starting from, for displacements with the standard deviation `spread`.
  std::vector<std::vector<double>> (*starts)(double spread, const RecordedLaunch& launch);

  std::string_view around = {};  ///< the model that `model` takes as its first argument
  GivenArgument given = GivenArgument::none;
};

std::span<const ArrivalFamily> arrival_families();

/// Families to fit to a launch: those of passes only if there is more than one, those of multiprocessors only if each
/// gets four thread blocks or more.
std::vector<const ArrivalFamily*> families_for(const RecordedLaunch& launch);

/// Values of a family's parameters and the coordinates that are searched; points beyond the limits mean the limits.
class Coordinates {
 public:
  Coordinates(const ArrivalFamily& family, const RecordedLaunch& launch) : family_(family), launch_(launch) {}

  std::vector<double> from_values(std::span<const double> values) const;
  std::vector<double> clamped(std::span<const double> point) const;
  double value(std::size_t parameter, double coordinate) const;

  /// The model at `point`, reals rounded to this many significant digits, so that its text is short; 0: as they are.
  ArrivalCall call(std::span<const double> point, int digits = 0) const;

  /// The parameters of a call of this family.
  std::vector<double> values(const ArrivalCall& call) const;

  /// The parameter of the model that is given, if there is one.
  std::optional<FittedParameter> given() const;

  /// How far a coordinate must go from `from` for its whole parameter to change by one, and half of another.
  double whole_steps(std::size_t parameter, double from) const;

  /// The least or greatest value of a coordinate.
  double limit(std::size_t parameter, bool high) const;

  const ArrivalFamily& family() const { return family_; }

 private:
  std::uint64_t given_value() const;

  const ArrivalFamily& family_;
  RecordedLaunch launch_;
};

}  // namespace orderlab
