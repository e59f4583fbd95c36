// gzip, and the deflate in archives, by zlib.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "files/codec.hpp"

namespace orderlab {

namespace {

/// `window` as inflateInit2 has it: which header there is.
class ZlibStream : public Decompressor {
 public:
  explicit ZlibStream(int window) {
    if (inflateInit2(&state_, window) != Z_OK) throw std::bad_alloc();
  }
  ~ZlibStream() override { inflateEnd(&state_); }

  Step step(std::span<const char> in, std::span<char> out) override {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // zlib does not write there
    state_.avail_in = static_cast<unsigned>(std::min(in.size(), kMost));
    state_.next_out = reinterpret_cast<Bytef*>(out.data());
    state_.avail_out = static_cast<unsigned>(std::min(out.size(), kMost));
    const int status = inflate(&state_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    const auto taken = static_cast<std::size_t>(reinterpret_cast<const char*>(state_.next_in) - in.data());
    const auto made = static_cast<std::size_t>(reinterpret_cast<const char*>(state_.next_out) - out.data());
    if (status == Z_STREAM_END) return {taken, made, State::ended};
    return {taken, made, status == Z_OK || status == Z_BUF_ERROR ? State::more : State::damaged};
  }

 private:
  z_stream state_{};
};

constexpr int kGzipHeader = 15 + 16;
constexpr int kNoHeader = -15;

}  // namespace

std::unique_ptr<Decompressor> open_gzip() { return std::make_unique<ZlibStream>(kGzipHeader); }

std::unique_ptr<Decompressor> open_deflate() { return std::make_unique<ZlibStream>(kNoHeader); }

}  // namespace orderlab
