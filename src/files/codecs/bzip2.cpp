// bzip2, by libbz2.
#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "files/codec.hpp"

namespace orderlab {

namespace {

class Bzip2Stream : public Decompressor {
 public:
  Bzip2Stream() {
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Bzip2Stream() override { BZ2_bzDecompressEnd(&state_); }

  Step step(std::span<const char> in, std::span<char> out) override {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    state_.next_in = const_cast<char*>(in.data());  // bzlib does not write there
    state_.avail_in = static_cast<unsigned>(std::min(in.size(), kMost));
    state_.next_out = out.data();
    state_.avail_out = static_cast<unsigned>(std::min(out.size(), kMost));
    const int status = BZ2_bzDecompress(&state_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    const auto taken = static_cast<std::size_t>(state_.next_in - in.data());
    const auto made = static_cast<std::size_t>(state_.next_out - out.data());
    if (status == BZ_STREAM_END) return {taken, made, State::ended};
    return {taken, made, status == BZ_OK ? State::more : State::damaged};
  }

 private:
  bz_stream state_{};
};

}  // namespace

std::unique_ptr<Decompressor> open_bzip2() { return std::make_unique<Bzip2Stream>(); }

}  // namespace orderlab
