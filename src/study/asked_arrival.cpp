#include "study/asked_arrival.hpp"

#include "order/resolve.hpp"

namespace orderlab::study {

ArrivalCall arrival_of(const LoweredOperation& operation, const AskedArrival& asked) {
  if (operation.arrival) return *operation.arrival;
  const auto* const text = std::get_if<std::string>(&asked);
  return text != nullptr ? parse_arrival(*text) : std::get<ArrivalCall>(asked);
}

}  // namespace orderlab::study
