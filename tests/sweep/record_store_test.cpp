#include "sweep/record_store.hpp"

#include <SQLiteCpp/Database.h>
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "cli/program.hpp"
#include "orderlab/error.hpp"
#include "sweep/store.hpp"

using namespace orderlab;
using orderlab::cli::TemporaryFolder;

TEST_CASE("records are there when the store is opened again, by config and run") {
  const TemporaryFolder folder;
  {
    RecordStore store("r.sqlite", RecordStore::Access::create);
    store.keep("a", 3, "three");
    store.keep("a", std::uint64_t{1} << 62, "far");
    store.keep("b", 3, "other");
    store.keep("a", 3, "again");
    CHECK(store.records("a").at(3) == "three");
  }
  const RecordStore store("r.sqlite", RecordStore::Access::read);
  CHECK(store.records("a").size() == 2);
  CHECK(store.records("a").at(3) == "three");
  CHECK(store.records("a").at(std::uint64_t{1} << 62) == "far");
  CHECK(store.records("b").at(3) == "other");
  CHECK(store.records("c").empty());
  CHECK(is_record_store("r.sqlite"));
  CHECK(!is_record_store("absent.sqlite"));
}

TEST_CASE("the sweep of a store reads back") {
  const TemporaryFolder folder;
  {
    RecordStore store("r.sqlite", RecordStore::Access::create);
    CHECK_THROWS_AS(store.sweep(), Error);
    store.set_sweep({"old", "", {}});
    store.set_sweep({"title", "question?", {{{"solve", "cg", "--scale", "1"}, "scale 1"}, {{"solve", "cg"}, ""}}});
  }
  const RecordedSweep sweep = RecordStore("r.sqlite", RecordStore::Access::read).sweep();
  CHECK(sweep.title == "title");
  CHECK(sweep.question == "question?");
  REQUIRE(sweep.questions.size() == 2);
  CHECK(sweep.questions[0].arguments == std::vector<std::string>{"solve", "cg", "--scale", "1"});
  CHECK(sweep.questions[0].name == "scale 1");
}

TEST_CASE("damaged records are left out to be made again, and refused where they are read") {
  const TemporaryFolder folder;
  {
    RecordStore store("r.sqlite", RecordStore::Access::create);
    store.keep("a", 1, "one");
    store.keep("a", 2, "two");
  }
  SQLite::Database("r.sqlite", SQLite::OPEN_READWRITE).exec("UPDATE record SET record = 'ONE' WHERE run = 1");
  CHECK_THROWS_WITH_AS(RecordStore("r.sqlite", RecordStore::Access::read),
                       "r.sqlite: is damaged: 1 records; the command that made it makes them again", Error);
  {
    RecordStore store("r.sqlite", RecordStore::Access::create);
    CHECK(store.damaged() == 1);
    CHECK(!store.records("a").contains(1));
    store.keep("a", 1, "one");
  }
  CHECK(RecordStore("r.sqlite", RecordStore::Access::read).records("a").at(1) == "one");
}

TEST_CASE("a store takes what others have, once, and refuses a record that differs and a second sweep") {
  const TemporaryFolder folder;
  const auto made = [](const char* name, const char* record, const char* title) {
    RecordStore store(name, RecordStore::Access::create);
    store.keep("a", 1, record);
    store.keep("a", static_cast<std::uint64_t>(name[0]), "own");
    if (title != nullptr) store.set_sweep({title, "", {{{"solve", "cg"}, "", {{"n", 1}}}}});
  };
  made("one", "record", "T");
  made("two", "record", "T");
  made("three", "another", nullptr);
  made("four", "record", "U");
  const auto opened = [](const char* name) { return RecordStore(name, RecordStore::Access::read); };
  const RecordStore one = opened("one");
  const RecordStore two = opened("two");
  {
    RecordStore all("all", RecordStore::Access::create);
    CHECK(all.take({&one, &two}) == 3);
    CHECK(all.take({&two, &one}) == 0);
    for (const auto& [name, what] : {std::pair("three", "three: record 1 differs from that of all"),
                                     std::pair("four", "four: has another sweep than all")}) {
      const RecordStore wrong = opened(name);
      std::string message;
      try {
        all.take({&wrong});
      } catch (const Error& error) {
        message = error.what();
      }
      CHECK(message.starts_with(what));
      CHECK(all.count() == 3);
    }
  }
  CHECK(opened("all").count() == 3);
  CHECK(opened("all").sweep() == one.sweep());
}

TEST_CASE("other files are refused and not touched") {
  const TemporaryFolder folder;
  { const Store store("sums.sqlite", Store::Access::create); }
  TemporaryFolder::write("text.sqlite", "not a database, but text that is long enough to look like one");
  SQLite::Database("other.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (a)");
  for (const char* name : {"sums.sqlite", "text.sqlite", "other.sqlite"}) {
    CAPTURE(name);
    const std::string before = TemporaryFolder::read(name);
    CHECK_THROWS_AS(RecordStore(name, RecordStore::Access::create), Error);
    CHECK_THROWS_AS(RecordStore(name, RecordStore::Access::read), Error);
    CHECK(TemporaryFolder::read(name) == before);
    CHECK(!is_record_store(name));
  }
  CHECK_THROWS_AS(RecordStore("absent.sqlite", RecordStore::Access::read), Error);
  CHECK_THROWS_AS(RecordStore(".", RecordStore::Access::create), Error);
}

TEST_CASE("a store of records of another version is refused in one line and not touched") {
  const TemporaryFolder folder;
  { const RecordStore store("r.sqlite", RecordStore::Access::create); }
  for (const auto& [version, what] : {std::pair(2, "r.sqlite: was written by a newer orderlab; use that one"),
                                      std::pair(0,
                                                "r.sqlite: is damaged: has schema 0; `orderlab sweep` with a new "
                                                "name computes its points again")}) {
    SQLite::Database("r.sqlite", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = " + std::to_string(version));
    const std::string before = TemporaryFolder::read("r.sqlite");
    CHECK_THROWS_WITH_AS(RecordStore("r.sqlite", RecordStore::Access::create), what, Error);
    CHECK_THROWS_WITH_AS(RecordStore("r.sqlite", RecordStore::Access::read), what, Error);
    CHECK(TemporaryFolder::read("r.sqlite") == before);
  }
}
