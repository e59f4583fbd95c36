#include "cli/host_build.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <set>

#include "box/program_path.hpp"
#include "cli/host_options.hpp"
#include "cli/host_process.hpp"
#include "core/input_file.hpp"
#include "cuda_source/rewrite.hpp"
#include "cuda_source/unchecked_copy.hpp"
#include "orderlab/error.hpp"
#include "sweep/content_hash.hpp"

namespace orderlab::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_host(const std::string& message) { throw Error(ErrorKind::usage, message); }

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

// ---- Sources
/// The rewritten text of every file of the program that is not the system's, by absolute path.
class SourceSet {
 public:
  explicit SourceSet(const std::vector<std::string>& folders) : folders_(folders) {}

  void add(const std::string& shown) {
    const std::string path = absolute(shown);
    if (!seen_.insert(path).second) return;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::string source = InputFile(shown, "name a CUDA source").rest();
    if (source.starts_with(kByteOrderMark)) source.erase(0, kByteOrderMark.size());
    cuda_source::Rewritten rewritten = cuda_source::rewrite(source);
    for (const cuda_source::Problem& problem : rewritten.problems)
      refuse_host(shown + ":" + std::to_string(problem.line) + ": " + problem.text);
    // Its own name for messages: the compiler reads a copy.
    texts_[path] = "#line 1 \"" + shown + "\"\n" + rewritten.text;
    for (const cuda_source::Include& include : cuda_source::includes_of(source)) add_include(shown, include);
  }

  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  void add_include(const std::string& from, const cuda_source::Include& include) {
    std::vector<std::string> folders = folders_;
    if (include.quoted) folders.insert(folders.begin(), fs::path(from).parent_path().string());
    for (const std::string& folder : folders) {
      const fs::path path = fs::path(folder) / include.name;
      std::error_code code;
      if (!fs::is_regular_file(path, code)) continue;
      add(path.string());
      return;
    }
  }

  const std::vector<std::string>& folders_;
  std::set<std::string> seen_;
  std::map<std::string, std::string> texts_;
};

// ---- The compiler, and what it needs of this program
struct Installation {
  std::string include;               ///< folder of orderlab/cuda_on_host.hpp
  std::vector<std::string> objects;  ///< libraries, in the order in which they are linked
};

/// Folders of what runs now: of the program, of the Python module, of the program in PATH, which may be another.
std::vector<fs::path> own_folders() {
  std::error_code code;
  std::vector<fs::path> folders = {fs::read_symlink("/proc/self/exe", code).parent_path()};
  Dl_info module{};
  if (::dladdr(&kHostLibraries, &module) != 0) folders.push_back(fs::canonical(module.dli_fname, code).parent_path());
  const std::string program = path_of_program("orderlab");
  if (!program.empty()) folders.push_back(fs::canonical(program, code).parent_path());
  return folders;
}

/// In a build tree beside the program, or above its tests and Python's module; else where they are installed.
Installation find_installation() {
  std::error_code code;
  const std::vector<fs::path> own = own_folders();
  std::vector<std::pair<fs::path, fs::path>> places;
  for (const fs::path& folder : own) {
    for (const fs::path& tree : {folder, folder.parent_path(), folder.parent_path().parent_path()})
      places.emplace_back(tree / "sources" / "include", tree);
    places.emplace_back(folder / kHostIncludeFromProgram, folder / kHostLibrariesFromProgram);
  }
  for (const auto& [include, libraries] : places) {
    if (!fs::exists(include / "orderlab" / "cuda_names" / "cuda_runtime.h", code)) continue;
    if (!fs::exists(libraries / "liborderlab_kernels.a", code)) continue;
    Installation found{include.string(), {(libraries / "liborderlab_kernels.a").string()}};
    if (fs::exists(libraries / "liborderlab.a", code))
      found.objects.push_back((libraries / "liborderlab.a").string());
    else
      found.objects.insert(found.objects.end(),
                           {"-L" + libraries.string(), "-Wl,-rpath," + libraries.string(), "-lorderlab"});
    return found;
  }
  refuse_host("the headers and libraries of orderlab are not installed beside this program (" + own[0].string() +
              "); install the component `development`, as of the package liborderlab-dev");
}

struct Compiler {
  std::string program;
  std::string version;  ///< all that it says of itself
  bool is_clang = false;
};

/// Its temporary files are in `folder`, also those that a killed compiler leaves. A compiler that a stop or a signal
/// ended has not said anything of the program.
ProcessEnd run_compiler(HostProcess process, const ScratchFolder& folder, const std::stop_token& stop) {
  process.environment.push_back("TMPDIR=" + folder.path());
  const ProcessEnd end = run_process(process, stop);
  if (end.stopped) throw Stopped{};
  if (end.error != 0)
    refuse_host("compiler " + process.arguments[0] + ": cannot be run: " + std::strerror(end.error) +
                "; set CXX to g++ or clang++");
  if (end.signal != 0)
    throw Error(ErrorKind::unsupported, "compiler " + process.arguments[0] + ": ended by " + signal_name(end.signal) +
                                            "; it says nothing of the program");
  return end;
}

