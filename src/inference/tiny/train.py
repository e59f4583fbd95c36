#!/usr/bin/env python3
"""Trains the byte model that `orderlab infer tiny` runs, and picks its prompts.

usage: train.py [--out FOLDER] [--steps N] [--prompts-only]

The architecture is Llama's, as Hugging Face names it: RMSNorm, rotary embeddings whose pairs are half a head apart,
grouped-query attention, SwiGLU, no biases, and a head tied to the embedding. A token is a byte.

The text is the sources of the Python documentation (*.rst.txt) that Debian's package python3.11-doc installs; see
SECTIONS. All of it is under the Python Software Foundation License 2, which permits derived works; the file LICENSE beside
this one is that license. No other file is read. Every 12th file is held out: its text trains nothing, and the prompts are
beginnings of its lines.

Debian 12: apt-get install python3-torch python3.11-doc libopenblas0-serial

The model beside this file: 3000 steps of 1024 bytes took 6.4 minutes of one core of a Xeon (Sapphire Rapids), with
OPENBLAS_CORETYPE=SKYLAKEX, since OpenBLAS 0.3.21 is 2.5 times as slow with what it takes for that processor. It reached
1.296 nats a byte of held-out text, with weights in fp32 and rounded to bf16 alike.

The seed is fixed. Sums of a BLAS differ between processors, so another machine gets other weights of the same quality.
"""

import argparse
import json
import math
import re
import struct
import time
from pathlib import Path

import torch
import torch.nn.functional as F

SOURCES = Path("/usr/share/doc/python3.11/html/_sources")
# library/ is most of it. c-api, distutils and whatsnew are left out: tables of names more than English.
SECTIONS = ["extending", "faq", "howto", "library", "reference", "tutorial", "using"]
HELD_OUT_EVERY = 12

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "attention_bias": False,
    "head_dim": 32,
    "hidden_act": "silu",
    "hidden_size": 128,
    "intermediate_size": 160,
    "max_position_embeddings": 128,
    "mlp_bias": False,
    "model_type": "llama",
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "vocab_size": 256,
}
HIDDEN, HEAD, HEADS, KV_HEADS = (CONFIG[k] for k in
                                 ("hidden_size", "head_dim", "num_attention_heads", "num_key_value_heads"))
INTERMEDIATE, LAYERS, VOCAB, CONTEXT = (CONFIG[k] for k in
                                        ("intermediate_size", "num_hidden_layers", "vocab_size",
                                         "max_position_embeddings"))

SEED = 2026
STEPS = 3000
BATCH = 8  # windows of CONTEXT bytes
PEAK_RATE = 4e-3
WARMUP = 200
LAST_RATE = 0.02  # of PEAK_RATE
PROMPTS = 200
PROMPT_BYTES = (32, 64)


def texts():
    """The text to train on, and the held-out text, as bytes."""
    files = sorted(f for section in SECTIONS for f in (SOURCES / section).rglob("*.rst.txt"))
    if not files:
        raise SystemExit(f"no documentation in {SOURCES}: apt-get install python3.11-doc")
    held_out = files[HELD_OUT_EVERY - 1::HELD_OUT_EVERY]
    join = lambda some: b"\n".join(f.read_bytes() for f in some)
    return join(f for f in files if f not in set(held_out)), join(held_out)


def prompts(held_out, known):
    """Beginnings of lines of prose of the held-out text that the training text does not have, cut after a word."""
    lines = set()
    for line in held_out.decode("utf-8").split("\n"):
        if re.fullmatch(r"[A-Z][a-z]* [ -~]+", line) and not re.search(r"::|[*|_<>=\\`]|  ", line):
            line = line if len(line) <= PROMPT_BYTES[1] else line[:PROMPT_BYTES[1] + 1].rpartition(" ")[0]
            if len(line) >= PROMPT_BYTES[0] and line.encode() not in known:
                lines.add(line)
    lines = sorted(lines)
    chosen = torch.randperm(len(lines), generator=torch.Generator().manual_seed(SEED))[:PROMPTS]
    return [lines[i] for i in sorted(chosen.tolist())]


