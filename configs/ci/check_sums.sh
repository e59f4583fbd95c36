#!/bin/sh
# Does what this project takes for granted about its sums still hold? Copy this script, change what stands below the
# line, and run it after the build; github.yml and gitlab.yml do that. Here the project is total.cpp, which prints the
# sum of a file of numbers, and a test that passes the rtol in rtol.txt to its compare call.
#
# usage: check_sums.sh PROGRAM [FOLDER]   FOLDER, sums-json by default, gets orderlab's answers: keep it as an artifact
#
# Exit status, as that of orderlab: 0 yes, all holds; 1 no, something does not; 2 a wrong call, or a program that does
# not run; 130 interrupted.
set -u
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: check_sums.sh PROGRAM [FOLDER]" >&2
  exit 2
fi
program=$1
folder=${2:-sums-json}
here=$(dirname "$0")
command -v orderlab > /dev/null || { echo "orderlab is not in PATH; install its package" >&2; exit 2; }
mkdir -p "$folder" || exit 2
failed=0

# judge STATUS NAME WHAT-HOLDS: what FOLDER/NAME.txt says is printed if it does not hold
judge() {
  case $1 in
    0) echo "holds: $3" ;;
    1) echo "DOES NOT HOLD: $3"; sed 's/^/    /' "$folder/$2.txt"; failed=1 ;;
    *) echo "not known, exit status $1: $3" >&2; exit "$1" ;;
  esac
}

# require_number WHAT TEXT: without it nothing is known, which is neither yes nor no
require_number() {
  if printf '%s' "$2" | tr '\n' ' ' | grep -Eqx '([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?'; then return; fi
  echo "$1 is not a number: '$2'" >&2
  exit 2
}

# ---- The sums of this project
terms=$here/terms.txt
value=$("$program" "$terms") || { echo "$program $terms failed" >&2; exit 2; }

# 1. The tolerance of the test is not too small for inputs like these, in whatever order a parallel sum adds them.
rtol=$(cat "$here/rtol.txt") || exit 2
require_number rtol.txt "$rtol"
orderlab tolerance --n 256 --dist 'uniform(0,1)' --format fp32 --order random --coverage 0.999 --confidence 0.95 \
  --json "$folder/tolerance.json" --csv "$folder/tolerance.csv" > "$folder/tolerance.txt"
status=$?
if [ $status -eq 0 ]; then
  needed=$(awk -F, '$1 == "tolerance" && $2 == "rtol" { print $3 }' "$folder/tolerance.csv")
  require_number "the rtol in $folder/tolerance.csv" "$needed"
  awk -v rtol="$rtol" -v needed="$needed" 'BEGIN { exit !(rtol + 0 >= needed + 0) }'
  status=$?
fi
judge $status tolerance "the test's rtol $rtol passes 99.9 % of runs, which need ${needed:-?}"

# 2. The result is one that some order of these terms gives. A lost or a doubled term is not.
orderlab check --input "$terms" --format fp32 --order random --value "$value" \
  --json "$folder/result.json" > "$folder/result.txt"
judge $? result "order explains the sum $value of terms.txt"

# 3. The program gives the bits of this order, on which those rely who repeat its results. A few other orders may give
# the same bits by chance; more terms, or several files of them, tell more orders apart.
orderlab check --input "$terms" --format fp32 --order 'strided(8) | seq' --value "$value" \
  --json "$folder/order.json" > "$folder/order.txt"
judge $? order "the sum has the bits of the order 'strided(8) | seq'"

# 4. A CUDA kernel of your own: a check such as my_sum_check of the documentation has the same exit statuses.
# ./my_sum_check > "$folder/my_sum.txt"
# judge $? my_sum "my_sum adds in the order that it claims"

exit $failed
