#!/usr/bin/env python3
"""Times `orderlab infer` on random models of the sizes that people have.

usage: model_speed.py PROGRAM [--size 100m|1b] [--prompts N] [--prompt-tokens N] [--tokens N] [--threads N] [--keep FOLDER]

100m: 12 layers of width 768, vocabulary 32,000, tied. 1b: Llama 3.2's shape, 16 layers of width 2048, vocabulary
128,256, tied; 2.5 GB of bf16. --keep FOLDER makes the model there, or uses what is there. Prints seconds for two runs of
the model: the first answers, the second reads the answers. Needs numpy.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = {
    "100m": ["--hidden=768", "--intermediate=2048", "--layers=12", "--heads=12", "--kv-heads=12", "--vocab=32000"],
    "1b": ["--hidden=2048", "--intermediate=8192", "--layers=16", "--heads=32", "--kv-heads=8", "--vocab=128256"],
}
MAKE = Path(__file__).resolve().parent.parent / "tests" / "inference" / "make_models.py"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--size", choices=SIZES, default="100m")
    parser.add_argument("--prompts", type=int, default=200)
    parser.add_argument("--prompt-tokens", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--keep")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.keep or temporary) / args.size
        if not folder.exists():
            subprocess.run([sys.executable, "-B", MAKE, folder, "--family=llama", "--tied", *SIZES[args.size]], check=True)
        vocabulary = json.loads((folder / "config.json").read_text())["vocab_size"]
        draw = random.Random(1)
        prompts = Path(temporary) / "prompts.jsonl"
        prompts.write_text("".join(
            json.dumps([draw.randrange(vocabulary) for _ in range(args.prompt_tokens)]) + "\n" for _ in range(args.prompts)))
        command = [args.program, "infer", folder, "--prompts", prompts, "--tokens", str(args.tokens), "--whole", "--quiet",
                   "--against", "split_k=2", "--threads", args.threads]
        began = time.monotonic()
        subprocess.run(command, check=True)
        seconds = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{args.size}: {args.prompts} prompts of {args.prompt_tokens} tokens, {args.tokens} tokens answered: "
          f"{seconds:.1f} s for two runs, {used.ru_utime + used.ru_stime:.1f} s of processors, "
          f"{used.ru_maxrss / 2**20:.1f} GiB at most")


if __name__ == "__main__":
    main()
