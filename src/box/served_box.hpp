// Boxes whose child answers call after call: inputs and results lie in memory that both see, and messages of a
// connection say whose turn it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "box/call_shape.hpp"
#include "box/child_box.hpp"

namespace orderlab {

/// What the shared memory begins with; server.py knows it too.
struct CallHeader {
  std::array<double, CallShape::kTogether> results;
  std::uint64_t changed;  ///< not 0: the child found its input changed
};

/// Where x lies in the shared memory, and y, at the next multiple of the same bytes.
inline constexpr std::size_t kArrays = 4096;
inline std::size_t y_begin(const CallShape& shape) {
  return (kArrays + shape.array_bytes() + kArrays - 1) / kArrays * kArrays;
}

/// First byte of every message of a child: it is ready or has answered, or cannot and says why.
inline constexpr char kDone = 'd';
inline constexpr char kProblem = 'p';

/// What the child asks for: one byte a call.
inline constexpr char kCall = 'c';

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
  void await(const Deadline& limit, const char* before);

  CallShape shape_;
  std::optional<SharedMemory> memory_;
  Descriptor control_;
  bool changes_input_ = false;
};

}  // namespace orderlab
