"""Sweeps, stores and pages from Python."""

import orderlab
import pytest

CONFIG = """n = [100, 200]
order = ["warp", "random"]
format = "fp32"
samples = 50
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(CONFIG)
    return path


def test_a_sweep_is_run_merged_exported_and_reported(config, tmp_path, program):
    assert "4 points" in orderlab.sweep(config, dry_run=True)
    for shard in (1, 2):
        orderlab.sweep(config, tmp_path / f"part{shard}.sqlite", shard=f"{shard}/2")
    assert "4 of 4 points" in orderlab.merge([tmp_path / "part1.sqlite", tmp_path / "part2.sqlite"],
                                             tmp_path / "all.sqlite")
    points = orderlab.export(tmp_path / "all.sqlite")
    assert [point["config"]["n"] for point in points] == [100, 100, 200, 200]
    program("sweep", config, "--db", tmp_path / "other.sqlite", "--quiet")
    assert points == orderlab.export(tmp_path / "other.sqlite")
    orderlab.report(tmp_path / "all.sqlite", tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_parts_of_samples_merge_to_the_report_of_all(tmp_path, program):
    what = {"n": 300, "samples": 50, "seed": 4}
    for order in "random", ["warp", "spa"]:
        parts = [tmp_path / f"{shard}-{len(order)}.counts" for shard in (1, 2, 3)]
        for shard, part in enumerate(parts, 1):
            assert orderlab.sample(order=order, shard=f"{shard}/3", counts=part, **what).range[1] <= 50
        merged = orderlab.merge(parts, counts=tmp_path / f"all-{len(order)}", complete=True)
        whole = orderlab.sample(order=order, **what)
        assert type(merged) is type(whole)
        assert merged.to_json() == whole.to_json()
        assert merged.to_csv() == whole.to_csv()


def test_counts_of_an_array_are_kept_and_merged_but_reported_only_with_it(tmp_path):
    x = [0.1, 0.2, 1e10, -1e10, 0.7]
    for shard in (1, 2):
        orderlab.sample(x, "random", samples=50, shard=f"{shard}/2", counts=tmp_path / f"{shard}")
    with pytest.raises(ValueError, match="its terms came from a program or standard input"):
        orderlab.merge([tmp_path / "1", tmp_path / "2"], counts=tmp_path / "all")
    kept = orderlab.sample(x, "random", samples=50, counts=tmp_path / "all")
    assert kept.to_json() == orderlab.sample(x, "random", samples=50).to_json()


def test_solvers_keep_their_runs(tmp_path):
    first = orderlab.solve("cg", "poisson2d(10)", samples=3, db=tmp_path / "runs.sqlite")
    assert orderlab.solve("cg", "poisson2d(10)", samples=3, db=tmp_path / "runs.sqlite") == first


def test_a_matrix_may_be_an_array(tmp_path, program):
    import numpy as np

    matrix = np.diag(np.arange(1.0, 21.0)) + np.diag(np.full(19, 0.1), 1) + np.diag(np.full(19, 0.1), -1)
    rhs = np.linspace(-1, 1, 20)
    result = orderlab.solve("cg", matrix, rhs=rhs, samples=3)
    assert result.iterations.exact > 5
    with pytest.raises(ValueError, match="a matrix has 2"):
        orderlab.solve("cg", rhs)
    rows, columns = np.nonzero(matrix)
    lines = "".join(f"{i + 1} {j + 1} {matrix[i, j]!r}\n" for i, j in zip(rows, columns))
    (tmp_path / "a.mtx").write_text(f"%%MatrixMarket matrix coordinate real general\n20 20 {len(rows)}\n{lines}")
    np.save(tmp_path / "rhs.npy", rhs)
    assert result.to_json() == program("solve", "cg", "--matrix", tmp_path / "a.mtx", "--rhs", tmp_path / "rhs.npy",
                                       "--samples", 3, "--json", "-")


def test_what_is_wrong_with_a_config_is_said(tmp_path):
    (tmp_path / "bad.toml").write_text("n = 0\norder = 'warp'\n")
    with pytest.raises(ValueError, match="bad.toml"):
        orderlab.sweep(tmp_path / "bad.toml", tmp_path / "bad.sqlite")
    assert not (tmp_path / "bad.sqlite").exists()
