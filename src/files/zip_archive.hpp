// Zip archives in memory, such as .npz files: their list of members, and members, stored or deflated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.hpp"

namespace orderlab {

/// How a zip archive begins.
inline constexpr std::string_view kZipMagic = "PK\x03\x04";

/// What the list of members says of one.
struct ZipMember {
  std::string name;
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
  bool encrypted = false;
  std::uint32_t crc = 0;
  std::uint64_t bytes = 0;      ///< decompressed
  std::string_view compressed;  ///< where it lies
};

/// The members of the archive `data`, in its order. `file` is for messages.
///
/// Errors: input: no archive, cut short, members beyond it, two of one name.
/// Source: [ZipFormat], with the fields of 64 bits.
std::vector<ZipMember> zip_members(std::string_view data, const std::string& file);

/// Opens a member, named `name` in messages; its size and its checksum have to agree with the list at its end.
///
/// Errors: unsupported: encrypted, another method, deflated where this build cannot read that.
std::unique_ptr<InputStream> open_member(const ZipMember& member, const std::string& name);

}  // namespace orderlab
