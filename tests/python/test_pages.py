"""Every command of README and of the pages as Python: the same bytes of JSON."""

import itertools
import re
import shlex

import numpy as np
import orderlab
import pytest
from conftest import ROOT
from orderlab import _calls, _core

PAGES = [ROOT / "README.md", *sorted((ROOT / "src/docs").rglob("*.md"))]


def commands_of(text):
    """Each command once, as words up to a pipe. $ stands behind a backslash in double quotes."""
    lines = dict.fromkeys(line for line in re.findall(r"^\$ orderlab (.*)$", text, re.MULTILINE)
                          if "2>&1" not in line)  # those show an error
    return [list(itertools.takewhile(lambda word: word not in ("|", ">"), shlex.split(line.replace("\\$", "$"))))
            for line in lines]


COMMANDS = commands_of("\n".join(path.read_text(encoding="utf-8") for path in PAGES))
REPORTED = [words for words in COMMANDS
            if words[0] not in ("sweep", "merge", "report", "export", "list")  # they write files (test_stores.py), or no CSV
            and "--npy" not in words and "--orders" not in words
            and "--values" not in words and "1.0000" not in words  # arrays and floats of Python have no text,
            and not (words[0] == "check" and "--against" in words)]  # whose digits would leave differences open
FILE = re.compile(r"(trace\()?[\w.]+\.(npy|f32|txt|csv|json|bz2|jsonl|arrivals|cu)(::\w+)?\)?|python3 [\w.]+\.py|[\w./]+\.so:[\w:]+")  # of its page, or a recording
LIGHTER = {"--n": {"crosscheck": "1000"}, "--outputs": {"tolerance": "2"}}  # where that of a page takes seconds
ADDED = {"train": ["--seeds", "2", "--orders", "2", "--epochs", "2"], "solve": ["--samples", "3"]}


def keywords(words):
    """A command line as the name of a function and its keywords, by the table of the command's flags."""
    flags = {flag["name"]: flag for flag in _core.command(words[0])["flags"]}
    positional = [flag for flag in flags.values() if flag["positional"]]
    given, words_left = {}, words[1:]
    while words_left:
        word = words_left.pop(0)
        flag = flags[word] if word.startswith("--") else positional[0]
        if flag["positional"] and not flag["repeats"]:
            positional.pop(0)
        value = True if flag["kind"] == "toggle" else words_left.pop(0) if word.startswith("--") else word
        name = {"--value": "values"}.get(flag["name"]) or _calls.Parameter(flag).name
        if flag["repeats"]:
            given.setdefault(name, []).append(value)
        else:
            given[name] = value
    if words[0] == "compare":
        given.update({model: [float(score) for score in given[model].split(",")] for model in "ab"})
    if words[0] == "check" and "values" in given:
        given["values"] = [float(value) for value in given["values"]]
    return given


def lighter(words):
    """The command with less work."""
    added = ADDED.get(words[0], [])
    words = words + [word for pair in zip(added[::2], added[1::2]) if pair[0] not in words for word in pair]
    for flag, values in LIGHTER.items():
        if flag in words and words[0] in values:
            words[words.index(flag) + 1] = values[words[0]]
    return words


@pytest.mark.parametrize("words", REPORTED, ids=" ".join)
def test_a_command_of_a_page_gives_the_same_bytes_from_python(words, program, tmp_path):
    if any(map(FILE.fullmatch, words)):
        pytest.skip("needs a file that its page makes")
    words = lighter(words)
    result = getattr(orderlab, words[0])(**keywords(words))
    text = program(*words, "--json", tmp_path / "json", "--csv", tmp_path / "csv")
    assert result.to_json() == (tmp_path / "json").read_bytes()
    assert result.to_csv().encode() == (tmp_path / "csv").read_bytes()
    assert f"{result}\n".encode() == text


def test_pages_have_commands():
    assert len(REPORTED) >= 30


def test_the_array_of_an_operation_is_checked_as_its_file_is(program, tmp_path):
    sample = orderlab.sample(op="index_add", shape=(100, 100), ratio=0.5, samples=2, keep_results=True)
    actual = sample.results[1]
    np.save(tmp_path / "actual.npy", actual)
    words = ["check", "--op", "index_add", "--shape", "100x100", "--ratio", "0.5", "--actual", tmp_path / "actual.npy"]
    result = orderlab.check(actual, op="index_add", shape=(100, 100), ratio=0.5)
    assert result.to_json() == program(*words, "--json", "-")
    assert result.explained


def test_arrays_give_the_bytes_of_their_files(program, tmp_path):
    random = np.random.default_rng(7)
    x, y = random.normal(size=(2, 1000)).astype(np.float32)
    index = random.integers(0, 20, 1000)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    np.save(tmp_path / "index.npy", index)
    np.save(tmp_path / "matrix.npy", x.reshape(50, 20))
    x_file, y_file = tmp_path / "x.npy", tmp_path / "y.npy"
    for python, words in [
        (orderlab.sample(x, "warp", samples=50), ["sample", "--input", x_file, "--order", "warp", "--samples", 50]),
        (orderlab.sample(str(x_file), "warp", samples=50),
         ["sample", "--input", x_file, "--order", "warp", "--samples", 50]),
        (orderlab.sample(x, "warp", y=y, samples=50),
         ["sample", "--input", x_file, "--with", y_file, "--order", "warp", "--samples", 50]),
        (orderlab.sample(x, "warp", accumulate="fp64", result="float32", samples=50),
         ["sample", "--input", x_file, "--order", "warp", "--samples", 50, "--format", "fp32:fp64:fp32"]),
        (orderlab.sample(x.reshape(50, 20), "warp", axis=-1, samples=50),
         ["sample", "--op", "sum(axis=1)", "--input", tmp_path / "matrix.npy", "--order", "warp", "--samples", 50]),
        (orderlab.array.index_add(x, index, samples=50),
         ["sample", "--op", "index_add(dim=0)", "--input", x_file, "--index", tmp_path / "index.npy", "--samples", 50]),
        (orderlab.check(x[:3], x, "random", samples=4000),
         ["check", "--values", x_file, "--input", x_file, "--order", "random", "--samples", 4000]),
        (orderlab.sum(x.astype(np.float64), "pairwise", format="fp32"),
         ["sum", "--input", x_file, "--order", "pairwise"]),
    ]:
        if words[0] == "check":
            np.save(tmp_path / "three.npy", x[:3])
            words[2] = tmp_path / "three.npy"
        assert python.to_json() == program(*words, "--json", "-"), words
