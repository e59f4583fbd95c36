#include "simt/image.hpp"

#include <link.h>

namespace orderlab::simt {
namespace {

struct Query {
  const void* address;
  std::optional<Segment> found;
};

Segment segment_at(const dl_phdr_info& module, std::byte* begin, std::size_t bytes) {
  const std::string file = module.dlpi_name == nullptr ? "" : module.dlpi_name;
  return {{begin, bytes}, {file.empty() ? "/proc/self/exe" : file, module.dlpi_addr}};
}

Segment segment_of_header(const dl_phdr_info& module, const ElfW(Phdr) & header) {
  // An address of the loaded image is a number in its headers.
  return segment_at(module, reinterpret_cast<std::byte*>(module.dlpi_addr + header.p_vaddr), header.p_memsz);
}

int find_thread_local(dl_phdr_info* module, std::size_t, void* data) {
  auto& query = *static_cast<Query*>(data);
  if (module->dlpi_tls_data == nullptr) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    const Segment segment = segment_at(*module, static_cast<std::byte*>(module->dlpi_tls_data), header.p_memsz);
    if (segment.contains(query.address, 1)) query.found = segment;
  }
  return query.found ? 1 : 0;
}

int find_read_only(dl_phdr_info* module, std::size_t, void* data) {
  auto& query = *static_cast<Query*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    // The loader protects the relocated constants of PT_GNU_RELRO after it wrote them.
    const bool read_only = (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0) || header.p_type == PT_GNU_RELRO;
    if (!read_only) continue;
    const Segment segment = segment_of_header(*module, header);
    if (segment.contains(query.address, 1)) query.found = segment;
  }
  return query.found ? 1 : 0;
}

int find_loaded(dl_phdr_info* module, std::size_t, void* data) {
  auto& query = *static_cast<Query*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const Segment segment = segment_of_header(*module, header);
    if (segment.contains(query.address, 1)) query.found = segment;
  }
  return query.found ? 1 : 0;
}

std::optional<Segment> ask(int (*find)(dl_phdr_info*, std::size_t, void*), const void* address) {
  Query query{address, {}};
  dl_iterate_phdr(find, &query);
  return query.found;
}

}  // namespace

std::optional<Segment> thread_local_segment(const void* address) { return ask(find_thread_local, address); }
std::optional<Segment> read_only_segment(const void* address) { return ask(find_read_only, address); }
std::optional<Segment> segment_of(const void* address) { return ask(find_loaded, address); }

}  // namespace orderlab::simt
