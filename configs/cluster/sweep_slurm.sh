#!/bin/bash
# A sweep on Slurm by one line: an array whose task i runs shard i of SHARDS (sweep.sbatch), then a job that joins the
# parts in FOLDER/all.sqlite and writes the page FOLDER/report.html.
#
#   configs/cluster/sweep_slurm.sh CONFIG FOLDER SHARDS
#   SBATCH_PARTITION=short SBATCH_TIMELIMIT=30 configs/cluster/sweep_slurm.sh CONFIG FOLDER SHARDS
#
# sbatch takes more options from its variables SBATCH_.... Missing points are named in FOLDER/merge.out. Repeat the same
# line with the same SHARDS: finished points are not run again.
set -euo pipefail

if [ $# != 3 ]; then
  echo "usage: sweep_slurm.sh CONFIG FOLDER SHARDS" >&2
  exit 2
fi
config=$1 folder=$2 shards=$3
orderlab=${ORDERLAB:-orderlab}
"$orderlab" sweep "$config" --dry-run > /dev/null  # a mistake in the config ends here
mkdir -p "$folder"

scripts=$(dirname "$(readlink -f "$0")")
array=$(sbatch --parsable --array="1-$shards" "$scripts/sweep.sbatch" "$config" "$folder" "$shards")
array=${array%%;*}  # the name of a cluster may follow

# Only after all tasks have ended: one host at a time may use a store (SQLite in WAL mode).
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }  # for sh, which runs what --wrap has
program=$(quoted "$orderlab") to=$(quoted "$folder")
join="$program merge --complete --db $to/all.sqlite $to/part-*.sqlite; status=\$?"
join+="; $program report $to/all.sqlite -o $to/report.html && exit \$status"
page=$(sbatch --parsable --job-name=orderlab-page --dependency="afterany:$array" --output="$folder/merge.out" \
  --wrap="$join")
echo "job $array runs $shards shards of $config; then job ${page%%;*} writes $folder/report.html"
echo "how far they are: squeue --jobs=$array,${page%%;*}"
