#include "files/zip_archive.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "core/text.hpp"
#include "files/codec.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::uint32_t kAbsent32 = 0xFFFFFFFF;  // the field of 64 bits has it
constexpr std::uint16_t kAbsent16 = 0xFFFF;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

[[noreturn]] void refuse_archive(const std::string& file, const std::string& problem) {
  throw Error(ErrorKind::input, file + ": " + problem + "; a complete copy would help");
}

/// Little-endian fields, one after the other.
class ZipFields {
 public:
  ZipFields(std::string_view bytes, const std::string& file) : rest_(bytes), file_(file) {}

  std::string_view text(std::uint64_t bytes) {
    if (bytes > rest_.size()) refuse_archive(file_, "a damaged zip archive: its list of members is cut short");
    const std::string_view text = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return text;
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::string_view field = text(bytes);
    for (std::size_t i = bytes; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(field[i]);
    return value;
  }
  std::uint16_t number16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t number32() { return static_cast<std::uint32_t>(number(4)); }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& file_;
};

/// Where the list of members is.
struct ZipDirectory {
  std::uint64_t members;
  std::uint64_t bytes;
  std::uint64_t offset;
};

ZipDirectory find_directory(std::string_view data, const std::string& file) {
  constexpr std::string_view kEnd = "PK\x05\x06";
  constexpr std::string_view kEnd64 = "PK\x06\x06";
  constexpr std::string_view kLocator = "PK\x06\x07";
  constexpr std::size_t kEndBytes = 22;
  constexpr std::size_t kLocatorBytes = 20;
  const std::size_t end = data.rfind(kEnd);
  if (end == std::string_view::npos || data.size() - end < kEndBytes)
    refuse_archive(file, "a truncated zip archive: no list of its members at its end");
  ZipFields fields(data.substr(end + kEnd.size()), file);
  fields.text(6);
  ZipDirectory directory{fields.number16(), fields.number32(), fields.number32()};
  if (directory.members != kAbsent16 && directory.bytes != kAbsent32 && directory.offset != kAbsent32) return directory;
  if (end < kLocatorBytes || data.substr(end - kLocatorBytes, kLocator.size()) != kLocator) return directory;
  ZipFields locator(data.substr(end - kLocatorBytes + kLocator.size()), file);
  locator.text(4);
  const std::uint64_t at = locator.number(8);
  if (at > data.size() || !data.substr(at).starts_with(kEnd64))
    refuse_archive(file, "a damaged zip archive: its end is not where it says");
  ZipFields wide(data.substr(at + kEnd64.size()), file);
  wide.text(28);
  directory.members = wide.number(8);
  directory.bytes = wide.number(8);
  directory.offset = wide.number(8);
  return directory;
}

/// Takes over the sizes and the offset that a member's fields of 32 bits have no room for.
void read_wide_fields(std::string_view extra, const std::string& file, std::uint64_t& bytes, std::uint64_t& compressed,
                      std::uint64_t& offset) {
  constexpr std::uint16_t kWide = 1;
  ZipFields fields(extra, file);
  while (extra.size() >= 4 && !fields.empty()) {
    const std::uint16_t kind = fields.number16();
    ZipFields field(fields.text(fields.number16()), file);
    if (kind != kWide) continue;
    for (std::uint64_t* value : {&bytes, &compressed, &offset})
      if (*value == kAbsent32) *value = field.number(8);
  }
}

/// The bytes of a member, whose own header begins at `offset`.
std::string_view member_bytes(std::string_view data, std::uint64_t offset, std::uint64_t bytes,
                              const std::string& file) {
  constexpr std::size_t kBeforeLengths = 26;
  if (offset > data.size() || !data.substr(offset).starts_with(kZipMagic))
    refuse_archive(file, "a damaged zip archive: a member does not begin where the list says");
  ZipFields header(data.substr(offset), file);
  header.text(kBeforeLengths);
  const std::uint64_t name = header.number16();
  const std::uint64_t extra = header.number16();
  header.text(name + extra);
  return header.text(bytes);
}

ZipMember read_entry(ZipFields& list, std::string_view data, const std::string& file) {
  constexpr std::string_view kEntry = "PK\x01\x02";
  constexpr std::uint16_t kEncrypted = 1;
  if (list.text(kEntry.size()) != kEntry)
    refuse_archive(file, "a damaged zip archive: its list of members cannot be read");
  list.text(4);
  ZipMember member;
  member.encrypted = (list.number16() & kEncrypted) != 0;
  member.method = list.number16();
  list.text(4);
  member.crc = list.number32();
  std::uint64_t compressed = list.number32();
  member.bytes = list.number32();
  const std::uint16_t name = list.number16();
  const std::uint16_t extra = list.number16();
  const std::uint16_t comment = list.number16();
  list.text(8);
  std::uint64_t offset = list.number32();
  member.name = list.text(name);
  read_wide_fields(list.text(extra), file, member.bytes, compressed, offset);
  list.text(comment);
  member.compressed = member_bytes(data, offset, compressed, file);
  return member;
}

/// CRC-32 of what was passed on, piece by piece.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) state_ = (state_ >> 8) ^ kTable[(state_ ^ static_cast<unsigned char>(byte)) & 0xFF];
  }
  std::uint32_t value() const { return ~state_; }

 private:
  static constexpr std::array<std::uint32_t, 256> kTable = [] {
    constexpr std::uint32_t kPolynomial = 0xEDB88320;
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      table[i] = i;
      for (int bit = 0; bit < 8; ++bit) table[i] = (table[i] >> 1) ^ ((table[i] & 1) != 0 ? kPolynomial : 0);
    }
    return table;
  }();

  std::uint32_t state_ = 0xFFFFFFFF;
};

