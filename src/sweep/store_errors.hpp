// What SQLite throws, in words; and waiting while another program holds a store.
#pragma once

#include <SQLiteCpp/Exception.h>

#include <chrono>
#include <string>
#include <thread>

namespace orderlab {

/// Another program's transaction is over by then, or is no short one.
inline constexpr int kPatienceMs = 2000;

/// What is left to do where SQLite cannot follow its own structure. (Its `.recover` drops what makes the file a store.)
inline constexpr const char* kStartAgain = "`orderlab sweep` with a new name computes its points again";

/// What is wrong and what would be right, to follow "FILE: ".
std::string in_words(const SQLite::Exception& error);

/// Whether another program holds the database.
bool is_lock(const SQLite::Exception& error);

/// Tries again while others hold the database.
template <class Work>
void patiently(Work work) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  for (;;) try {
      return work();
    } catch (const SQLite::Exception& error) {
      if (!is_lock(error) || std::chrono::steady_clock::now() > end) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace orderlab
