# %% [markdown]
# # My training gives another score in every run
#
# All seeds are fixed, and still two trainings end with different weights. This notebook finds out which operation does
# it, how far it moves the score beside the seed, and what a deterministic form costs. It needs NumPy and orderlab.

# %%
import numpy as np

import orderlab

# %% [markdown]
# ## Which operation varies?
#
# A graph network adds messages to nodes with `index_add`. `explain` says which kernel runs for a shape and whether its
# outputs can vary.

# %%
messages = orderlab.explain("index_add", shape=(2000, 16), ratio=0.25)
print(messages.launch.kernel, messages.outputs)
messages

# %% [markdown]
# ## The same operation, many times
#
# Your own array and index can be given. `vc` is the share of outputs that differ from the baseline, `elements` has an
# array for each property of the outputs.

# %%
random = np.random.default_rng(3)
source = random.normal(size=(2000, 16)).astype(np.float32)
index = random.integers(0, 500, 2000)
varying = orderlab.array.index_add(source, index, samples=50)
print(varying.vc.mean, int(varying.elements.varies.sum()), "of", varying.elements.varies.size)
varying

# %% [markdown]
# ## Seed or order?
#
# `train` trains a small model with several seeds, and each seed with several orders. It compares how far each of them
# moves the score.

# %%
training = orderlab.train(nodes=300, seeds=3, orders=3, epochs=5)
print(training)

# %% [markdown]
# ## What would a deterministic form cost?
#
# `alternatives` compares ways to do the same operation: whether the bits are the same, the error, the number of
# additions.

# %%
forms = orderlab.alternatives("index_add", shape=(2000, 16), ratio=0.25, samples=20)
for form in forms.alternatives:
    print(f"{form.name:20} {form.guarantee:16} {form.additions:>8} additions")

# %% [markdown]
# ## Is an array of a real run explained?
#
# The array of one run is compared with what the orders of the kernel can give: each output by itself, corrected for
# their number. Here a drawn run stands for the array of a GPU. One with a message left out is found.

# %%
drawn = orderlab.array.index_add(source, index, samples=1, seed=7, keep_results=True)
run = drawn.results[0].astype(np.float32)
honest = orderlab.check(run, source, op="index_add(dim=0)", index=index)
run[index[0]] -= source[0]
wrong = orderlab.check(run, source, op="index_add(dim=0)", index=index)
print(honest.verdict, wrong.verdict)
