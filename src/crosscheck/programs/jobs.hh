// What the programs of all runtimes share: jobs and terms come from files of a folder, sums go to one.
//
// usage: PROGRAM FOLDER
//
// FOLDER/jobs has a line for each job: CALL FORMAT TERMS OUTPUTS PRODUCTS WORKERS PARAMETER CALLS. FOLDER/terms has the
// terms of each: OUTPUTS rows of TERMS numbers, then with PRODUCTS 1 TERMS numbers more, the second factors of every
// row. FOLDER/sums gets the sums of each call. FOLDER/version says which runtime it is. All numbers are of FORMAT, fp64
// or fp32. Exit status 3: fewer workers than were asked for. 4: a call that the program does not have. 5: workers that
// should have equal sums have not.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <vector>

struct Job {
  std::string call, format;
  std::size_t terms = 0, outputs = 0;
  int products = 0, workers = 0;
  std::size_t parameter = 0;
  int calls = 0, number = 0;  // number: of the call that runs

  bool last() const { return number + 1 == calls; }
};

inline std::string join(const std::string& folder, const char* name) { return folder + "/" + name; }

[[noreturn]] inline void leave(int status) { std::exit(status); }

// Arrays begin at multiples of 64 bytes, as some libraries begin elsewhere where they do not.
template <class T>
struct Aligned {
  using value_type = T;

  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kBoundary)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kBoundary); }

  friend bool operator==(Aligned, Aligned) { return true; }
  friend bool operator!=(Aligned, Aligned) { return false; }

  static constexpr std::align_val_t kBoundary{64};
};

template <class T, class Add>
void run_job(Job& job, std::ifstream& terms, std::ofstream* sums, const Add& add) {
  std::vector<T, Aligned<T>> x(job.outputs * job.terms), y(job.products != 0 ? job.terms : 0);
  std::vector<T> out(job.outputs);
  terms.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(x.size() * sizeof(T)));
  terms.read(reinterpret_cast<char*>(y.data()), static_cast<std::streamsize>(y.size() * sizeof(T)));
  for (job.number = 0; job.number < job.calls; ++job.number) {
    add(static_cast<const Job&>(job), static_cast<const T*>(x.data()), static_cast<const T*>(y.data()), out.data());
    if (sums != nullptr)
      sums->write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(out.size() * sizeof(T)));
  }
}

// add(job, x, y, sums) makes one call, for x, y and sums of double and of float. Where several processes run it, one
// writes.
template <class Add>
int run_jobs(const std::string& folder, const std::string& version, bool writes, const Add& add) {
  std::ifstream jobs(join(folder, "jobs")), terms(join(folder, "terms"), std::ios::binary);
  std::ofstream sums;
  if (writes) {
    sums.open(join(folder, "sums"), std::ios::binary);
    std::ofstream(join(folder, "version")) << version << "\n";
  }
  Job job;
  while (jobs >> job.call >> job.format >> job.terms >> job.outputs >> job.products >> job.workers >> job.parameter >>
         job.calls) {
    if (job.format == "fp64")
      run_job<double>(job, terms, writes ? &sums : nullptr, add);
    else
      run_job<float>(job, terms, writes ? &sums : nullptr, add);
  }
  return 0;
}
