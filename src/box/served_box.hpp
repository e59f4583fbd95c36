// Boxes whose child answers call after call: inputs and results lie in memory that both see, and messages of a
// connection say whose turn it is.
#pragma once

#include <cstdint>
#include <optional>

#include "box/child_box.hpp"

namespace orderlab {

/// What the shared memory begins with. x lies kArrays bytes from its begin, y as far behind it as array_bytes() says.
/// server.py knows this too.
struct CallHeader {
  static constexpr std::size_t kTogether = 64;
  std::array<double, kTogether> results;
  std::uint64_t changed;  ///< not 0: the child found its input changed
};
inline constexpr std::size_t kArrays = 4096;

/// First byte of every message of a child: it is ready or has answered, or cannot and says why.
inline constexpr char kDone = 'd';
inline constexpr char kProblem = 'p';

/// What the child asks for: one byte a call.
inline constexpr char kCall = 'c';

/// What a box is called with: one input, or 64 of them as the rows (axis 1) or columns (axis 0) of an array.
struct CallShape {
  std::size_t n = 0;
  Format format = Format::fp32;
  bool products = false;
  std::optional<std::size_t> axis;

  std::size_t together() const { return axis ? CallHeader::kTogether : 1; }
  std::size_t number_bytes() const { return static_cast<std::size_t>(info(format).bits) / 8; }
  std::size_t array_bytes() const { return n * together() * number_bytes(); }
  std::size_t y_begin() const { return (kArrays + array_bytes() + kArrays - 1) / kArrays * kArrays; }
  std::size_t all_bytes() const { return products ? y_begin() + array_bytes() : y_begin(); }
};

class ServedBox : public ChildBox {
 public:
  std::size_t together() const final { return shape_.together(); }
  bool changes_input() const final { return changes_input_; }

 protected:
  ServedBox(const std::string& name, const BoxLimits& limits, const BoxSetting& setting, bool products,
            std::optional<std::size_t> axis = {});

  /// What the child does. It sends a message when it is ready, and one for every byte that it receives.
  virtual ChildSetup server(std::byte* memory) = 0;
  static constexpr int kMemory = 3;   ///< the child's descriptor of the shared memory
  static constexpr int kControl = 4;  ///< and of the connection

  const CallShape& shape() const { return shape_; }

 private:
  void answer(std::span<const TermView> inputs, std::span<double> results) final;
  void start();
  void fill(std::span<const TermView> inputs) const;
  void await(const Deadline& limit, const char* before);

  CallShape shape_;
  std::optional<SharedMemory> memory_;
  Descriptor control_;
  bool changes_input_ = false;
};

}  // namespace orderlab
