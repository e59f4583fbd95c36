"""Operations on arrays that add many values into each output, as torch has them. Each samples the operation."""

from typing import Any

from . import _functions, results


def _dimension(dim: int, array: Any) -> int:
    """A dimension from the end as one from the start, where the array has so many."""
    dimensions = len(getattr(array, "shape", ()))
    return dim + dimensions if -dimensions <= dim < 0 else dim


def _sampled(*args: Any, **options: Any) -> "results.OperationSample":
    found = _functions.sample(*args, **options)
    assert isinstance(found, results.OperationSample)
    return found


def index_add(source: Any, index: Any, initial: Any = None, *, dim: int = 0, **options: Any) -> "results.OperationSample":
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
    return _sampled(source, op=f"index_add(dim={_dimension(dim, source)})", index=index, initial=initial, **options)


def scatter_add(source: Any, index: Any, initial: Any = None, *, dim: int = 0, **options: Any) -> "results.OperationSample":
    """Adds each element of `source` to the output that `index` names."""
    return _sampled(source, op=f"scatter_add(dim={_dimension(dim, source)})", index=index, initial=initial, **options)


def cumsum(x: Any, *, dim: int = 0, **options: Any) -> "results.OperationSample":
    """Prefix sums along a dimension."""
    return _sampled(x, op=f"cumsum(dim={_dimension(dim, x)})", **options)


def sum(x: Any, order: str | None = None, *, axis: int, **options: Any) -> "results.OperationSample":
    """Sums along an axis, each in the order."""
    return _sampled(x, order, axis=axis, **options)
