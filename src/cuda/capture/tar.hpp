// Archives as `tar` reads them: several text files in one, the same bytes from the same files.
#pragma once

#include <span>
#include <string>

namespace orderlab::cuda {

struct TarFile {
  std::string name;  ///< with its folder, up to 99 characters
  std::string content;
};

/// An archive in the format ustar of POSIX.1-1988. Modes are 644, owner and time are 0.
///
/// Error(usage) for a name that is too long.
std::string tar_archive(std::span<const TarFile> files);

}  // namespace orderlab::cuda
