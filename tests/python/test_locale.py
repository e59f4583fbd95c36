"""A program that sets its locale gets the same bytes: numbers are read and written with a point."""

import locale
import os
import subprocess

import numpy as np
import orderlab
import pytest

CONFIG = """n = [100, 200, 400]
order = ["warp", "random", "arrive(slots(8,0.25)) | seq"]
samples = 20
"""


@pytest.fixture(scope="module")
def locales(tmp_path_factory):
    """A folder with a locale whose decimal point is a comma, and one where it has two bytes."""
    folder = tmp_path_factory.mktemp("locales")
    for name in "de_DE", "ps_AF":
        try:
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"], capture_output=True,
                           check=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("localedef cannot make a locale")
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    before = os.getcwd()
    yield outputs(tmp_path_factory.mktemp("before"))
    os.chdir(before)


def outputs(folder):
    """Text, JSON, CSV and a page; numbers of a config, a store, a command line and an array."""
    os.chdir(folder)  # texts name files, and wrap behind them
    (folder / "config.toml").write_text(CONFIG)
    orderlab.sweep("config.toml", "store.sqlite")
    orderlab.report("store.sqlite", "page.html")
    x = np.random.default_rng(1).normal(size=500).astype(np.float32)
    rng = np.random.default_rng(2)
    np.savetxt(folder / "orders.csv", np.argsort(np.arange(40) + rng.normal(size=(10, 40), scale=2.5)), "%d", ",")
    parts = [orderlab.sample(x, "random", samples=30), orderlab.tolerance(x, "random", coverage=0.9, confidence=0.9),
             orderlab.sum(x, "pairwise"), orderlab.fit("orders.csv"),
             orderlab.probe(command="awk '{s += $1} END {printf \"%.17g\", s}'", n=4)]
    texts = [text for part in parts for text in (str(part), part.to_json().decode())]
    return [*texts, str(orderlab.export("store.sqlite")), (folder / "page.html").read_text(encoding="utf-8")]


@pytest.mark.parametrize("name, half", [("de_DE.UTF-8", "0,5"), ("ps_AF.UTF-8", "0\N{ARABIC DECIMAL SEPARATOR}5")])
def test_no_output_depends_on_the_locale(name, half, locales, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # and back
    monkeypatch.setenv("LOCPATH", str(locales))
    monkeypatch.setenv("LC_ALL", name)
    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "")
    try:
        assert locale.str(0.5) == half
        found = outputs(tmp_path)
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert found == expected
