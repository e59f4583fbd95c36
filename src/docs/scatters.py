"""Arrival orders as pictures: rank of arrival against launch order."""

SIDE, EVERY = 250, 8  # of the square, and which ranks have a point


def points(order):
    """The path of the points of an order, where number k is the launch index of what came k-th."""
    scale = SIDE / len(order)
    return "".join(f"M{order[rank] * scale:.0f} {SIDE - rank * scale:.0f}h0" for rank in range(0, len(order), EVERY))


def kendall_tau(order):
    """Kendall tau of an order to launch order, by merging [Knight1966]."""
    inversions, runs = 0, [[index] for index in order]
    while len(runs) > 1:
        merged = []
        for left, right in zip(runs[::2], runs[1::2]):
            result, i = [], 0
            for value in right:
                while i < len(left) and left[i] < value:
                    result.append(left[i])
                    i += 1
                inversions += len(left) - i
                result.append(value)
            merged.append(result + left[i:])
        runs = merged + runs[len(runs) // 2 * 2:]
    return 1 - 4 * inversions / (len(order) * (len(order) - 1))
