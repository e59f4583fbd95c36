#!/usr/bin/env python3
"""Times `orderlab infer` on random models of the sizes that people have.

usage: model_speed.py PROGRAM [--size 100m|1b] [--prompts N] [--prompt-tokens N] [--tokens N] [--threads N] [--keep FOLDER]

100m: 12 layers of width 768, vocabulary 32,000, tied. 1b: Llama 3.2's shape, 16 layers of width 2048, vocabulary
128,256, tied; 2.5 GB of bf16. --keep FOLDER makes the model there, or uses what is there. Prints seconds for two runs of
the model: the first answers, the second reads the answers. Weights are normal numbers from one list, again and again.
"""

import argparse
import array
import json
import random
import resource
import struct
import subprocess
import tempfile
import time
from pathlib import Path

SIZES = {
    "100m": dict(hidden_size=768, intermediate_size=2048, num_hidden_layers=12, num_attention_heads=12,
                 num_key_value_heads=12, vocab_size=32000),
    "1b": dict(hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
               num_key_value_heads=8, vocab_size=128256),
}
LIST = 1_000_003  # numbers; a prime, so that no two rows are equal


def shapes(size):
    """Names of all tensors with their shapes, in Llama's order."""
    hidden, wide = size["hidden_size"], size["intermediate_size"]
    kv = hidden // size["num_attention_heads"] * size["num_key_value_heads"]
    all_of = {"model.embed_tokens.weight": (size["vocab_size"], hidden)}
    for layer in range(size["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        for name, rows, columns in (("q", hidden, hidden), ("k", kv, hidden), ("v", kv, hidden), ("o", hidden, hidden)):
            all_of[f"{at}self_attn.{name}_proj.weight"] = (rows, columns)
        for name, rows, columns in (("gate", wide, hidden), ("up", wide, hidden), ("down", hidden, wide)):
            all_of[f"{at}mlp.{name}_proj.weight"] = (rows, columns)
        for name in ("input_layernorm", "post_attention_layernorm"):
            all_of[f"{at}{name}.weight"] = (hidden,)
    return all_of | {"model.norm.weight": (hidden,)}


def bf16(number):
    """The code of a number, cut off."""
    return struct.unpack("<I", struct.pack("<f", number))[0] >> 16


def make_model(folder, size):
    folder.mkdir(parents=True)
    config = {"model_type": "llama", "hidden_act": "silu", "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
              "max_position_embeddings": 2048, "tie_word_embeddings": True, **size}
    (folder / "config.json").write_text(json.dumps(config))
    draw = random.Random(1)
    scale = size["hidden_size"] ** -0.5
    numbers = array.array("H", (bf16(draw.gauss(0, scale)) for _ in range(LIST))).tobytes()
    header, at = {}, 0
    for name, shape in shapes(size).items():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + 2 * count]}
        at += 2 * count
    text = json.dumps(header).encode()
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in header.values():
            left = tensor["data_offsets"][1] - tensor["data_offsets"][0]
            if len(tensor["shape"]) == 1:
                file.write(struct.pack("<H", bf16(1)) * (left // 2))
                continue
            while left > 0:
                file.write(numbers[:left])
                left -= min(left, len(numbers))


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
            make_model(folder, SIZES[args.size])
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
