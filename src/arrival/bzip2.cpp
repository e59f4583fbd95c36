#include "arrival/bzip2.hpp"

#include <bzlib.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

/// Owns the state of one stream.
struct Stream {
  bz_stream state{};

  Stream() {
    if (BZ2_bzDecompressInit(&state, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Stream() { BZ2_bzDecompressEnd(&state); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bzlib counts in unsigned int

/// Appends the content of the stream that `archive` starts with to `content`; returns how many bytes the stream took.
std::size_t append_stream(const std::string& path, std::string_view archive, std::string& content, std::uint64_t limit,
                          InputMemory& memory) {
  Stream stream;
  std::vector<char> piece(kPiece);
  std::vector<char> input(std::min(kPiece, archive.size()));
  std::size_t taken = 0;
  for (;;) {
    // bzlib takes its input as char*, so it gets a copy of each piece.
    const std::size_t given = archive.copy(input.data(), input.size(), taken);
    stream.state.next_in = input.data();
    stream.state.avail_in = static_cast<unsigned>(given);
    stream.state.next_out = piece.data();
    stream.state.avail_out = static_cast<unsigned>(kPiece);
    const int status = BZ2_bzDecompress(&stream.state);
    const std::size_t used = given - stream.state.avail_in;
    const std::size_t made = kPiece - stream.state.avail_out;
    taken += used;
    if (made > limit - content.size())
      throw Error(ErrorKind::input, path + ": is larger than " + bytes_in_words(static_cast<double>(limit)) +
                                        " when decompressed, the limit for a file of this kind");
    memory.take(made);
    content.append(piece.data(), made);
    if (status == BZ_STREAM_END) return taken;
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status != BZ_OK) throw Error(ErrorKind::input, path + ": a damaged bzip2 archive; a fresh copy would help");
    if (used == 0 && made == 0)
      throw Error(ErrorKind::input, path + ": a truncated bzip2 archive; a complete copy would help");
  }
}

}  // namespace

bool is_bzip2(std::string_view data) { return data.starts_with("BZh"); }

std::string decompress_bzip2(const std::string& path, std::string_view archive, std::uint64_t limit) {
  InputMemory memory(path);
  std::string content;
  while (!archive.empty()) {
    if (!std::string_view("BZh").starts_with(archive.substr(0, 3)))
      throw Error(ErrorKind::input, path + ": a damaged bzip2 archive: something else follows its end");
    archive.remove_prefix(append_stream(path, archive, content, limit, memory));
  }
  return content;
}

}  // namespace orderlab
