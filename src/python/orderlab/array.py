"""Operations on arrays that add many values into each output, as torch has them. Each samples the operation."""

from . import _functions


def index_add(source, index, self=None, *, dim=0, **options):
    """Adds slices of `source` to the outputs that `index` names.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> random = np.random.default_rng(1)
    >>> x = random.normal(size=(1000, 4)).astype(np.float32)
    >>> s = orderlab.array.index_add(x, random.integers(0, 50, 1000), samples=20)
    >>> s.elements.different.shape
    (50, 4)
    """
    return _functions.sample(source, op=f"index_add(dim={dim})", index=index, self=self, **options)


def scatter_add(source, index, self=None, *, dim=0, **options):
    """Adds each element of `source` to the output that `index` names."""
    return _functions.sample(source, op=f"scatter_add(dim={dim})", index=index, self=self, **options)


def cumsum(x, *, dim=0, **options):
    """Prefix sums along a dimension."""
    return _functions.sample(x, op=f"cumsum(dim={dim})", **options)


def sum(x, order=None, *, axis, **options):
    """Sums along an axis, each in the order."""
    return _functions.sample(x, order, axis=axis, **options)
