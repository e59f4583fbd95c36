// Recordings made of a model, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrival/recording.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab::test {

/// `rows` orders of m drawn from the model that `arrival` writes.
inline Rows record(const std::string& arrival, std::size_t m, std::size_t rows, std::uint64_t seed = 77) {
  const ArrivalCall call = parse_arrival(arrival);
  Rows recording{"orders.csv", "", {}};
  for (std::size_t i = 0; i < rows; ++i) {
    recording.rows.emplace_back(m);
    call.model->draw(*call.arguments, RandomStream(seed, streams::kFirstStage, i), recording.rows.back());
  }
  recording.hash = hash_rows(recording.rows);
  return recording;
}

/// Its rows as features take them, while it lives.
inline std::vector<const std::vector<std::uint32_t>*> rows_of(const Rows& recording) {
  std::vector<const std::vector<std::uint32_t>*> rows;
  for (const auto& row : recording.rows) rows.push_back(&row);
  return rows;
}

/// The same as a text file's content.
inline std::string text_of(const Rows& recording) {
  std::string text;
  for (const auto& row : recording.rows) {
    for (const std::uint32_t value : row) text += std::to_string(value) + " ";
    text += "\n";
  }
  return text;
}

}  // namespace orderlab::test