def new_weights():
    """Weights by the names of Hugging Face's Llama, in the order of the file."""
    generator = torch.Generator().manual_seed(SEED)
    normal = lambda rows, columns, std: torch.randn(rows, columns, generator=generator) * std
    into = HIDDEN**-0.5
    back = 1 / math.sqrt(2 * LAYERS)  # what a layer adds, so that the residual stream keeps its size
    weights = {"model.embed_tokens.weight": normal(VOCAB, HIDDEN, 0.05)}
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."
        weights[name + "input_layernorm.weight"] = torch.ones(HIDDEN)
        weights[name + "self_attn.q_proj.weight"] = normal(HEADS * HEAD, HIDDEN, into)
        weights[name + "self_attn.k_proj.weight"] = normal(KV_HEADS * HEAD, HIDDEN, into)
        weights[name + "self_attn.v_proj.weight"] = normal(KV_HEADS * HEAD, HIDDEN, into)
        weights[name + "self_attn.o_proj.weight"] = normal(HIDDEN, HEADS * HEAD, into * back)
        weights[name + "post_attention_layernorm.weight"] = torch.ones(HIDDEN)
        weights[name + "mlp.gate_proj.weight"] = normal(INTERMEDIATE, HIDDEN, into)
        weights[name + "mlp.up_proj.weight"] = normal(INTERMEDIATE, HIDDEN, into)
        weights[name + "mlp.down_proj.weight"] = normal(HIDDEN, INTERMEDIATE, INTERMEDIATE**-0.5 * back)
    weights["model.norm.weight"] = torch.ones(HIDDEN)
    return weights


def rotary(positions):
    """cos and sin [positions, HEAD] of the angles of each position; the second half of a head has those of the first."""
    frequencies = CONFIG["rope_theta"]**(-torch.arange(0, HEAD, 2, dtype=torch.float64) / HEAD)
    angles = torch.arange(positions, dtype=torch.float64)[:, None] * frequencies
    angles = torch.cat([angles, angles], dim=1)
    return angles.cos().float(), angles.sin().float()


COS, SIN = rotary(CONTEXT)
MASK = torch.full((CONTEXT, CONTEXT), -math.inf).triu(1)


def norm(x, weight):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + CONFIG["rms_norm_eps"]) * weight


def rotate(x):
    half = HEAD // 2
    turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return x * COS[:x.shape[-2]] + turned * SIN[:x.shape[-2]]


def forward(weights, tokens):
    """Logits [batch, length, VOCAB]."""
    batch, length = tokens.shape
    embedding = weights["model.embed_tokens.weight"]
    x = F.embedding(tokens, embedding)
    for layer in range(LAYERS):
        w = lambda name: weights[f"model.layers.{layer}.{name}.weight"]
        h = norm(x, w("input_layernorm"))
        q = F.linear(h, w("self_attn.q_proj")).view(batch, length, HEADS, HEAD).transpose(1, 2)
        k = F.linear(h, w("self_attn.k_proj")).view(batch, length, KV_HEADS, HEAD).transpose(1, 2)
        v = F.linear(h, w("self_attn.v_proj")).view(batch, length, KV_HEADS, HEAD).transpose(1, 2)
        # The queries of one key head are rows of one product.
        group = HEADS // KV_HEADS
        q = (rotate(q) * HEAD**-0.5).reshape(batch * KV_HEADS, group * length, HEAD)
        k = rotate(k).reshape(batch * KV_HEADS, length, HEAD)
        v = v.reshape(batch * KV_HEADS, length, HEAD)
        scores = torch.bmm(q, k.transpose(1, 2))
        scores = scores.view(-1, group, length, length) + MASK[:length, :length]
        mixed = torch.bmm(scores.softmax(-1).view(-1, group * length, length), v)
        mixed = mixed.view(batch, HEADS, length, HEAD).transpose(1, 2).reshape(batch, length, HEADS * HEAD)
        x = x + F.linear(mixed, w("self_attn.o_proj"))
        h = norm(x, w("post_attention_layernorm"))
        h = F.silu(F.linear(h, w("mlp.gate_proj"))) * F.linear(h, w("mlp.up_proj"))
        x = x + F.linear(h, w("mlp.down_proj"))
    return F.linear(norm(x, weights["model.norm.weight"]), embedding)


