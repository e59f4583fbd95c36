// Work in streams: what comes behind what, what is done next, and which work shares memory without an order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/philox.hpp"
#include "simt/device_memory.hpp"

namespace orderlab::host_program {

/// Of each stream, how much of its work; streams behind its end have none.
using Progress = std::vector<std::uint64_t>;

/// Bytes that a piece of work reads, writes, or does atomics on.
struct MemoryUse {
  const std::byte* begin;
  std::size_t bytes;
  simt::AccessKind kind;
  /// Those of them that it uses, counted from `begin`, by address; empty: all.
  std::vector<simt::ByteInterval> intervals = {};
  bool has_more = false;  ///< beside the intervals, it uses others
};

/// What two pieces of work share in conflict.
struct SharedBytes {
  const std::byte* begin;
  std::size_t bytes;
  bool is_certain;  ///< else both use some of these bytes, perhaps not the same ones
};

/// Reads are in no conflict with reads, nor atomics with atomics.
std::optional<SharedBytes> conflict(const MemoryUse& use, const MemoryUse& other);

/// What a stream is given: a launch, a copy, a call of the host.
struct Work {
  std::string what;                             ///< "kernel sum", "copy"
  std::string place;                            ///< FILE:LINE
  std::function<std::vector<MemoryUse>()> run;  ///< says what it used
};

/// A piece of work that has been done, and what it used.
struct DoneWork {
  std::string what;
  std::string place;
  std::size_t stream;
  std::uint64_t call;    ///< in the order in which work was given
  std::uint64_t number;  ///< in its stream, from 1
  Progress after;        ///< what was in front of it
  std::vector<MemoryUse> uses;
};

class Streams {
 public:
  /// Streams 0 to gpus - 1 are the default ones of the GPUs. Without a seed, all work is done as soon as it is given;
  /// with one it is done later, in a drawn order of all those that streams, events and waits allow.
  Streams(std::size_t gpus, std::optional<RandomStream> draws);

  /// Called for two pieces of work whose uses of memory are in conflict, with no order between them. The
  /// first is the one that was given first.
  std::function<void(const DoneWork& first, const DoneWork& second, const SharedBytes& shared)> on_conflict;

  /// A new stream of the GPU. `joins_default`: it and the default stream of the GPU wait for each other.
  std::size_t create(std::size_t gpu, bool joins_default);
  std::size_t gpu_of(std::size_t stream) const { return streams_[stream].gpu; }

  void give(std::size_t stream, Work work);

  /// All that comes before what the stream is given next.
  Progress before_next(std::size_t stream) const;
  /// All work of a GPU so far.
  Progress of_gpu(std::size_t gpu) const;

  /// What the stream is given from now on waits for `progress`, as after cudaStreamWaitEvent.
  void stream_waits(std::size_t stream, const Progress& progress);
  /// Does what is needed, and the host knows that it is done.
  void host_waits(const Progress& progress);
  /// Whether all that is done, which the host knows then. Where not, something else is done first, so that a host that
  /// asks again and again comes to an end.
  bool host_asks(const Progress& progress);

  void finish();

  /// Work that the host has not waited for and that such a use by the host is in conflict with; null: none.
  const DoneWork* unawaited(const MemoryUse& use) const;

 private:
  struct Waiting {
    Work work;
    std::uint64_t call;
    std::uint64_t number;
    Progress after;
  };
  struct Stream {
    std::size_t gpu;
    bool joins_default;
    Progress waits_for = {};  ///< all that it waited for, too
    std::uint64_t given = 0;
    std::uint64_t done = 0;
    std::deque<Waiting> waiting = {};
  };

  bool is_ready(std::size_t stream) const;
  bool is_done(const Progress& progress) const;
  void do_next(std::size_t stream);
  /// One piece of work that `progress` needs, drawn; false: there is none.
  bool do_one_of(const Progress& progress);
  std::uint32_t draw_below(std::size_t bound);
  void host_knows(const Progress& progress);

  std::vector<Stream> streams_;
  std::size_t gpus_;
  Progress host_;                ///< what the host has waited for
  std::deque<DoneWork> recent_;  ///< what has been done, and the host has not waited for
  std::size_t waiting_ = 0;
  std::uint64_t calls_ = 0;
  std::optional<WordReader> draws_;
  std::uint64_t drawn_ = 0;
};

}  // namespace orderlab::host_program
