#include "simt/image.hpp"

#include <link.h>

namespace orderlab::simt {
namespace {

struct Query {
  const void* address;
  std::optional<MemoryRange> range;
};

MemoryRange segment(const dl_phdr_info& module, const ElfW(Phdr) & header) {
  // An address of the loaded image is a number in its headers.
  return {reinterpret_cast<std::byte*>(module.dlpi_addr + header.p_vaddr), header.p_memsz};
}

int find_thread_local(dl_phdr_info* module, std::size_t, void* data) {
  auto& query = *static_cast<Query*>(data);
  if (module->dlpi_tls_data == nullptr) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    const MemoryRange range{static_cast<std::byte*>(module->dlpi_tls_data), header.p_memsz};
    if (range.contains(query.address, 1)) query.range = range;
  }
  return query.range ? 1 : 0;
}

int find_read_only(dl_phdr_info* module, std::size_t, void* data) {
  auto& query = *static_cast<Query*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    // The loader protects the relocated constants of PT_GNU_RELRO after it wrote them.
    const bool read_only = (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0) || header.p_type == PT_GNU_RELRO;
    if (read_only && segment(*module, header).contains(query.address, 1)) query.range = segment(*module, header);
  }
  return query.range ? 1 : 0;
}

}  // namespace

std::optional<MemoryRange> thread_local_segment(const void* address) {
  Query query{address, {}};
  dl_iterate_phdr(find_thread_local, &query);
  return query.range;
}

std::optional<MemoryRange> read_only_segment(const void* address) {
  Query query{address, {}};
  dl_iterate_phdr(find_read_only, &query);
  return query.range;
}

}  // namespace orderlab::simt
