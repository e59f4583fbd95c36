#include "probe/accumulate_formats.hpp"

#include <algorithm>

namespace orderlab {

std::vector<Format> accumulate_formats(Format terms, const std::optional<AccumulatorPrecision>& measured) {
  if (!measured || !measured->narrowest) {
    std::vector<Format> formats{terms};
    for (const Format wide : {Format::fp32, Format::fp64})
      if (wide != terms) formats.push_back(wide);
    return formats;
  }
  std::vector<Format> formats;
  for (const int precision : {*measured->narrowest, *measured->widest})
    for (const FormatInfo& format : kFormats)
      if ((format.precision == precision || format.precision + 1 == precision) &&
          std::find(formats.begin(), formats.end(), format.format) == formats.end())
        formats.push_back(format.format);
  return formats;
}

}  // namespace orderlab
