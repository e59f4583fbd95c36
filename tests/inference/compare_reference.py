#!/usr/bin/env python3
"""Compares the logits of `orderlab infer` with those of reference_model.py, which is in float64, for every family.

usage: compare_reference.py PROGRAM [FOLDER_OF_A_MODEL ...]

Rounding errors scale with the unit roundoff, mistakes do not. The same model is run in fp32 and in bf16. The error in
fp32 has to be below 2^-10 of that in bf16, whose unit roundoff is 2^16 times as large: that leaves a factor of 2^6 for
sums, which are fp32 in both, and for the few numbers that happen to lose little in bf16.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

import make_models
import reference_model

TOKENS = 3
LEAST_RATIO = 2.0 ** 10


def prompts_of(vocabulary):
    random = np.random.default_rng(vocabulary)
    return [random.integers(0, vocabulary, length).tolist() for length in (1, 4, 9, 17)]


def program_logits(program, folder, prompts, format, scratch):
    """Logits and answers of the first run; the other run changes an order, which nothing here looks at."""
    (scratch / "prompts.jsonl").write_text("".join(json.dumps(prompt) + "\n" for prompt in prompts))
    command = [program, "infer", folder, "--prompts", scratch / "prompts.jsonl", "--format", format, "--tokens",
               str(TOKENS), "--against", "split_k=2,partials=bf16", "--whole", "--quiet", "--json",
               scratch / "run.json", "--logits", scratch / "logits.npy"]
    subprocess.run(command, check=True)
    answers = [answer["tokens"] for answer in json.loads((scratch / "run.json").read_text())["answers"]]
    return np.load(scratch / "logits.npy").astype(np.float64), answers


def reference_logits(folder, prompts, answers):
    rows = []
    for prompt, answer in zip(prompts, answers):
        logits = reference_model.logits(folder, prompt + answer[:-1])
        rows.append(logits[len(prompt) - 1:])
    return np.concatenate(rows)


def error(program, folder, prompts, format, scratch):
    ours, answers = program_logits(program, folder, prompts, format, scratch)
    theirs = reference_logits(folder, prompts, answers)
    if ours.shape != theirs.shape:
        raise SystemExit(f"{folder}: {ours.shape} logits, the reference has {theirs.shape}")
    return np.abs(ours - theirs).mean()


def main(program, *folders):
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if not folders:
            make_models.main(["--every", str(scratch / "models")])
            folders = sorted((scratch / "models").iterdir())
        failed = 0
        for folder in map(Path, folders):
            vocabulary = json.loads((folder / "config.json").read_text())["vocab_size"]
            prompts = prompts_of(vocabulary)
            fp32 = error(program, folder, prompts, "fp32", scratch)
            bf16 = error(program, folder, prompts, "bf16", scratch)
            ratio = bf16 / fp32
            failed += ratio < LEAST_RATIO
            print(f"{folder.name:26} mean |error| fp32 {fp32:.2e}, bf16 {bf16:.2e}, ratio {ratio:.0f}"
                  f"{'' if ratio >= LEAST_RATIO else ': FAILED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
