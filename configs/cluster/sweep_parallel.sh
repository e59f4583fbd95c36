#!/bin/bash
# A sweep by GNU parallel, on this machine or by ssh: shard i of SHARDS writes FOLDER/part-i.sqlite; then the parts are
# joined.
#
#   configs/cluster/sweep_parallel.sh CONFIG FOLDER SHARDS
#   PARALLEL='--sshloginfile hosts --workdir .' configs/cluster/sweep_parallel.sh CONFIG FOLDER SHARDS
#
# GNU parallel takes more options from the variable PARALLEL. With ssh, all hosts see this folder and FOLDER, and more
# shards than cores keep all hosts busy to the end.
# A shard that fails is tried three times, by ssh on another host if there is one. Exit status 1, with the missing
# points named, if one is still not complete. Repeat the same line: finished points are not run again.
set -euo pipefail

if [ $# != 3 ]; then
  echo "usage: sweep_parallel.sh CONFIG FOLDER SHARDS" >&2
  exit 2
fi
config=$1 folder=$2 shards=$3
orderlab=${ORDERLAB:-orderlab}
"$orderlab" sweep "$config" --dry-run > /dev/null  # a mistake in the config ends here
mkdir -p "$folder"

seq "$shards" | parallel --will-cite --quote --retries 3 --joblog "$folder/joblog" \
  "$orderlab" sweep "$config" --shard "{}/$shards" --threads 1 --quiet --db "$folder/part-{}.sqlite" ||
  echo "$0: not all of $shards shards finished; $folder/joblog has their exit statuses" >&2

# Only after all shards have ended: one host at a time may use a store (SQLite in WAL mode).
"$orderlab" merge --complete --db "$folder/all.sqlite" "$folder"/part-*.sqlite
