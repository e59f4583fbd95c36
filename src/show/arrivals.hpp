// Text, CSV and JSON of `arrivals`.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/arrivals.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// A table of features by sources, the misfit of each beside the floor, and the largest differences of the nearest
/// model.
std::string to_text(const study::ArrivalsFinding& finding, const TextStyle& style);

/// One row for each feature of each source.
std::string to_csv(const study::ArrivalsFinding& finding);

std::string to_json(const study::ArrivalsFinding& finding);

/// Sentences for text and page: the nearest source, whether the recording tells it from its machine, what it misses.
std::vector<std::string> conclusions_of(const study::ArrivalsFinding& finding);

/// "80 multiprocessors with 22 thread blocks each at first", and who says so where the request does not.
std::string first_wave_text(const study::ArrivalsFinding& finding);

/// The numbers of the features that have a value in a column, in the order of the list.
std::vector<std::size_t> shown_features(const study::ArrivalsFinding& finding);

/// A feature with the digits that its unit takes; "-" where there is none.
std::string feature_text(std::size_t feature, const std::optional<double>& value);

}  // namespace orderlab
