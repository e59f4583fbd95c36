// A store of records: one SQLite file with what programs keep of every finished run, so that none is made again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/json.hpp"

namespace orderlab {

/// A question of a sweep over a program: the arguments that ask it, and what it is about. Reading the records of a
/// store needs no more: the arguments of a stranger's are not acted upon, and no file that they name is looked for.
struct RecordedQuestion {
  std::vector<std::string> arguments;  ///< the command first
  std::string name;                    ///< what tells it from the others, in words; empty for the only one
  Json about = {};                     ///< as the command describes it

  bool operator==(const RecordedQuestion&) const = default;
};

/// The sweep that was last run on a store.
struct RecordedSweep {
  std::string title;
  std::string question;
  std::vector<RecordedQuestion> questions;

  bool operator==(const RecordedSweep&) const = default;
};

/// Every call that writes is one transaction, durable when it returns (WAL, synchronous=FULL). Every row has a hash:
/// damaged rows are left out when the store is opened to be written, so that their runs are made again, and refused
/// when it is read. One thread at a time.
///
/// Errors: input, "FILE: ...": locked, damaged, no database, another program's database or the store of a sweep over
/// sums, a full disk. The file is not touched by what it refuses.
class RecordStore {
 public:
  enum class Access { read, create };

  RecordStore(const std::string& path, Access access);
  ~RecordStore();
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  const std::string& path() const { return path_; }

  /// Rows that were damaged and are left out.
  std::uint64_t damaged() const;

  /// All records.
  std::uint64_t count() const;

  /// Configs that have records.
  std::vector<std::string> configs() const;

  /// Records by run of the question with this config, a JSON text on one line.
  std::map<std::uint64_t, std::string> records(const std::string& config) const;

  /// Leaves out a record that cannot be used, so that another can be kept in its place.
  void leave_out(const std::string& config, std::uint64_t run);

  /// A record that is already there is not changed.
  void keep(const std::string& config, std::uint64_t run, const std::string& record);

  /// Keeps all records of other stores that are not there, and their sweep. How many records. One transaction.
  ///
  /// Errors: input as require_agreement's for this store and the others; then nothing is kept.
  std::uint64_t take(const std::vector<const RecordStore*>& others);

  /// Makes this the sweep of the store.
  void set_sweep(const RecordedSweep& sweep);

  bool has_sweep() const;

  /// Error(input) for a store that no sweep has been run on, or whose sweep is not what set_sweep writes. Whether there
  /// are such commands is the caller's to look at.
  RecordedSweep sweep() const;

 private:
  struct Connection;
  friend void require_agreement(const std::vector<const RecordStore*>& stores);
  template <class Work>
  auto guarded(Work work) const;
  void insert(const std::string& config, std::uint64_t run, const std::string& record);
  void insert(const RecordedSweep& sweep);
  void open(Access access);

  std::string path_;
  std::unique_ptr<Connection> connection_;
};

/// Error(input) for a record that differs from another store's of the same question and run, whose bits should be
/// equal, and for stores of two sweeps.
void require_agreement(const std::vector<const RecordStore*>& stores);

/// Whether the file is there and is a store of records.
bool is_record_store(const std::string& path);

}  // namespace orderlab