class MemberStream : public InputStream {
 public:
  /// `inflater`: null for a member that is stored.
  MemberStream(const ZipMember& member, const std::string& name, std::unique_ptr<Decompressor> inflater)
      : InputStream(name, member.bytes), member_(member), rest_(member.compressed), inflater_(std::move(inflater)) {}

 protected:
  int_type underflow() override {
    const std::size_t made = inflater_ == nullptr ? copy() : inflate();
    const std::string_view piece(piece_.data(), made);
    checksum_.add(piece);
    total_ += made;
    if (total_ > member_.bytes) refuse_archive(name(), "a damaged zip archive: it is longer than its list says");
    if (made == 0) {
      if (total_ != member_.bytes || checksum_.value() != member_.crc)
        refuse_archive(name(), "a damaged zip archive: its checksum is another than its list says");
      return traits_type::eof();
    }
    setg(piece_.data(), piece_.data(), piece_.data() + made);
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::size_t copy() {
    const std::size_t made = rest_.copy(piece_.data(), piece_.size());
    rest_.remove_prefix(made);
    return made;
  }

  std::size_t inflate() {
    while (!ended_) {
      const Decompressor::Step step = inflater_->step(rest_, piece_);
      rest_.remove_prefix(step.taken);
      ended_ = step.state == Decompressor::State::ended;
      if (step.state == Decompressor::State::damaged || (!ended_ && step.taken == 0 && step.made == 0))
        refuse_archive(name(), "a damaged zip archive: what it compresses does not end");
      if (step.made > 0) return step.made;
    }
    return 0;
  }

  ZipMember member_;
  std::string_view rest_;
  std::unique_ptr<Decompressor> inflater_;
  std::vector<char> piece_ = std::vector<char>(std::size_t{1} << 16);
  Checksum checksum_;
  std::uint64_t total_ = 0;
  bool ended_ = false;
};

}  // namespace

std::vector<ZipMember> zip_members(std::string_view data, const std::string& file) {
  constexpr std::uint64_t kLeastEntry = 46;
  const ZipDirectory directory = find_directory(data, file);
  if (directory.offset > data.size() || directory.bytes > data.size() - directory.offset ||
      directory.members > directory.bytes / kLeastEntry)
    refuse_archive(file, "a damaged zip archive: its list of members does not fit into it");
  ZipFields list(data.substr(directory.offset, directory.bytes), file);
  std::vector<ZipMember> members;
  std::set<std::string_view> names;
  for (std::uint64_t i = 0; i < directory.members; ++i) members.push_back(read_entry(list, data, file));
  for (const ZipMember& member : members)
    if (!names.insert(member.name).second)
      refuse_archive(file, "a damaged zip archive: two members are called " + in_quotes(member.name));
  return members;
}

std::unique_ptr<InputStream> open_member(const ZipMember& member, const std::string& name) {
  const auto refuse = [&](const std::string& problem) { throw Error(ErrorKind::unsupported, name + ": " + problem); };
  if (member.encrypted) refuse("is encrypted; write it without a password");
  if (member.method != kStored && member.method != kDeflated)
    refuse("is compressed by method " + std::to_string(member.method) +
           " of zip; write it with numpy.savez or numpy.savez_compressed");
  std::unique_ptr<Decompressor> inflater = member.method == kDeflated ? open_deflate() : nullptr;
  if (member.method == kDeflated && inflater == nullptr)
    refuse("is deflated, which this build cannot read; use numpy.savez, or build with zlib1g-dev installed");
  return std::make_unique<MemberStream>(member, name, std::move(inflater));
}

}  // namespace orderlab
