"""Operations on arrays that add many values into each output, as torch has them. Each samples the operation."""

from . import _functions


def _dimension(dim, array):
    """A dimension from the end as one from the start, where the array has so many."""
    dimensions = len(getattr(array, "shape", ()))
    return dim + dimensions if -dimensions <= dim < 0 else dim


def index_add(source, index, initial=None, *, dim=0, **options):
    """Adds slices of `source` to the outputs that `index` names, whose first values are `initial`, or 0.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> random = np.random.default_rng(1)
    >>> x = random.normal(size=(1000, 4)).astype(np.float32)
    >>> s = orderlab.array.index_add(x, random.integers(0, 50, 1000), samples=20)
    >>> s.elements.different.shape
    (50, 4)
    """
    return _functions.sample(source, op=f"index_add(dim={_dimension(dim, source)})", index=index, initial=initial, **options)


def scatter_add(source, index, initial=None, *, dim=0, **options):
    """Adds each element of `source` to the output that `index` names."""
    return _functions.sample(source, op=f"scatter_add(dim={_dimension(dim, source)})", index=index, initial=initial, **options)


def cumsum(x, *, dim=0, **options):
    """Prefix sums along a dimension."""
    return _functions.sample(x, op=f"cumsum(dim={_dimension(dim, x)})", **options)


def sum(x, order=None, *, axis, **options):
    """Sums along an axis, each in the order."""
    return _functions.sample(x, order, axis=axis, **options)