Compiler find_compiler(const ScratchFolder& folder, const std::stop_token& stop) {
  const char* const named = std::getenv("CXX");
  std::vector<std::string> names = {"g++", "clang++"};
  if (named != nullptr && *named != '\0') names = {named};
  for (const std::string& name : names) {
    if (path_of_program(name).empty()) continue;
    const std::string file = folder.file("version");
    const HostProcess asked{.arguments = {name, "--version"}, .output = file, .errors = "/dev/null"};
    if (run_compiler(asked, folder, stop).status != 0) continue;
    std::string version = content_of(file);
    const bool is_clang = version.find("clang") != std::string::npos;
    return {name, std::move(version), is_clang};
  }
  if (named != nullptr && *named != '\0')
    refuse_host("CXX is " + std::string(named) + ", which is not a compiler that can be run; set it to g++ or clang++");
  refuse_host("no compiler: neither g++ nor clang++ is in PATH; install g++ 12 or later, or set CXX");
}

/// One option each; "SHELL:a b" are two.
void add_options(std::vector<std::string>& command, std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    if (line.starts_with("SHELL:")) {
      line.remove_prefix(6);
      command.emplace_back(line.substr(0, line.find(' ')));
      line.remove_prefix(line.find(' ') + 1);
    }
    if (!line.empty()) command.emplace_back(line);
  }
}

bool fuses() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

std::string standard_option(const std::string& asked) {  // the headers need C++20
  const bool later = asked.ends_with("23") || asked.ends_with("2b") || asked.ends_with("26") || asked.ends_with("2c");
  return "-std=gnu++" + (later ? asked.substr(asked.size() - 2) : "20");
}

#if defined(__x86_64__)
constexpr bool kHasUncheckedCopies = true;
#else
constexpr bool kHasUncheckedCopies = false;  // there compilers reach variables by other names than their own
#endif

/// What thread blocks run whose accesses are checked, and all of the host; or what the others run.
enum class Copy : std::uint8_t { checked, unchecked };

std::vector<std::string> compile_command(const Compiler& compiler, const HostSources& sources,
                                         const Installation& installation, const std::string& copies, Copy copy) {
  std::vector<std::string> command = {compiler.program, "-S", "-x", "c++", standard_option(sources.standard), "-w"};
  if (copy == Copy::checked)
    add_options(command, compiler.is_clang ? kHostOptionsOfClang : kHostOptionsOfGnu);
  else
    add_options(command, compiler.is_clang ? kHostUncheckedOfClang : kHostUncheckedOfGnu);
  if (fuses())
    add_options(command, compiler.is_clang ? kHostFusingOfClang : kHostFusingOfGnu);
  else
    command.insert(command.end(), {"-ffp-contract=off", "-DORDERLAB_FP_CONTRACT_OFF"});
  if (compiler.is_clang)
    command.insert(command.end(), {"-Wno-everything", "-fno-caret-diagnostics"});
  else
    command.insert(command.end(), {"-fpermissive", "-ftrack-macro-expansion=0", "-fno-diagnostics-show-caret"});
  for (const std::string& definition : sources.definitions) command.push_back("-D" + definition);
  command.insert(command.end(), {"-I" + installation.include + "/orderlab/cuda_names", "-I" + installation.include,
                                 "-include", "cuda_runtime.h"});
  for (const std::string& folder : sources.include_folders) {
    command.push_back("-I" + copies + absolute(folder));
    command.push_back("-I" + folder);
  }
  return command;
}

// ---- The temporary folder
/// A folder that is this user's alone. Error(unsupported) where it is not.
std::string private_folder() {
  const std::string folder = temporary_place() + "/orderlab-host-" + std::to_string(::getuid());
  constexpr mode_t kOwner = 0700;
  if (::mkdir(folder.c_str(), kOwner) != 0 && errno != EEXIST)
    throw Error(ErrorKind::unsupported,
                folder + ": cannot be made: " + std::strerror(errno) + "; set TMPDIR to a folder that you may write");
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::getuid() ||
      (status.st_mode & 0077) != 0)
    throw Error(ErrorKind::unsupported,
                folder + ": is not a folder of this user alone; remove it, or set TMPDIR to another place");
  return folder;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file)
    throw Error(ErrorKind::unsupported,
                path + ": cannot be written: " + std::strerror(errno) + "; set TMPDIR to a folder with room");
}

void write_copies(const SourceSet& set, const std::string& copies) {
  for (const auto& [path, text] : set.texts()) {
    const fs::path copy = copies + path;
    fs::create_directories(copy.parent_path());
    write_file(copy, text);
  }
}

