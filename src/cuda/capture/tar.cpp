#include "cuda/capture/tar.hpp"

#include <cstddef>
#include <string_view>

#include "orderlab/error.hpp"

namespace orderlab::cuda {

namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kLongestName = 99;

/// `number` in octal digits that fill `width`.
std::string octal(std::size_t number, std::size_t width) {
  std::string digits(width, '0');
  for (std::size_t i = width; i > 0; number /= 8) digits[--i] = static_cast<char>('0' + number % 8);
  return digits;
}

// Offsets and widths of the fields: POSIX.1-1988, "Extended tar Format".
std::string tar_header(const TarFile& file) {
  if (file.name.size() > kLongestName)
    throw Error(ErrorKind::usage, file.name + ": is too long for an archive; choose a shorter name of the folder");
  std::string header(kTarBlock, '\0');
  const auto put = [&](std::size_t offset, std::string_view text) { header.replace(offset, text.size(), text); };
  put(0, file.name);
  put(100, octal(0644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(file.content.size(), 11));
  put(136, octal(0, 11));
  put(148, std::string(8, ' '));  // the checksum, counted as blanks
  put(156, "0");                  // a regular file
  put(257, std::string_view("ustar\0"
                            "00",
                            8));
  std::size_t sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  put(148, octal(sum, 6) + '\0' + ' ');
  return header;
}

}  // namespace

std::string tar_archive(std::span<const TarFile> files) {
  std::string archive;
  for (const TarFile& file : files) {
    archive += tar_header(file) + file.content;
    archive.resize((archive.size() + kTarBlock - 1) / kTarBlock * kTarBlock);
  }
  archive.resize(archive.size() + 2 * kTarBlock);
  return archive;
}

}  // namespace orderlab::cuda
