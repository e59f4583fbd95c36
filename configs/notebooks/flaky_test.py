# %% [markdown]
# # My test is flaky
#
# A test compares a parallel sum with a reference. It fails in some runs and passes in others. This notebook
# finds out whether summation order explains that, and ends with a tolerance that can be defended. It needs
# NumPy, orderlab and pytest.

# %%
import threading
import time

import numpy as np
from numpy.typing import NDArray

import orderlab
from orderlab.testing import assert_explained

# %% [markdown]
# ## The code under test
#
# Sixteen threads add a part of the terms each. Then each adds its partial sum to a shared total, in the order
# in which the threads finish. A short random wait stands for the other work of the threads.

# %%
terms = np.random.default_rng(7).lognormal(0, 1, 20000).astype(np.float32)
parts = np.split(terms, 16)


def parallel_sum(parts: list[NDArray[np.float32]]) -> np.float32:
    total, lock = [np.float32(0)], threading.Lock()

    def work(part: NDArray[np.float32]) -> None:
        partial = np.sum(part)
        time.sleep(np.random.default_rng().uniform(0, 0.002))
        with lock:
            total[0] += partial

    threads = [threading.Thread(target=work, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return total[0]

# %% [markdown]
# ## It gives several results
#
# Thirty runs on the same terms. Floating-point addition is not associative, so the order of arrival changes the
# last bits.

# %%
results = [parallel_sum(parts) for run in range(30)]
for value in sorted(set(results)):
    print(f"{value:.9g} in {results.count(value)} runs")

# %% [markdown]
# ## The test that fails
#
# The reference is the sum in float64. The tolerance was chosen by feeling: 1e-9 is far below the unit roundoff
# of float32, so this test fails. Raising it until the test passes would also hide bugs.

# %%
reference = np.sum(terms, dtype=np.float64)
try:
    np.testing.assert_allclose(np.float64(results[0]), reference, rtol=1e-9)
except AssertionError as failure:
    print(failure)

# %% [markdown]
# ## How far does this sum move?
#
# The order that varies is that of the sixteen partial sums: `random` adds them in a random permutation, left to
# right. `orderlab.sample` draws 1000 such orders. In a notebook the result shows its chart; `sampled.chart()`
# is the same as a Vega-Lite specification.

# %%
partials = np.array([np.sum(part) for part in parts])
sampled = orderlab.sample(partials, "random")
chart = sampled.chart()
print(sampled)
sampled

# %% [markdown]
# ## Is a failing value order?
#
# The value that failed the test above. Sixteen partial sums have few different results, so `orderlab.check`
# goes through all orders and the answer is certain.

# %%
order_value = orderlab.check(results[0], partials, "random")
print(order_value)

# %% [markdown]
# ## Is this one a bug?
#
# Another failing value, from a version of the code that leaves out the smallest term of the fourth part. It
# differs from the reference by less than 1e-6 of the sum, and looks as harmless as the first.

# %%
shorter = parts[:3] + [np.delete(parts[3], np.argmin(parts[3]))] + parts[4:]
wrong = parallel_sum(shorter)
print(f"relative difference {abs(wrong - reference) / reference:.2g}")
bug_value = orderlab.check(wrong, partials, "random")
print(bug_value)

# %% [markdown]
# ## Which tolerance holds?
#
# `orderlab.tolerance` gives the tolerance that results of this order pass, and says with which coverage and
# confidence. As all orders are enumerated here, a coverage of nearly 1 costs nothing. The sum of partial sums
# differs from that of the terms, because each part is rounded too. So the reference is the sum of the partial
# sums, in float64.

# %%
tolerance = orderlab.tolerance(partials, "random", coverage=0.999999999)
reference = np.sum(partials, dtype=np.float64)
print(tolerance)
for value in results:
    np.testing.assert_allclose(np.float64(value), reference, **tolerance.kwargs)

# %% [markdown]
# ## The new test
#
# `assert_explained` needs no tolerance: it compares with what the order can give. All thirty results pass, and
# the bug fails with a report.

# %%
for value in results:
    assert_explained(value, partials, "random")
try:
    assert_explained(wrong, partials, "random")
except AssertionError as failure:
    print(failure)

# %% [markdown]
# ## The same in pytest
#
# The plugin brings two fixtures. `order_tolerance` computes the tolerance once in a session, `order_explained`
# puts the report beside a failing test. In a project the file is run by `pytest` alone; `-p` is for an orderlab
# that is not installed.

# %%
import pathlib
import subprocess
import sys
import tempfile

TEST = """
import numpy as np

partials = np.random.default_rng(7).lognormal(5, 1, 16).astype(np.float32)

def sum_in_arrival_order():
    total = np.float32(0)
    for partial in np.random.default_rng().permutation(partials):
        total += partial
    return total

def test_within_tolerance(order_tolerance):
    reference = np.sum(partials, dtype=np.float64)
    tolerance = order_tolerance(partials, order="random", coverage=0.999999999)
    np.testing.assert_allclose(np.float64(sum_in_arrival_order()), reference, **tolerance)

def test_explained(order_explained):
    order_explained(sum_in_arrival_order(), partials, order="random")
"""

with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "test_sum.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:orderlab", "-p", "orderlab.pytest_plugin", folder]
    finished = subprocess.run(command, capture_output=True, text=True)
print(finished.stdout)
