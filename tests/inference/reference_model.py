#!/usr/bin/env python3
"""Logits of a language model in float64, from its folder alone: config.json and *.safetensors as Hugging Face stores them.

Independent of the program: it shares no code with it. Llama, Qwen2, Qwen3 and GPT-NeoX (Pythia). Weights in bf16, fp16 or
fp32 are converted exactly. Every operation is float64 in whatever order numpy has. A second implementation in float64 gave
logits within 3e-14 of these for all models of make_models.py and for tiny, whose logits reach 27.

usage: reference_model.py FOLDER --tokens FILE [--npy FILE]

FILE has one JSON list of token ids a line. Prints one line for each: a list of rows, one row of logits per position. With
--npy the rows of all lines are written to FILE, one below the other.
"""

import argparse
import json
import math
import struct
import sys
from pathlib import Path

import numpy as np


class Unsupported(Exception):
    """What the model has and this reference does not."""


# Tensors

def bf16_to_float64(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


READERS = {
    "BF16": ("<u2", bf16_to_float64),
    "F16": ("<f2", lambda a: a.astype(np.float64)),
    "F32": ("<f4", lambda a: a.astype(np.float64)),
    "F64": ("<f8", lambda a: a.astype(np.float64)),
}


def read_safetensors(path):
    """The tensors of a file by name. It has the length of a header, the header in JSON, and the data that it describes."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        if entry["dtype"] not in READERS:
            continue  # masks and other integers, which no weight is
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        dtype, convert = READERS[entry["dtype"]]
        numbers = np.frombuffer(data[begin:end], dtype=dtype)
        tensors[name] = convert(numbers).reshape(entry["shape"])
    return tensors


def read_weights(folder):
    """All tensors of a model: of the shards that an index lists, else of model.safetensors, else of every file."""
    folder = Path(folder)
    index, single = folder / "model.safetensors.index.json", folder / "model.safetensors"
    if index.exists():
        files = sorted({folder / name for name in json.loads(index.read_text())["weight_map"].values()})
    elif single.exists():
        files = [single]
    else:
        files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise FileNotFoundError(f"no *.safetensors in {folder}")
    weights = {}
    for file in files:
        weights.update(read_safetensors(file))
    return weights


# Operations

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def rms_norm(x, weight, eps):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps) * weight


def layer_norm(x, weight, bias, eps):
    centered = x - x.mean(axis=-1, keepdims=True)
    return centered / np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + eps) * weight + bias


erf = np.vectorize(math.erf, otypes=[np.float64])

ACTIVATIONS = {
    "silu": lambda x: x / (1.0 + np.exp(-x)),
    "gelu": lambda x: 0.5 * x * (1.0 + erf(x / math.sqrt(2.0))),
    "gelu_new": lambda x: 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: np.maximum(x, 0.0),
}
ACTIVATIONS["swish"] = ACTIVATIONS["silu"]
ACTIVATIONS["gelu_fast"] = ACTIVATIONS["gelu_pytorch_tanh"] = ACTIVATIONS["gelu_new"]


def llama3_frequencies(frequencies, scaling):
    """The frequencies of Llama 3.1: long waves are slowed down by a factor, short ones are as they were."""
    factor, low, high = scaling["factor"], scaling["low_freq_factor"], scaling["high_freq_factor"]
    trained = scaling["original_max_position_embeddings"]
    slowed = []
    for f in frequencies:
        wave = 2 * math.pi / f
        if wave < trained / high:
            slowed.append(f)
        elif wave > trained / low:
            slowed.append(f / factor)
        else:
            smooth = (trained / wave - low) / (high - low)
            slowed.append((1 - smooth) * f / factor + smooth * f)
    return np.array(slowed)


def inverse_frequencies(config, rotated):
    """Angle per position of each pair of a head."""
    parameters = config.get("rope_parameters") or {}
    theta = config.get("rope_theta", parameters.get("rope_theta", config.get("rotary_emb_base", 10000.0)))
    frequencies = float(theta)**(-np.arange(0, rotated, 2, dtype=np.float64) / rotated)
    scaling = config.get("rope_scaling") or parameters
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "llama3":
        return llama3_frequencies(frequencies, scaling)
    if kind == "linear":
        return frequencies / scaling["factor"]
    if kind != "default":
        raise Unsupported(f"rope_scaling {kind}")
    return frequencies


def rotate(x, frequencies):
    """Turns the first 2 * len(frequencies) numbers of each head [length, heads, size]; number i is paired with i + half."""
    half = len(frequencies)
    angles = np.arange(x.shape[0], dtype=np.float64)[:, None, None] * frequencies
    a, b = x[..., :half], x[..., half:2 * half]
    return np.concatenate([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles),
                           x[..., 2 * half:]], axis=-1)


def attention(q, k, v, window=None):
    """Causal attention: q [length, heads, size], k and v [length, key heads, size] -> [length, heads * size]."""
    length, heads, size = q.shape
    group = heads // k.shape[1]  # query heads g * group ... share key head g
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    scores = np.einsum("ihd,jhd->hij", q, k) / math.sqrt(size)
    ahead = np.arange(length)[None, :] - np.arange(length)[:, None]
    hidden = ahead > 0
    if window is not None:
        hidden |= ahead <= -window
    scores = np.where(hidden, -np.inf, scores)
    return np.einsum("hij,jhd->ihd", softmax(scores), v).reshape(length, heads * size)


# Families

class Weights:
    """Weights of a prefix of names."""

    def __init__(self, tensors, prefix=""):
        self.tensors, self.prefix = tensors, prefix

    def __getitem__(self, name):
        return self.tensors[self.prefix + name]

    def has(self, name):
        return self.prefix + name in self.tensors

    def of(self, prefix):
        return Weights(self.tensors, self.prefix + prefix)

    def linear(self, x, name):
        y = x @ self[name + ".weight"].T
        return y + self[name + ".bias"] if self.has(name + ".bias") else y


def llama_like(config, tensors, tokens, q_and_k_norm):
    """Llama, Qwen2 and Qwen3. A bias is added where the model stores one."""
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    size = config.get("head_dim") or hidden // heads
    eps = config["rms_norm_eps"]
    activation = ACTIVATIONS[config.get("hidden_act", "silu")]
    frequencies = inverse_frequencies(config, size)
    length = len(tokens)
    weights = Weights(tensors)
    x = weights["model.embed_tokens.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        w = weights.of(f"model.layers.{layer}.")
        window = None
        if config.get("use_sliding_window") and config.get("sliding_window"):
            kinds = config.get("layer_types")
            slides = kinds[layer] == "sliding_attention" if kinds else layer >= config.get("max_window_layers", 28)
            window = config["sliding_window"] if slides else None
        h = rms_norm(x, w["input_layernorm.weight"], eps)
        q = w.linear(h, "self_attn.q_proj").reshape(length, heads, size)
        k = w.linear(h, "self_attn.k_proj").reshape(length, kv_heads, size)
        v = w.linear(h, "self_attn.v_proj").reshape(length, kv_heads, size)
        if q_and_k_norm:
            q = rms_norm(q, w["self_attn.q_norm.weight"], eps)
            k = rms_norm(k, w["self_attn.k_norm.weight"], eps)
        mixed = attention(rotate(q, frequencies), rotate(k, frequencies), v, window)
        x = x + w.linear(mixed, "self_attn.o_proj")
        h = rms_norm(x, w["post_attention_layernorm.weight"], eps)
        h = activation(w.linear(h, "mlp.gate_proj")) * w.linear(h, "mlp.up_proj")
        x = x + w.linear(h, "mlp.down_proj")
    x = rms_norm(x, weights["model.norm.weight"], eps)
    tied = config.get("tie_word_embeddings", False) or not weights.has("lm_head.weight")
    return x @ weights["model.embed_tokens.weight" if tied else "lm_head.weight"].T


def gpt_neox(config, tensors, tokens):
    """GPT-NeoX and Pythia. query_key_value has, head after head, the rows of its query, its key and its value."""
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    size = hidden // heads
    eps = config.get("layer_norm_eps", 1e-5)
    activation = ACTIVATIONS[config.get("hidden_act", "gelu")]
    parameters = config.get("rope_parameters") or {}
    rotated = int(size * config.get("rotary_pct", parameters.get("partial_rotary_factor", 0.25)))
    frequencies = inverse_frequencies(config, rotated)
    length = len(tokens)
    weights = Weights(tensors)
    x = weights["gpt_neox.embed_in.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        w = weights.of(f"gpt_neox.layers.{layer}.")
        norm = lambda y, name: layer_norm(y, w[name + ".weight"], w[name + ".bias"], eps)
        qkv = w.linear(norm(x, "input_layernorm"), "attention.query_key_value").reshape(length, heads, 3, size)
        mixed = attention(rotate(qkv[:, :, 0], frequencies), rotate(qkv[:, :, 1], frequencies), qkv[:, :, 2])
        mixed = w.linear(mixed, "attention.dense")
        parallel = config.get("use_parallel_residual", True)
        h = norm(x if parallel else x + mixed, "post_attention_layernorm")
        h = w.linear(activation(w.linear(h, "mlp.dense_h_to_4h")), "mlp.dense_4h_to_h")
        x = x + mixed + h
    x = layer_norm(x, weights["gpt_neox.final_layer_norm.weight"], weights["gpt_neox.final_layer_norm.bias"], eps)
    tied = config.get("tie_word_embeddings", False) or not weights.has("embed_out.weight")
    return x @ weights["gpt_neox.embed_in.weight" if tied else "embed_out.weight"].T


FAMILIES = {
    "llama": lambda c, w, t: llama_like(c, w, t, q_and_k_norm=False),
    "qwen2": lambda c, w, t: llama_like(c, w, t, q_and_k_norm=False),
    "qwen3": lambda c, w, t: llama_like(c, w, t, q_and_k_norm=True),
    "gpt_neox": gpt_neox,
}


class Model:
    """A folder that was read once."""

    def __init__(self, folder):
        self.config = json.loads((Path(folder) / "config.json").read_text())
        if self.config["model_type"] not in FAMILIES:
            raise Unsupported(f"model_type {self.config['model_type']}")
        self.tensors = read_weights(folder)

    def logits(self, tokens):
        """float64 [len(tokens), vocabulary]: row i is of what follows token i."""
        return FAMILIES[self.config["model_type"]](self.config, self.tensors, np.asarray(tokens, dtype=np.int64))


def logits(folder, tokens):
    return Model(folder).logits(tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tokens", type=Path, required=True, help="one JSON list of token ids a line")
    parser.add_argument("--npy", type=Path, help="write the rows here, and print nothing")
    arguments = parser.parse_args()
    model = Model(arguments.folder)
    sequences = [json.loads(line) for line in arguments.tokens.read_text().splitlines() if line.strip()]
    if arguments.npy:
        np.save(arguments.npy, np.concatenate([model.logits(tokens) for tokens in sequences]))
        return
    for tokens in sequences:
        sys.stdout.write(json.dumps(model.logits(tokens).tolist()) + "\n")


if __name__ == "__main__":
    main()