def loss_of(weights, windows):
    """Mean nats a byte. The first byte of a window has nothing before it and is not asked."""
    logits = forward(weights, windows[:, :-1])
    return F.cross_entropy(logits.reshape(-1, VOCAB), windows[:, 1:].reshape(-1))


def windows_at(text, starts):
    return text[starts[:, None] + torch.arange(CONTEXT + 1)]


@torch.no_grad()
def held_out_loss(weights, text, windows=256):
    starts = torch.linspace(0, len(text) - CONTEXT - 1, windows).long()
    return sum(loss_of(weights, windows_at(text, some)).item() for some in starts.split(32)) / (windows / 32)


def train(weights, text, held_out, steps):
    """Trains the weights in place: AdamW, a linear warm-up, then half a cosine."""
    for weight in weights.values():
        weight.requires_grad_()
    decayed = [w for name, w in weights.items() if "proj" in name]
    others = [w for name, w in weights.items() if "proj" not in name]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
                                  lr=PEAK_RATE, betas=(0.9, 0.98), foreach=True)
    generator = torch.Generator().manual_seed(SEED)
    begin, begin_cpu = time.time(), time.process_time()
    for step in range(steps):
        cosine = 0.5 + 0.5 * math.cos(math.pi * max(0, step - WARMUP) / max(1, steps - WARMUP))
        rate = PEAK_RATE * min((step + 1) / WARMUP, LAST_RATE + (1 - LAST_RATE) * cosine)
        for group in optimizer.param_groups:
            group["lr"] = rate
        starts = torch.randint(len(text) - CONTEXT, (BATCH,), generator=generator)
        loss = loss_of(weights, windows_at(text, starts))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
        optimizer.step()
        if (step + 1) % 250 == 0 or step == steps - 1:
            print(f"step {step + 1}: training loss {loss.item():.3f}, held out {held_out_loss(weights, held_out):.4f}, "
                  f"{time.process_time() - begin_cpu:.0f} s of CPU, {time.time() - begin:.0f} s", flush=True)
    for weight in weights.values():
        weight.requires_grad_(False)


def save(weights, path):
    """Writes bf16 tensors as safetensors: the length of the header, the header in JSON, the data."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, weight in weights.items():
        bits = weight.bfloat16().view(torch.int16).numpy().astype("<i2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(weight.shape), "data_offsets": [len(data), len(data) + len(bits)]}
        data += bits
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--prompts-only", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    text, held_out = texts()
    print(f"{len(text)} bytes to train on, {len(held_out)} held out")
    arguments.out.mkdir(parents=True, exist_ok=True)
    lines = prompts(held_out, text)
    (arguments.out / "prompts.txt").write_text("".join(line + "\n" for line in lines))
    if arguments.prompts_only:
        return

    as_tensor = lambda some: torch.frombuffer(bytearray(some), dtype=torch.uint8).long()
    text, held_out = as_tensor(text), as_tensor(held_out)
    weights = new_weights()
    print(sum(w.numel() for w in weights.values()), "parameters")
    train(weights, text, held_out, arguments.steps)
    rounded = {name: weight.bfloat16().float() for name, weight in weights.items()}
    print(f"held out, 2048 windows: {held_out_loss(weights, held_out, 2048):.4f} nats a byte in fp32, "
          f"{held_out_loss(rounded, held_out, 2048):.4f} with weights rounded to bf16")
    save(rounded, arguments.out / "model.safetensors")
    (arguments.out / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")


if __name__ == "__main__":
    main()
