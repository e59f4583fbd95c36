// Zstandard, by libzstd.
#include <zstd.h>

#include <new>

#include "files/codec.hpp"

namespace orderlab {

namespace {

class ZstdStream : public Decompressor {
 public:
  ZstdStream() : state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
    constexpr int kLongestWindow = 31;  // the most that zstd --long writes
    ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, kLongestWindow);
  }
  ~ZstdStream() override { ZSTD_freeDStream(state_); }

  Step step(std::span<const char> in, std::span<char> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(state_, &output, &input);
    const State state = ZSTD_isError(status) != 0 ? State::damaged : status == 0 ? State::ended : State::more;
    return {input.pos, output.pos, state};
  }

 private:
  ZSTD_DStream* state_;
};

}  // namespace

std::unique_ptr<Decompressor> open_zstd() { return std::make_unique<ZstdStream>(); }

}  // namespace orderlab
