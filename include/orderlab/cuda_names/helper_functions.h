// Helpers of CUDA's samples: command lines, timers, comparisons.
#pragma once

#include <assert.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "helper_string.h"
#include "helper_timer.h"

// NOLINTBEGIN(readability-identifier-naming): the names are those of CUDA's samples
template <class T, class S>
bool compareData(const T* reference, const T* data, unsigned length, S epsilon, float threshold) {
  unsigned errors = 0;
  for (unsigned i = 0; i < length; ++i)
    if (!(std::abs(static_cast<double>(reference[i]) - static_cast<double>(data[i])) <= static_cast<double>(epsilon)))
      ++errors;
  return static_cast<float>(errors) <= threshold * static_cast<float>(length);
}
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned length, float epsilon) {
  double error = 0;
  double norm = 0;
  for (unsigned i = 0; i < length; ++i) {
    const double difference = static_cast<double>(reference[i]) - data[i];
    error += difference * difference;
    norm += static_cast<double>(reference[i]) * reference[i];
  }
  return norm != 0 && std::sqrt(error) / std::sqrt(norm) < epsilon;
}
inline char* sdkFindFilePath(const char*, const char*) { return nullptr; }
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
// NOLINTEND(readability-identifier-naming)
