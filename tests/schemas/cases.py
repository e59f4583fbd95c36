"""The command lines whose documents validate_outputs.py validates: the schema, the exit status, the arguments.

{captures} is the folder of recorded GPU runs. Files come from inputs.py or from PREPARED.
"""

# Run first, in this order: they write files that the cases read.
PREPARED = [
    "sample --op index_add --input source.npy --index index.txt --self self.npy --samples 1 --npy run.npy --quiet",
    "sample --op cumsum --shape 5000 --samples 1 --npy scan.npy --quiet",
    "sample --op 'conv_transpose2d(2,3,4,4,3)' --samples 1 --npy conv.npy --quiet",
    "sample --op index_add --shape 40x40 --ratio 0.5 --samples 1 --npy big.npy --quiet",
    "sample --op 'scatter_reduce(prod)' --shape 300 --ratio 0.1 --samples 1 --npy product.npy --quiet",
    "sweep sums.toml --db sums.sqlite --quiet",
    "sweep all.toml --db all.sqlite --quiet",
    "sweep operations.toml --db operations.sqlite --quiet",
    "sweep given.toml --db given.sqlite --quiet",
    "sweep product.toml --db product.sqlite --quiet",
    "sweep rows.toml --db rows.sqlite --quiet",
    "sample --op 'sum(axis=1)' --shape 4x50 --order random --samples 1 --npy rows.npy --quiet",
    "sample --op 'matmul(2,3,40,split_k=4)' --input a.npy --with b.npy --samples 1 --npy matrix.npy --quiet",
    "sample --n 100 --order warp --order seq --samples 20 --shard 2/4 --counts some.counts --quiet",
    "sample --n 100 --order random --samples 20 --counts all.counts --quiet",
]

# Of these the first axis, samples, is dropped: the array of a run.
ONE_SAMPLE = ["run.npy", "scan.npy", "conv.npy", "big.npy", "product.npy", "rows.npy", "matrix.npy"]

