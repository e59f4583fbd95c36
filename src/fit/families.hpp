// The arrival models that can be fitted: their free parameters, limits and starting points.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orderlab/fit.hpp"

namespace orderlab {

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
  FeatureSet fitted;                          ///< the features that the parameters move

  /// Parameters worth starting from, for orders of m whose displacements have the standard deviation `spread`.
  std::vector<std::vector<double>> (*starts)(double spread, std::size_t m);

  std::string_view around = {};  ///< the model that `model` takes as its first argument
  bool by_pass = false;          ///< the first argument of `model` is the thread blocks of a pass: given, not searched
};

std::span<const ArrivalFamily> arrival_families();

/// Families to fit to orders of m in passes of `pass`; families that take a pass only if `pass` is not m.
std::vector<const ArrivalFamily*> families_for(std::size_t m, std::size_t pass);

/// Values of a family's parameters and the coordinates that are searched; points beyond the limits mean the limits.
class Coordinates {
 public:
  Coordinates(const ArrivalFamily& family, std::size_t m, std::size_t pass) : family_(family), m_(m), pass_(pass) {}

  std::vector<double> from_values(std::span<const double> values) const;
  std::vector<double> clamped(std::span<const double> point) const;
  double value(std::size_t parameter, double coordinate) const;

  /// The model at `point`, reals rounded to this many significant digits, so that its text is short; 0: as they are.
  ArrivalCall call(std::span<const double> point, int digits = 0) const;

  /// The parameters of a call of this family.
  std::vector<double> values(const ArrivalCall& call) const;

  /// The parameter of the model that is given, if there is one.
  std::optional<FittedParameter> given() const;

  /// The least or greatest value of a coordinate.
  double limit(std::size_t parameter, bool high) const;

  const ArrivalFamily& family() const { return family_; }

 private:
  const ArrivalFamily& family_;
  std::size_t m_;
  std::size_t pass_;
};

}  // namespace orderlab
