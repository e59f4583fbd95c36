#!/usr/bin/env python3
"""Checks reference_model.py by cases worked out by hand and by what must hold, and the files of the model `tiny`.

Exits nonzero at the first failure, and with 77 where numpy is missing.
"""

import json
import math
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

import make_models
import reference_model as reference

TINY = Path(__file__).resolve().parents[2] / "src/inference/tiny"
checks = 0


def expect(holds, what):
    global checks
    checks += 1
    assert holds, what


def near(found, wanted, what, within=2.0**-40):
    """Float64 sums of some hundred numbers near 1 are within 2^-40 in whatever order."""
    expect(np.abs(np.asarray(found) - np.asarray(wanted)).max() <= within, f"{what}: {found} instead of {wanted}")


def formats():
    bits = np.array([0x3F80, 0xC049, 0x0001, 0x8000], dtype="<u2")
    wanted = [1.0, -3.140625, 2.0**-133, -0.0]
    expect(reference.bf16_to_float64(bits).tobytes() == np.array(wanted).tobytes(), "bf16 is the upper half of fp32")
    # 1 + 2^-8 lies halfway between 1 and 1 + 2^-7, 1 + 3 * 2^-8 halfway to the even 1 + 2^-6.
    rounded = make_models.to_bf16(np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20]))
    expect(rounded.tolist() == [0x3F80, 0x3F82, 0x3F81], "rounding to bf16, ties to even")


def operations():
    near(reference.softmax(np.array([math.log(1.0), math.log(3.0)])), [0.25, 0.75], "softmax")
    near(reference.rms_norm(np.array([3.0, 4.0]), np.array([1.0, 2.0]), 12.5), [0.6, 1.6], "RMSNorm: sqrt(12.5 + 12.5)")
    near(reference.layer_norm(np.array([1.0, 5.0]), np.array([1.0, 2.0]), np.array([0.0, 7.0]), 5.0), [-2 / 3, 7 + 4 / 3],
         "LayerNorm: sqrt(4 + 5)")
    near(reference.ACTIVATIONS["gelu"](np.array([math.sqrt(2.0)])), [math.sqrt(0.5) * (1 + math.erf(1.0))], "gelu")
    near(reference.ACTIVATIONS["silu"](np.array([math.log(3.0)])), [0.75 * math.log(3.0)], "silu")
    # A quarter turn per position: (1, 0) of the pair (0, 2) becomes (0, 1); number 4 is not turned.
    turned = reference.rotate(np.array([[[1.0, 0, 0, 0, 5]]] * 2), np.array([math.pi / 2, 0.0]))
    near(turned[:, 0], [[1, 0, 0, 0, 5], [0, 0, 1, 0, 5]], "rotary embeddings pair numbers half a head apart")
    random = np.random.default_rng(1)
    q, k = np.broadcast_to(random.normal(size=(2, 1, 1, 8)), (2, 9, 1, 8))
    frequencies = reference.inverse_frequencies({"rope_theta": 100.0}, 8)
    q, k = reference.rotate(q, frequencies), reference.rotate(k, frequencies)
    near((q[3:] * k[:-3]).sum(-1), (q[3] * k[0]).sum(), "scores of rotated heads depend on the distance only")
    # Key head 1 serves heads 2 and 3; the second token weighs keys by softmax((0, ln 3)).
    q = np.zeros((2, 4, 1))
    q[1, 2:] = 1.0
    k = np.array([[[0.0], [0.0]], [[9.0], [math.log(3.0)]]])
    v = np.array([[[1.0], [10.0]], [[3.0], [50.0]]])
    near(reference.attention(q, k, v), [[1, 1, 10, 10], [2, 2, 40, 40]], "grouped, causal attention", within=2.0**-30)


def models(folder):
    random = np.random.default_rng(2)
    for name, options in make_models.EVERY.items():
        make_models.main([str(folder / name), *options])
        model = reference.Model(folder / name)
        tokens = random.integers(0, model.config["vocab_size"], 24)
        logits = model.logits(tokens)
        expect(logits.shape == (24, model.config["vocab_size"]) and np.isfinite(logits).all(), f"{name}: all logits")
        expect(1.0 < logits.std(axis=1).mean() < 4.0, f"{name}: logits vary by a few units")
        near(model.logits(tokens[:9]), logits[:9], f"{name}: later tokens change nothing")
        swapped = np.concatenate([tokens[[1, 0]], tokens[2:]])
        expect(tokens[0] == tokens[1] or np.abs(model.logits(swapped)[5] - logits[5]).max() > 1e-4,
               f"{name}: the order of tokens matters")
    one, two = folder / "one", folder / "two"
    for family in ("llama", "gpt_neox"):
        for path, shards in ((one, 1), (two, 2)):
            make_models.main([str(path), "--family", family, "--shards", str(shards)])
        expect(np.array_equal(reference.logits(one, [1, 2, 3]), reference.logits(two, [1, 2, 3])), "one file or two")


def tiny():
    expect((TINY / "model.safetensors").stat().st_size < 1_000_000, "tiny is smaller than 1 MB")
    text = (TINY / "prompts.txt").read_bytes()
    lines = text.decode("ascii").splitlines()
    expect(len(text) < 16_384 and len(set(lines)) == 200, "200 prompts, no two alike, in less than 16 kB")
    expect(all(0 < len(line) <= 64 for line in lines), "a prompt has at most 64 bytes")
    model = reference.Model(TINY)
    wanted = {"model_type": "llama", "vocab_size": 256, "tie_word_embeddings": True}
    expect(wanted.items() <= model.config.items(), "a Llama of bytes")
    nats, count = 0.0, 0
    for line in lines:
        tokens = list(line.encode())
        logits = model.logits(tokens[:-1])
        largest = logits.max(axis=1)
        log_sums = largest + np.log(np.exp(logits - largest[:, None]).sum(axis=1))
        nats += (log_sums - logits[np.arange(len(tokens) - 1), tokens[1:]]).sum()
        count += len(tokens) - 1
    print(f"tiny: {nats / count:.3f} nats a byte of the prompts")
    # Uniform bytes cost ln 256 = 5.5 nats, letters by their frequency 3.0. A tensor that is read wrongly costs more than 2.
    expect(nats / count < 2.0, "tiny knows the text")


formats()
operations()
with tempfile.TemporaryDirectory() as folder:
    models(Path(folder))
tiny()
print(f"{checks} checks passed")
