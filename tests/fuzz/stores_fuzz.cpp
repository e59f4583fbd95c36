// Stores whatever bytes they have: read, exported and reported, or refused.
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "page/sweep_content.hpp"
#include "sweep/sweep_rows.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(stores) {
  static const Folder kFolder;
  kFolder.clear();
  const Store store(kFolder.write("s.sqlite", text_of(input)), Store::Access::read);
  const StoredSweep sweep = store.sweep();
  require(sweep.finished <= sweep.points, "no more points are finished than planned");
  (void)to_json_lines(store);
  (void)to_csv(store);
  (void)content_of(store);
}
