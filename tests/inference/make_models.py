#!/usr/bin/env python3
"""Writes a small random model as Hugging Face stores it: config.json and *.safetensors. reference_model.py reads it.

usage: make_models.py FOLDER --family FAMILY [--hidden N] [--intermediate N] [--layers N] [--heads N] [--kv-heads N]
                      [--head-dim N] [--vocab N] [--tied] [--dtype bf16|fp16|fp32] [--shards N] [--bias] [--rope-theta X]
                      [--rotary-pct X] [--sequential-residual] [--llama3-rope] [--seed N]
       make_models.py FOLDER --every

FAMILY is llama, qwen2, qwen3 or gpt_neox. --every writes the models of EVERY, one folder each.
Weights are normal with variance 1 / inputs and gains are near 1, so activations keep their size and attention is not
uniform; the head is scaled so that the logits of a position have a standard deviation near 2. Biases have 0.3.
"""

import argparse
import json
import math
import struct
from pathlib import Path

import numpy as np

# One folder each: what a reader or a layer could get wrong.
EVERY = {
    "llama": ["--family=llama"],
    "llama-tied": ["--family=llama", "--tied"],
    "llama-one-kv-head": ["--family=llama", "--kv-heads=1"],
    "llama-all-kv-heads": ["--family=llama", "--kv-heads=4"],
    "llama-wide-head": ["--family=llama", "--head-dim=24"],
    "llama-biases": ["--family=llama", "--bias"],
    "llama-fp16": ["--family=llama", "--dtype=fp16"],
    "llama-fp32": ["--family=llama", "--dtype=fp32"],
    "llama-two-files": ["--family=llama", "--shards=2"],
    "llama3-rope": ["--family=llama", "--llama3-rope", "--rope-theta=500000"],
    "llama-odd-sizes": ["--family=llama", "--hidden=60", "--heads=6", "--kv-heads=3", "--intermediate=75", "--vocab=101"],
    "qwen2": ["--family=qwen2", "--rope-theta=1000000"],
    "qwen2-tied-two-files": ["--family=qwen2", "--tied", "--shards=2"],
    "qwen3": ["--family=qwen3", "--rope-theta=1000000"],
    "qwen3-tied": ["--family=qwen3", "--tied", "--head-dim=32"],
    "gpt-neox": ["--family=gpt_neox"],
    "gpt-neox-sequential": ["--family=gpt_neox", "--sequential-residual"],
    "gpt-neox-all-rotary": ["--family=gpt_neox", "--rotary-pct=1"],
    "gpt-neox-fp16-two-files": ["--family=gpt_neox", "--dtype=fp16", "--shards=2"],
}

DTYPES = {"bf16": ("BF16", "bfloat16"), "fp16": ("F16", "float16"), "fp32": ("F32", "float32")}


def to_bf16(x):
    """The bits of bf16 nearest to fp32 numbers, ties to even. No NaN."""
    bits = x.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


ENCODERS = {"bf16": to_bf16, "fp16": lambda x: x.astype("<f2"), "fp32": lambda x: x.astype("<f4")}


