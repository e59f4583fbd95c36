// LargestBounds as bytes: 'B', version 1, flags, the height, the allowance, the bounds that there are.
#include "core/arithmetic_guard.hpp"
#include "core/bytes.hpp"
#include "core/float_environment.hpp"
#include "orderlab/bounds.hpp"

namespace orderlab {
namespace {

constexpr char kBoundsLetter = 'B';
constexpr char kBoundsVersion = 1;

}  // namespace

std::string LargestBounds::wire() const {
  unsigned flags = 0;
  for (const bool flag :
       {plain, running_missing, probabilistic_missing, running.has_value(), probabilistic.has_value()})
    flags = 2 * flags + (flag ? 1 : 0);
  std::string bytes{kBoundsLetter, kBoundsVersion, static_cast<char>(flags)};
  put_varint(bytes, height);
  put_fp64(bytes, extra);
  if (running) put_fp64(bytes, *running);
  if (probabilistic) put_fp64(bytes, *probabilistic);
  return bytes;
}

LargestBounds LargestBounds::from_wire(std::string_view bytes) {
  const FloatEnvironment environment;
  ByteReader reader(bytes, "largest bounds", "the wire form of largest bounds");
  reader.header(kBoundsLetter, kBoundsVersion);
  const std::uint8_t flags = reader.byte();
  if (flags >= 32) reader.refuse("flags that there are not");
  const auto flag = [&](int place) { return ((flags >> place) & 1) != 0; };
  LargestBounds bounds;
  bounds.plain = flag(4);
  bounds.running_missing = flag(3);
  bounds.probabilistic_missing = flag(2);
  bounds.height = reader.varint();
  bounds.extra = reader.magnitude();
  if (flag(1)) bounds.running = reader.magnitude();
  if (flag(0)) bounds.probabilistic = reader.magnitude();
  if ((bounds.running && bounds.running_missing) || (bounds.probabilistic && bounds.probabilistic_missing))
    reader.refuse("a bound that is missing");
  reader.end();
  return bounds;
}

}  // namespace orderlab