CASES = """
sample            0  sample --n 100 --order warp --samples 20
sample            0  sample --n 100 --order sequential
sample            0  sample --n 4096 --dist constant(1) --format fp16 --order sequential
sample            0  sample --n 300 --order spa --arrival v100_b64 --samples 30 --baseline sequential
sample            0  sample --n 500 --format fp32 --order random --samples 40 --range 10:20 --seed 3 --input-seed 4
sample            0  sample --n 2000 --format fp32 --order random --samples 100 --max-distinct 4
sample            0  sample --input terms.txt --with more.txt --format fp32:fp32:fp64 --order 'shuffle | seq(acc=fma)'
sample            0  sample --input infinite.txt --order random --samples 5
sample            0  sample --input both.txt --order random --samples 5
sample            0  sample --input zero.txt --order random --samples 20
sample            0  sample --input huge.txt --format fp16 --order random --samples 20
sample            0  sample --values 0.1,0.2,-0.3 --order 'shuffle | seq(acc=kahan)' --samples 5
sample            0  sample --n 100 --order 'pairwise | shuffle | seq' --samples 3
sample            0  sample --n 100 --order warp --samples 1
sample            0  sample --n 100 --dist dyadic(24,-23,8) --format bf16 --order random --samples 1
groups            0  sample --input table.csv::price --by shard --order random --samples 20
groups            0  enumerate --input table.csv::price --by shard --order random --format fp32
groups            1  check --input table.csv::price --by shard --order random --values table.csv::price
groups            0  tolerance --input table.csv::price --by shard --order random
sample_orders     0  sample --n 100 --order warp --order spa --samples 20 --seed 5
sample_orders     0  sample --n 100 --order sequential --order pairwise --order warp --samples 5 --range 1:4
sample_orders     0  sample --n 1000 --format fp32 --order random --order ao --samples 50 --max-distinct 3
sample_orders     0  sample --input both.txt --order seq --order pairwise
sample_orders     0  sample --n 300 --order spa --order random --arrival v100_b64 --samples 3
sample_operation  0  sample --op index_add --shape 40x40 --ratio 0.5 --samples 10
sample_operation  0  sample --op index_add --shape 40x40 --ratio 0.5 --samples 9 --baseline run --arrival 'jitter(3)'
sample_operation  0  sample --op index_add --shape 40x40 --ratio 0.5 --samples 9 --baseline pairwise
sample_operation  0  sample --op index_add --input source.npy --index index.txt --self self.npy --samples 1
sample_operation  0  sample --op cumsum --shape 5000 --samples 5 --lookback 'uniform(1,32)'
sample_operation  0  sample --op 'matmul(2,3,40,split_k=4)' --input a.npy --with b.npy --samples 5 --baseline exact
sample_operation  0  sample --op 'sum(axis=1)' --shape 4x50 --order random --samples 5 --gpu v100
sample_operation  0  sample --op bincount --shape 300 --ratio 0.02 --samples 5 --gpu sms=10
sample_operation  0  sample --op 'conv_filter(2,3,4,4,3)' --samples 3
sample_operation  0  sample --op 'matmul(2,3,640)' --batch 1,4096 --samples 3 --format bf16:fp32
sample            0  merge --counts merged.counts all.counts --complete
sample_orders     0  merge --counts others.counts some.counts
enumerate         0  enumerate --n 8 --format fp32 --order random
enumerate         0  enumerate --n 7 --dist normal(0,1) --format fp16 --order random_tree --max-distinct 4
enumerate         0  enumerate --n 64 --order warp --arrival launch
enumerate         0  enumerate --n 128 --order warp --baseline sequential
enumerate         0  enumerate --input infinite.txt --order random
enumerate         0  enumerate --input both.txt --order random
enumerate         0  enumerate --input zero.txt --order random
enumerate         0  enumerate --n 6 --order 'shuffle | pairwise'
enumerate_operation 0 enumerate --op index_add --shape 40x40 --ratio 0.5
enumerate_operation 0 enumerate --op index_add --shape 40x40 --ratio 0.02 --baseline launch
enumerate_operation 0 enumerate --op index_add --input source.npy --index index.txt --self self.npy
enumerate_operation 0 enumerate --op 'matmul(2,3,40,split_k=4)' --input a.npy --with b.npy --gpu v100
enumerate_operation 0 enumerate --op 'sum(axis=1)' --shape 3x5 --order random
sum               0  sum --values 0.1,0.2,-0.3 --order sequential
sum               0  sum --n 1000 --order warp --arrival launch --format fp32
sum               0  sum --input infinite.txt --order numpy
sum               0  sum --n 4096 --dist constant(1) --format bf16 --order sequential
sum_operation     0  sum --op 'sum(axis=1)' --shape 4x50 --order pairwise
sum_operation     0  sum --op 'sum(axis=1)' --input a.npy --with a.npy --self pair.npy --format fp16:fp32 --order 'fused(h100_fp16)'
sum_operation     0  sum --op 'matmul(2,3,40,unit=a100_fp16,split_k=1)' --input a.npy --with b.npy --format fp16:fp32
sum_operation     0  sum --op index_add --input source.npy --index index.txt --self self.npy --arrival launch
sum_operation     0  sum --op index_add --shape 40x40 --ratio 0.5 --arrival launch
tree              0  tree --n 5 --order random --sample 3
tree              0  tree --input terms.txt --with more.txt --order 'shuffle | seq(acc=fma)'
tree              0  tree --input infinite.txt --format fp64:fp32:fp16 --order pairwise
tree              0  tree --n 40 --order warp --arrival launch
tree              0  tree --n 9 --order 'seq(acc=neumaier)'
tree              0  tree --n 5 --format fp64:fp80:fp64 --order seq
tree              0  tree --n 9 --format fp32 --order 'seq(acc=kahan)'
tree              0  tree --n 3 --order 'seq(from=zero)'
tree              0  tree --n 70 --format fp32 --order 'warp'
check             1  check --n 10 --dist constant(0.1) --order random --value 0.99999999999999989 --value 0x1p0
check             1  check --n 1e3 --dist uniform(0,1) --format fp32 --order sequential --value 490.12 --ftz no
check             0  check --n 1e3 --dist uniform(0,1) --format fp32 --order sequential --value mean:0.5
check             1  check --n 1e4 --dist uniform(0,1) --order sequential --value 0.49843
check             0  check --n 10 --dist constant(0.1) --order random --value 0.9999999999999999
check             1  check --n 1e4 --dist uniform(0,1) --format fp32 --order random --values results.txt --value 4984
check             1  check --n 1e3 --format fp32 --order random --value bits:0x459a52a0 --confidence 0.9
check             1  check --n 1e3 --format fp32 --order random --value nan --value -inf --value 1e30 --samples 100
check             1  check --input infinite.txt --order random --value 3 --value inf
check             1  check --input huge.txt --format fp16 --order random --value 2 --value inf
check             1  check --n 100 --order sequential --value 1
check             0  check --input many_infinite.txt --order random --value inf --samples 100 --confidence 0.9
check             1  check --input many_infinite.txt --order random --value 3 --samples 100 --confidence 0.9
check             0  check --input many_huge.txt --format fp16 --order random --value inf --value 0 --samples 200
check             1  check --n 300 --order 'shuffle | seq(acc=kahan)' --value 1e9 --samples 99 --confidence 0.9
check             0  check --n 1e4 --order random --value 49843.07104815736 --samples 40 --confidence 0.9
check             1  check --n 3000 --format fp32 --order spa --arrival v100_b64 --value 1490.00
check_any         0  check --n 100 --dist normal(0,1) --format fp32 --order any --value bits:0xc12df4d2 --confidence 0.9
check_any         1  check --n 100 --format bf16 --order any --value 3 --value 500 --value 500 --samples 2000
check_any         1  check --input terms.txt --with more.txt --order any --value nan
check_any         0  check --n 300 --dist uniform(0,1) --format fp32 --order any --device cpu --value 153.13 --value 153.1286
check_any         0  check --n 100 --dist uniform(0,1) --format fp32 --order any --value mean:0.5 --confidence 0.9
check_any         0  check --n 6 --dist dyadic(24,-23,8) --order any --value bits:0x3fc9ba123c000000
check_any         0  check --n 3e5 --dist constant(1) --order any --value 300000
check_difference  1  check --n 1e3 --format fp32 --order warp --against numpy --against-format fp64 --value 1e-3 --value 90
check_difference  0  check --n 100 --order random --against random --value 1e-14 --confidence 0.9 --samples 100
check_difference  1  check --n 100 --order seq --against pairwise --value 0
check_difference  0  check --input terms.txt --order warp --arrival v100_b64 --against seq --value 0
check_operation   0  check --op index_add --input source.npy --index index.txt --self self.npy --actual run.npy
check_operation   1  check --op index_add --shape 3x4 --ratio 1 --actual run.npy
check_operation   0  check --op cumsum --shape 5000 --actual scan.npy
check_operation   0  check --op 'conv_transpose2d(2,3,4,4,3)' --actual conv.npy
check_operation   0  check --op index_add --shape 40x40 --ratio 0.5 --actual big.npy
check_operation   0  check --op 'scatter_reduce(prod)' --shape 300 --ratio 0.1 --actual product.npy
check_operation   0  check --op 'sum(axis=1)' --shape 4x50 --order random --actual rows.npy
check_operation   1  check --op 'sum(axis=1)' --shape 4x50 --order random --actual wrong_rows.npy --confidence 0.9
check_operation   1  check --op cumsum --shape 5000 --actual wrong_scan.npy --strict
check_operation   0  check --op cumsum --shape 5000 --actual wrong_scan.npy
check_operation   0  check --op index_add --shape 40x40 --ratio 0.5 --actual big.npy --arrival uniform --ftz no
check_operation   0  check --op 'matmul(2,3,40,split_k=4)' --input a.npy --with b.npy --actual matrix.npy
tolerance         0  tolerance --n 50 --format fp32 --order random --coverage 0.9 --confidence 0.9
tolerance         0  tolerance --n 50 --format fp32 --order random --coverage 0.9 --against run --outputs 3
tolerance         0  tolerance --input terms.txt --order random --samples 200 --coverage 0.9
tolerance         0  tolerance --n 8 --format fp32 --order random --inputs 1 --against run
tolerance         0  tolerance --n 100 --order pairwise --inputs 1
tolerance         0  tolerance --n 50 --format bf16 --coverage 0.9
tolerance         0  tolerance --n 50 --format bf16 --order random --against numpy --against-format fp32:bf16 --coverage 0.9
tolerance         0  tolerance --n 50 --format fp32 --order seq --against pairwise(8) --outputs 3 --coverage 0.9
tolerance         0  tolerance --input zero.txt --order random --samples 100 --coverage 0.9
tolerance         1  tolerance --input huge.txt --format fp16 --order random
tolerance         0  tolerance --n 40 --dist normal(0,1) --order random --inputs 60 --coverage 0.9
tolerance         0  tolerance --n 300 --order spa --arrival v100_b64 --inputs 60 --coverage 0.9
tolerance_operation 0 tolerance --op index_add --shape 40x40 --ratio 0.5 --coverage 0.9
tolerance_operation 0 tolerance --op index_add --shape 40x40 --ratio 0.5 --coverage 0.8 --against run --samples 60
tolerance_operation 0 tolerance --op 'sum(axis=1)' --shape 4x50 --order pairwise
tolerance_operation 0 tolerance --op 'matmul(2,3,640)' --batch 1,4096 --coverage 0.5 --against run
tolerance_operation 0 tolerance --op index_add --input source.npy --index index.txt --self self.npy --coverage 0.5
tolerance_operation 0 tolerance --op 'matmul(2,3,40,split_k=4)' --input a.npy --with b.npy --coverage 0.5
worst             0  worst --n 100 --format fp32 --order random --evaluations 200
worst             0  worst --n 8 --format fp32 --order random
worst             0  worst --n 7 --format fp32 --order random_tree
worst             0  worst --n 100 --order warp --arrival uniform --seconds 0.05
worst             0  worst --input zero.txt --order random
worst             0  worst --input huge.txt --format fp16 --order random
explain           0  explain --op index_add --shape 100x100 --ratio 0.5
explain           0  explain --op 'conv_transpose2d(2,3,4,4,3)'
explain           0  explain --op cumsum --n 1e5
explain           0  explain --op index_add --input source.npy --index index.txt --self self.npy
explain           0  explain --op 'matmul(2,3,40,split_k=4)' --input a.npy --with b.npy
explain           0  explain --op 'sum(axis=1)' --shape 4x50 --order warp
explain           0  explain --op 'rms_norm(64,3)' --batch 1,300 --format bf16:fp32:bf16
alternatives      0  alternatives --op index_add --shape 40x40 --ratio 0.5 --samples 10
alternatives      0  alternatives --op cumsum --n 5000 --samples 5 --adders 4 --latency 3
alternatives      0  alternatives --op 'sum(axis=1)' --shape 4x50 --order pairwise
alternatives      0  alternatives --op index_add --input source.npy --index index.txt --self self.npy --samples 3
alternatives      0  alternatives --op 'sum(axis=1)' --input a.npy --with a.npy --order pairwise
solve             0  solve cg --matrix poisson2d(6) --samples 4
solve             0  solve bicgstab --matrix poisson2d(6) --scale 3 --samples 4 --spmv coo --arrival 'jitter(2)'
solve             0  solve gmres --matrix poisson3d(3) --samples 3 --restart 4 --format fp32 --preconditioner jacobi
solve             0  solve cgs --matrix convection2d(5) --samples 3 --preconditioner ilu0
solve             0  solve bicgstab --matrix matrix.mtx --rhs right.txt --samples 3 --row-order numpy --max-iterations 1
solve             0  solve cg --matrix skew.mtx --samples 2
train             0  train --data graph --hidden 8 --seeds 3 --orders 2 --epochs 3 --evaluations 3
train             0  train --nodes 60 --classes 2 --hidden 8 --seeds 2 --orders 1 --epochs 2 --evaluations 1
train             0  train --nodes 60 --classes 2 --hidden 8 --seeds 1 --orders 2 --epochs 1 --arrival launch
compare           0  compare 0.781,0.779,0.790,0.784 0.795,0.788,0.801,0.797 --difference 0.01
compare           0  compare seeded_a.csv seeded_b.csv --paired --items 1000 --best-of 2
compare           0  compare seeded_a.csv seeded_b.csv --lower-is-better --power 0.9
compare           0  compare 0.5,0.5,0.5 0.5,0.5
compare           0  compare 0.5,0.6 0.7,0.8 --paired
compare           0  compare 93.1%,94%,92% 95%,96%,95.5% --difference 1%
probe             0  probe --command 'awk -f sum.awk' --n 16
probe             0  probe --command 'python3 sums.py in_turn' --lines --n 20 --sizes 1,33 --format fp64 --expect sequential
probe             1  probe --command 'python3 sums.py in_turn' --lines --n 20 --expect pairwise --box-threads 1,2
probe             0  probe --command 'python3 sums.py in_drawn_order' --lines --n 12 --format fp64
probe             0  probe --command 'python3 sums.py sorted_first' --lines --n 12
probe             0  probe --command 'python3 sums.py exactly' --lines --n 12
probe             0  probe --command 'python3 sums.py as_no_stage_does' --lines --n 11
probe             1  probe --command 'python3 sums.py mean' --lines --n 12 --expect sequential
probe             0  probe --python builtins:sum --n 16 --offsets 0:1
probe             0  probe --command 'python3 sums.py of_squares' --lines --n 12 --of square
probe_fused       0  probe --fused --command 'python3 sums.py by_steps' --lines --n 24 --format fp16:fp32
probe_fused       0  probe --fused --command 'python3 sums.py of_products' --lines --n 12 --format fp16:fp64
probe_fused       1  probe --fused --command 'python3 sums.py by_halves' --lines --n 12 --format fp64 --repeats 2
host              1  host program.cu --runs 5 --seed 2
host              1  host program.cu --watch h_out --fail-on leak
verify            0  verify {captures}/synthetic.capture {captures}/outputs.capture
verify            1  verify wrong_synthetic.capture wrong_outputs.capture
fit               ?  fit orders.csv
fit               ?  fit few.csv --predict --inputs 2 --samples 20 --folds 2
fit_operation     0  fit vc.csv --op index_add --split 60 --inputs 1 --samples 2
infer             0  infer --logprobs run_a.jsonl --noise 0.05
infer             0  infer --logprobs run_a.jsonl --against run_b.jsonl
infer             0  infer --logprobs run_a.jsonl --against run_a.jsonl
infer_model       0  infer tiny --batch 1,300 --tokens 3 --whole
infer_model       0  infer tiny --tokens 3 --against 'split_k=4,partials=bf16' --against 'tp=2,split_kv=2' --format bf16
infer_model       0  infer tiny --tokens 30 --prompts prompts.txt --set split_kv=2 --against probabilities=fp32 --serving sglang
infer_model       0  infer tiny --tokens 2 --set split_k=4,split_order=arrival --runs 2 --neighbours 1,300 --shard 2/9
arrivals          0  arrivals orders.csv jitter(5) launch --draws 5 --sms 4 --resident 2
arrivals          0  arrivals v100_b64 --draws 2
arrivals          0  arrivals recorded.arrivals jitter(5) --draws 2
crosscheck        0  crosscheck --kernel warp_down --n 100 --format fp32
crosscheck        0  crosscheck --kernel index_add_small --kernel inclusive_scan --n 200 --device host
crosscheck        0  crosscheck --kernel spa --kernel dot_fma --n 33 --device model --seed 2
crosscheck        0  crosscheck --device openmp --n 5 --format fp64
export            0  export sums.sqlite
export            0  export all.sqlite
export_operation  0  export operations.sqlite
export_operation  0  export given.sqlite
export_operation  0  export product.sqlite
export_operation  0  export rows.sqlite
list              0  list orders
list              0  list stages
list              0  list arrivals
list              0  list distributions
list              0  list metrics
list              0  list kernels
list              0  list formats
list              0  list operations
list              0  list lookbacks
list              0  list gpus
list              0  list units
list              0  list solvers
list              0  list matrices
list              0  list
list              0  list serving
list              0  list orders warp
"""

