# %% [markdown]
# # In which order does my library add?
#
# Two libraries give two sums of the same numbers. This notebook finds the order of each, the sizes at which it
# changes, and a test that notices when an update changes it. It needs NumPy and orderlab.

# %%
import numpy as np
from numpy.typing import NDArray

import orderlab
from orderlab.testing import assert_order

# %% [markdown]
# ## One size
#
# `probe` calls the function with masks of large numbers that show which terms meet first. The order has a name that all
# functions take.

# %%
total = orderlab.probe(np.sum, 1000)
print(total)
total

# %% [markdown]
# ## Which sizes and dtypes change it?
#
# `probe_table` probes each size and dtype, and marks the rows where the order differs from the row before.

# %%
table = orderlab.probe_table(np.sum, shapes=(4, 9, 129, 300), dtypes=("float32", "float64"))
print(table)
table

# %% [markdown]
# ## Along an axis
#
# Sums of the rows and of the columns of one matrix are added in different orders.

# %%
rows = orderlab.probe_table(np.sum, shapes=[(16, 200), (200, 16)], axis=1)
columns = orderlab.probe_table(np.sum, shapes=[(16, 200), (200, 16)], axis=0)
print(rows, columns, sep="\n\n")

# %% [markdown]
# ## A function of my own
#
# Four running sums, which are added at the end.

# %%
def my_sum(x: NDArray[np.float32]) -> float:
    lanes = [np.cumsum(x[lane::4])[-1] for lane in range(min(4, len(x)))]
    return float(np.cumsum(np.array(lanes, x.dtype))[-1])


mine = orderlab.probe(my_sum, 1000)
assert total.order and mine.order
print(mine.verdict, mine.order)

# %% [markdown]
# ## How far apart are the two?
#
# Both orders are fixed, so the difference of two sums of the same terms has no chance in it. A tolerance for terms like
# these follows from the two orders.

# %%
between = orderlab.tolerance(n=1000, order=mine.order, against=total.order, format="fp32",
                             coverage=0.99)
print(between)

# %% [markdown]
# ## A test that notices a change
#
# `assert_order` fails where a function adds in another order, and names the first two terms that meet elsewhere.

# %%
assert_order(np.sum, total.order, sizes=(100, 129))
try:
    assert_order(np.sum, mine.order, sizes=100, verbose=False)
except AssertionError as failure:
    print(failure)