/// When a file was last written, as far as that tells two builds of it apart.
std::string stamp_of(const std::string& file) {
  std::error_code code;
  const auto time = fs::last_write_time(file, code);
  return code ? "" : std::to_string(time.time_since_epoch().count());
}

/// All that a program is made of beside its own sources.
std::vector<std::string> files_of(const Installation& installation) {
  std::vector<std::string> files = installation.objects;
  for (const auto& entry : fs::recursive_directory_iterator(installation.include + "/orderlab"))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Programs that no run has used for so long.
void remove_old(const std::string& folder) {
  constexpr std::chrono::hours kKept{24 * 30};
  std::error_code code;
  const auto oldest = fs::file_time_type::clock::now() - kKept;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (entry.last_write_time(code) < oldest && !code) old.push_back(entry.path());
  for (const fs::path& path : old) fs::remove_all(path, code);
}

}  // namespace

std::string build_host_program(const HostSources& sources, std::string& complaints, const std::stop_token& stop) {
  SourceSet set(sources.include_folders);
  for (const std::string& file : sources.files) set.add(file);
  const Installation installation = find_installation();
  const std::string folder = private_folder();
  const ScratchFolder build(folder + "/build-");  // another command may build the same program now
  const Compiler compiler = find_compiler(build, stop);

  ContentHasher hasher;
  hasher.add(compiler.version + '\0');
  for (const auto& [path, text] : set.texts()) hasher.add(path + '\0' + text + '\0');
  for (const std::string& file : files_of(installation)) hasher.add(file + stamp_of(file) + '\0');
  std::vector<Copy> wanted = {Copy::checked};
  if (!sources.all_checked && kHasUncheckedCopies) wanted.push_back(Copy::unchecked);
  for (const Copy copy : wanted)
    for (const std::string& word : compile_command(compiler, sources, installation, "", copy)) hasher.add(word + '\0');
  for (const std::string& file : sources.files) hasher.add(file + '\0');
  const std::string program = folder + "/program-" + hasher.digest().text().substr(5);
  std::error_code code;
  if (fs::is_regular_file(program, code)) {
    fs::last_write_time(program, fs::file_time_type::clock::now(), code);
    return program;
  }
  remove_old(folder);

  const std::string copies = build.file("sources");
  write_copies(set, copies);
  const std::string log = build.file("errors");
  const std::string built = build.file("program");
  std::vector<cuda_source::CompiledTwice> compiled;
  for (std::size_t i = 0; i < sources.files.size(); ++i) {
    const std::string source = absolute(sources.files[i]);
    const auto compiles = [&](Copy copy, const std::string& assembly, const std::string& messages) {
      std::vector<std::string> command = compile_command(compiler, sources, installation, copies, copy);
      command.insert(command.end(),
                     {"-iquote", fs::path(source).parent_path().string(), copies + source, "-o", assembly});
      return run_compiler({.arguments = command, .errors = messages}, build, stop).status == 0;
    };
    const std::string assembly = build.file(std::to_string(i) + ".s");
    const std::string unchecked_assembly = build.file(std::to_string(i) + "_unchecked.s");
    std::future<bool> unchecked;
    if (wanted.size() > 1)
      unchecked = std::async(std::launch::async, compiles, Copy::unchecked, unchecked_assembly, "/dev/null");
    if (!compiles(Copy::checked, assembly, log)) {
      complaints = content_of(log);
      return {};
    }
    compiled.push_back({content_of(assembly), {}});
    if (wanted.size() == 1) continue;
    if (unchecked.get() && !cuda_source::has_volatile_accesses(compiled.back().checked))
      compiled.back().unchecked = content_of(unchecked_assembly);
    else
      wanted.pop_back();
  }
  const auto links = [&](const std::vector<cuda_source::CompiledTwice>& parts) {
    std::vector<std::string> command = {compiler.program, "-o", built};
    const auto add_assembly = [&](const std::string& name, const std::string& text) {
      if (text.empty()) return;
      command.push_back(build.file(name));
      write_file(command.back(), text);
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      add_assembly("checked" + std::to_string(i) + ".s", parts[i].checked);
      add_assembly("unchecked" + std::to_string(i) + ".s", parts[i].unchecked);
    }
    command.insert(command.end(), installation.objects.begin(), installation.objects.end());
    add_options(command, kHostLibraries);
    return run_compiler({.arguments = command, .errors = log}, build, stop).status == 0;
  };
  bool is_linked = false;
  if (wanted.size() > 1) {
    std::vector<cuda_source::CompiledTwice> joined = compiled;
    cuda_source::join_copies(joined);
    is_linked = links(joined);
  }
  if (!is_linked) {  // names that cannot be told from instructions
    for (cuda_source::CompiledTwice& each : compiled) each.unchecked.clear();
    is_linked = links(compiled);
  }
  if (!is_linked) {
    complaints = content_of(log);
    return {};
  }
  fs::rename(built, program);
  return program;
}

}  // namespace orderlab::cli