# Stopped by an interrupt once there is something to say: "partial". Each would take minutes.
INTERRUPTED = """
sample            sample --n 1e5 --order random --samples 1e6
sample_orders     sample --n 1e5 --order random --order warp --samples 1e6
sample_operation  sample --op index_add --shape 300x300 --ratio 0.5 --samples 1e6
check             check --n 1e5 --order random --value 1 --samples 1e6
check_any         check --n 4e6 --order any --value 1
check_difference  check --n 1e5 --order random --against random --value 1 --samples 1e6
tolerance         tolerance --n 1e4 --order random --inputs 1e6 --coverage 0.5
tolerance_operation tolerance --op index_add --shape 300x300 --ratio 0.5 --coverage 0.5 --samples 1e6
worst             worst --n 1e4 --order random --seconds 1000
alternatives      alternatives --op index_add --shape 300x300 --ratio 0.5 --samples 1e6
solve             solve cg --matrix poisson2d(30) --samples 1e6
train             train --nodes 60 --classes 2 --hidden 8 --seeds 1000 --orders 2 --epochs 3
fit               fit few.csv --predict --inputs 1e5
infer_model       infer tiny --prompts many_prompts.txt --tokens 1 --against split_k=4
fit_operation     fit vc.csv --op index_add --split 60 --inputs 8 --samples 50
arrivals          arrivals orders.csv uniform --draws 1e6 --sms 4 --resident 2
crosscheck        crosscheck --full --device host
probe             probe --command 'python3 sums.py in_turn' --lines --n 8 --sizes 1e5
verify            verify slow.capture slow.capture
"""

# Schemas of which no document above has a property, and why.
NEVER_SEEN = {
    "crosscheck.json#/$defs/mismatch": "the program's kernels follow their claims; tests/show/finding_tables_test.cpp",
    "crosscheck.json#/properties/rows/items/properties/kinds/items": "as above",
    "crosscheck.json#/properties/warnings": "of kernels that another program brings",
    "crosscheck.json#/properties/skipped": "of CPUs that lack an instruction; tests/crosscheck/instructions_test.cpp",
    "host.json#/properties/partial": "a program of one thread block is not interrupted",
    "crosscheck.json#/properties/runtimes/properties/rows/items/properties/first/anyOf/0":
        "the runtimes follow their orders; tests/show/crosscheck_runtimes_test.cpp",
}
