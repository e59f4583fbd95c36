// In which order does a black box add?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/probe.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct ProbeRequest {
  BoxMaker box = {};                      ///< what is asked
  std::size_t n = 64;                     ///< terms
  std::vector<std::size_t> sizes = {};    ///< further numbers of terms
  Format format = Format::fp32;           ///< format of the terms
  std::vector<std::size_t> offsets = {};  ///< places of the first term, in elements from a page; empty: 0
  std::vector<std::size_t> threads = {};  ///< OMP_NUM_THREADS of the box; empty: as the environment has it
  std::size_t repeats = 3;                ///< calls with equal terms that have to agree, at least 2
  std::string expected = {};              ///< an order, as parse_order reads it; empty: none is
};

/// Whether what was found for n holds for another number of terms too.
struct OtherSize {
  std::size_t n = 0;
  bool holds = false;
  std::string problem = {};  ///< why it could not be asked; empty where it was
};

/// Where several numbers of threads gave one order that adds term after term: one thread did all, and whether it does
/// so with many terms too, which other threads have time to share.
struct OneThread {
  std::size_t n = 0;  ///< many terms, added with the most threads
  bool holds = false;
};

struct ProbeFinding {
  BoxMaker box;  ///< as it was asked for, without `make`
  std::size_t repeats = 0;
  Format format = Format::fp32;
  ProbeVerdict verdict = ProbeVerdict::not_a_sum;
  std::string order;                         ///< as --order takes it; empty where no order explains all settings
  std::string expected;                      ///< as it was asked; empty: none was
  std::vector<ProbedOrder> settings;         ///< n first, then sizes, offsets, threads; at least one
  std::vector<OtherSize> other_sizes;        ///< a few, by their bits alone, where no sizes were asked for
  std::optional<OneThread> one_thread = {};  ///< empty where that is not so, or could not be asked
  bool partial = false;                      ///< interrupted

  std::uint64_t calls() const;  ///< calls of the box in all settings

  /// Whether all settings are as expected; true where nothing was.
  bool as_expected() const;
};

/// Empty when interrupted before any verdict.
///
/// Errors: as probe_setting; usage for an order that parse_order does not read, for repeats below 2, or for a size, an
/// offset or a number of threads that is given twice.
std::optional<ProbeFinding> probe(const ProbeRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
