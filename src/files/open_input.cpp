#include "files/open_input.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "files/codec.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::uint64_t kMostArchiveBytes = std::uint64_t{1}
                                            << 36;  // of a file of arrays that is compressed as a whole

std::unique_ptr<Decompressor> opened(const Codec& codec, const std::string& name) {
  if (auto stream = codec.open()) return stream;
  throw Error(ErrorKind::unsupported, name + ": is compressed with " + std::string(codec.name) +
                                          ", which this build cannot read; decompress it, or build with " +
                                          std::string(codec.package) + " installed");
}

/// What another stream decompresses to: one compressed stream, or several after each other.
class DecompressedInput : public InputStream {
 public:
  DecompressedInput(std::unique_ptr<InputStream> archive, const Codec& codec)
      : InputStream(archive->name()), archive_(std::move(archive)), codec_(codec), stream_(opened(codec, name())) {}

 protected:
  int_type underflow() override {
    for (std::size_t made = 0; made == 0;) {
      if (given_.empty()) fill();
      if (stream_ == nullptr) skip_padding();
      if (given_.empty() && stream_ == nullptr) return traits_type::eof();
      if (stream_ == nullptr) begin_stream();
      made = step();
      setg(made_.data(), made_.data(), made_.data() + made);
    }
    return traits_type::to_int_type(*gptr());
  }

 private:
  void fill() {
    const std::streamsize got = archive_->sgetn(archived_.data(), static_cast<std::streamsize>(archived_.size()));
    given_ = std::span(archived_).first(static_cast<std::size_t>(got));
  }

  /// Zeros after a stream, as xz and tapes have them.
  void skip_padding() {
    while (!given_.empty() && given_.front() == '\0') {
      given_ = given_.subspan(1);
      if (given_.empty()) fill();
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    fail(what.substr(0, what.find('%')) + std::string(codec_.name) + what.substr(what.find('%') + 1));
  }

  void begin_stream() {
    const std::string_view begin(given_.data(), std::min(given_.size(), codec_.magic.size()));
    const bool empty = codec_.begins_empty_stream != nullptr && codec_.begins_empty_stream(begin);
    if (!codec_.magic.starts_with(begin) && !empty) refuse("a damaged % archive: something else follows its end");
    stream_ = codec_.open();
  }

  /// Bytes made.
  std::size_t step() {
    const Decompressor::Step step = stream_->step(given_, made_);
    const bool stuck = step.taken == 0 && step.made == 0;
    const bool no_more = given_.empty();
    given_ = given_.subspan(step.taken);
    if (step.state == Decompressor::State::damaged) refuse("a damaged % archive; a fresh copy would help");
    if (step.state == Decompressor::State::ended) {
      stream_.reset();
    } else if (stuck && no_more) {
      refuse("a truncated % archive; a complete copy would help");
    }
    return step.made;
  }

  std::unique_ptr<InputStream> archive_;
  const Codec& codec_;
  std::unique_ptr<Decompressor> stream_;
  std::vector<char> archived_ = std::vector<char>(kPieceBytes);
  std::vector<char> made_ = std::vector<char>(kPieceBytes);
  std::span<const char> given_;
};

std::unique_ptr<InputStream> unpacked(std::unique_ptr<InputStream> stream, const Codec* codec) {
  if (codec == nullptr) return stream;
  return std::make_unique<DecompressedInput>(std::move(stream), *codec);
}

std::unique_ptr<InputStream> unpacked(std::unique_ptr<InputStream> stream) {
  const Codec* const codec = codec_of(stream->name(), stream->next_bytes());
  return unpacked(std::move(stream), codec);
}

}  // namespace

std::unique_ptr<InputStream> open_input(const std::string& path, std::string_view remedy) {
  if (path == "-") return unpacked(std::unique_ptr<InputStream>(new InputFile(InputFile::standard_input())));
  return unpacked(std::make_unique<InputFile>(path, remedy));
}

std::string decompressed(std::string data, const std::string& path, std::uint64_t limit) {
  const Codec* const codec = codec_with_magic(data);
  if (codec == nullptr) return data;
  const auto content = unpacked(std::make_unique<InputBytes>(path, data), codec);
  return content->rest(limit);
}

std::string_view without_codec_suffix(std::string_view path) {
  for (const Codec* codec : codecs())
    if (path.ends_with(codec->suffix)) return path.substr(0, path.size() - codec->suffix.size());
  return path;
}

FileBytes::FileBytes(const std::string& path, std::string_view remedy, InputStream& content) {
  if (content.size())
    mapped_ = std::make_unique<const MappedFile>(path, remedy);
  else
    text_ = content.rest(kMostArchiveBytes);
}

std::string_view FileBytes::mapped_bytes() const {
  if (mapped_ == nullptr) return {};
  const std::span<const std::byte> bytes = mapped_->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace orderlab
