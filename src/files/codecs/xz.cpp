// xz, by liblzma.
#include <lzma.h>

#include <limits>
#include <new>

#include "files/codec.hpp"

namespace orderlab {

namespace {

class XzStream : public Decompressor {
 public:
  XzStream() {
    if (lzma_stream_decoder(&state_, std::numeric_limits<std::uint64_t>::max(), 0) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzStream() override { lzma_end(&state_); }

  Step step(std::span<const char> in, std::span<char> out) override {
    state_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    state_.avail_in = in.size();
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = out.size();
    const lzma_ret status = lzma_code(&state_, LZMA_RUN);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    const std::size_t taken = in.size() - state_.avail_in;
    const std::size_t made = out.size() - state_.avail_out;
    if (status == LZMA_STREAM_END) return {taken, made, State::ended};
    return {taken, made, status == LZMA_OK || status == LZMA_BUF_ERROR ? State::more : State::damaged};
  }

 private:
  lzma_stream state_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Decompressor> open_xz() { return std::make_unique<XzStream>(); }

}  // namespace orderlab