def write_safetensors(path, tensors, dtype):
    header, data = {"__metadata__": {"format": "pt"}}, []
    at = 0
    for name, tensor in tensors.items():
        raw = ENCODERS[dtype](tensor).tobytes()
        header[name] = {"dtype": DTYPES[dtype][0], "shape": list(tensor.shape), "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))
    return at


class Drawn:
    """Random tensors, drawn one after the other."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.tensors = {}

    def linear(self, name, outputs, inputs, bias=False, scale=1.0):
        self.tensors[name + ".weight"] = self.random.normal(size=(outputs, inputs)) * scale / math.sqrt(inputs)
        if bias:
            self.tensors[name + ".bias"] = self.random.normal(size=outputs) * 0.3

    def gain(self, name, size, bias=False):
        self.tensors[name + ".weight"] = 1 + 0.2 * self.random.normal(size=size)
        if bias:
            self.tensors[name + ".bias"] = self.random.normal(size=size) * 0.3

    def embedding(self, name, vocab, hidden):
        """Rows of numbers with a standard deviation of 2 / sqrt(hidden), as a tied head needs; norms scale them up."""
        self.tensors[name + ".weight"] = self.random.normal(size=(vocab, hidden)) * 2 / math.sqrt(hidden)


def llama_like(family, a):
    size = a.head_dim or a.hidden // a.heads
    config = {
        "architectures": [family.capitalize() + "ForCausalLM"],
        "model_type": family, "vocab_size": a.vocab, "hidden_size": a.hidden, "intermediate_size": a.intermediate,
        "num_hidden_layers": a.layers, "num_attention_heads": a.heads, "num_key_value_heads": a.kv_heads,
        "hidden_act": "silu", "rms_norm_eps": 1e-5 if family == "llama" else 1e-6, "rope_theta": a.rope_theta,
        "max_position_embeddings": 256, "tie_word_embeddings": a.tied, "torch_dtype": DTYPES[a.dtype][1],
    }
    if family != "qwen2":
        config |= {"head_dim": size, "attention_bias": a.bias}
    if family == "llama":
        config["mlp_bias"] = a.bias
    if a.llama3_rope:
        config["rope_scaling"] = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                  "original_max_position_embeddings": 64, "rope_type": "llama3"}
    drawn = Drawn(a.seed)
    drawn.embedding("model.embed_tokens", a.vocab, a.hidden)
    for layer in range(a.layers):
        at = f"model.layers.{layer}."
        drawn.gain(at + "input_layernorm", a.hidden)
        for name, heads in (("q", a.heads), ("k", a.kv_heads), ("v", a.kv_heads)):
            drawn.linear(at + f"self_attn.{name}_proj", heads * size, a.hidden, bias=a.bias or family == "qwen2")
        if family == "qwen3":
            drawn.gain(at + "self_attn.q_norm", size)
            drawn.gain(at + "self_attn.k_norm", size)
        drawn.linear(at + "self_attn.o_proj", a.hidden, a.heads * size, bias=a.bias)
        drawn.gain(at + "post_attention_layernorm", a.hidden)
        mlp_bias = a.bias and family == "llama"
        drawn.linear(at + "mlp.gate_proj", a.intermediate, a.hidden, bias=mlp_bias)
        drawn.linear(at + "mlp.up_proj", a.intermediate, a.hidden, bias=mlp_bias)
        drawn.linear(at + "mlp.down_proj", a.hidden, a.intermediate, bias=mlp_bias)
    drawn.gain("model.norm", a.hidden)
    if not a.tied:
        drawn.linear("lm_head", a.vocab, a.hidden, scale=2.0)
    return config, drawn.tensors


def gpt_neox(a):
    size = a.hidden // a.heads
    config = {
        "architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "vocab_size": a.vocab, "hidden_size": a.hidden,
        "intermediate_size": a.intermediate, "num_hidden_layers": a.layers, "num_attention_heads": a.heads,
        "hidden_act": "gelu", "layer_norm_eps": 1e-5, "rotary_pct": a.rotary_pct, "rotary_emb_base": int(a.rope_theta),
        "max_position_embeddings": 256, "use_parallel_residual": not a.sequential_residual,
        "tie_word_embeddings": a.tied, "torch_dtype": DTYPES[a.dtype][1],
    }
    assert int(size * a.rotary_pct) % 2 == 0, "rotary_pct of a head must be an even number of its numbers"
    drawn = Drawn(a.seed)
    drawn.embedding("gpt_neox.embed_in", a.vocab, a.hidden)
    for layer in range(a.layers):
        at = f"gpt_neox.layers.{layer}."
        drawn.gain(at + "input_layernorm", a.hidden, bias=True)
        drawn.gain(at + "post_attention_layernorm", a.hidden, bias=True)
        drawn.linear(at + "attention.query_key_value", 3 * a.hidden, a.hidden, bias=True)
        drawn.linear(at + "attention.dense", a.hidden, a.hidden, bias=True)
        drawn.linear(at + "mlp.dense_h_to_4h", a.intermediate, a.hidden, bias=True)
        drawn.linear(at + "mlp.dense_4h_to_h", a.hidden, a.intermediate, bias=True)
    drawn.gain("gpt_neox.final_layer_norm", a.hidden, bias=True)
    if not a.tied:
        drawn.linear("embed_out", a.vocab, a.hidden, scale=2.0)
    return config, drawn.tensors


def write_model(folder, config, tensors, dtype, shards):
    """One file, or `shards` files and their index: consecutive tensors, so a layer may lie in two files."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.safetensors"), *folder.glob("*.safetensors.index.json")):
        old.unlink()
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    if shards == 1:
        write_safetensors(folder / "model.safetensors", tensors, dtype)
        return
    names, weight_map, total = list(tensors), {}, 0
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        some = names[len(names) * shard // shards:len(names) * (shard + 1) // shards]
        weight_map |= {name: file for name in some}
        total += write_safetensors(folder / file, {name: tensors[name] for name in some}, dtype)
    index = {"metadata": {"total_size": total}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")


def parse(line):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", action="store_true", help="one model of each kind that the tests need")
    parser.add_argument("--family", choices=["llama", "qwen2", "qwen3", "gpt_neox"])
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--intermediate", type=int, default=96)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--kv-heads", type=int, default=2, help="not for gpt_neox")
    parser.add_argument("--head-dim", type=int, help="not for qwen2 and gpt_neox; default hidden / heads")
    parser.add_argument("--vocab", type=int, default=96)
    parser.add_argument("--tied", action="store_true", help="the head is the embedding")
    parser.add_argument("--dtype", choices=DTYPES, default="bf16")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--bias", action="store_true", help="attention_bias, and mlp_bias of Llama")
    parser.add_argument("--rope-theta", type=float, default=10000.0)
    parser.add_argument("--rotary-pct", type=float, default=0.25, help="gpt_neox")
    parser.add_argument("--sequential-residual", action="store_true", help="gpt_neox")
    parser.add_argument("--llama3-rope", action="store_true", help="rope_scaling of Llama 3.1")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(line)
    if not arguments.every and not arguments.family:
        parser.error("--family or --every")
    return arguments


def main(line=None):
    arguments = parse(line)
    if arguments.every:
        for name, options in EVERY.items():
            main([str(arguments.folder / name), *options])
        return
    family = arguments.family
    config, tensors = gpt_neox(arguments) if family == "gpt_neox" else llama_like(family, arguments)
    write_model(arguments.folder, config, tensors, arguments.dtype, arguments.shards)


if __name__ == "__main__":
    main()
