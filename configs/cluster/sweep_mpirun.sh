#!/bin/bash
# A sweep by mpirun: rank r runs shard r+1 of RANKS and writes FOLDER/part-(r+1).sqlite; then the parts are joined.
# orderlab needs no MPI library; mpirun only starts it.
#
#   configs/cluster/sweep_mpirun.sh CONFIG FOLDER RANKS
#   MPIRUN='mpirun --hostfile hosts --enable-recovery' configs/cluster/sweep_mpirun.sh CONFIG FOLDER RANKS
#   MPIRUN=srun configs/cluster/sweep_mpirun.sh CONFIG FOLDER RANKS
#
# --enable-recovery (Open MPI) lets the other ranks go on when one is lost. FOLDER is one that all hosts see.
# Exit status 1, with the missing points named, if a rank was lost. Repeat the same line with the same RANKS: finished
# points are not run again.
set -euo pipefail

if [ $# != 3 ]; then
  echo "usage: sweep_mpirun.sh CONFIG FOLDER RANKS" >&2
  exit 2
fi
config=$1 folder=$2 ranks=$3
read -ra mpirun <<< "${MPIRUN:-mpirun}"
orderlab=${ORDERLAB:-orderlab}
"$orderlab" sweep "$config" --dry-run > /dev/null  # a mistake in the config ends here
mkdir -p "$folder"

"${mpirun[@]}" -n "$ranks" "$orderlab" sweep "$config" --shard auto --threads 1 --quiet \
  --db "$folder/part-{shard}.sqlite" || echo "$0: $ranks ranks were started, and not all of them finished" >&2

# Only after all ranks have ended: one host at a time may use a store (SQLite in WAL mode).
"$orderlab" merge --complete --db "$folder/all.sqlite" "$folder"/part-*.sqlite
