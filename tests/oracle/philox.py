"""Philox4x32-10 and the keys of draw paths, from the paper and from include/orderlab/philox.hpp.

Run as `python3 philox.py > ../golden/draw_paths.txt` to write the known answers.
"""

from itertools import product

MASK = 0xFFFFFFFF
PATH_KEYS, FIRST_STAGE = 8, 16  # streams


def philox(counter, key):
    """Four words from a counter of 128 bits and a key of 64 bits, both whole numbers."""
    c = [counter >> 32 * i & MASK for i in range(4)]
    k = [key & MASK, key >> 32]
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 1 << 32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [k[0] + 0x9E3779B9 & MASK, k[1] + 0xBB67AE85 & MASK]
    return c


def counter_of(index, sample, stream, attempt):
    assert max(index, sample) < 1 << 48 and max(stream, attempt) < 1 << 16
    return index | sample << 48 | stream << 96 | attempt << 112


def path_key(seed, site=None, step=None, output=None):
    """The key of the draws of a path; None for what is absent from it."""
    if site is None and step is None and output is None:
        return seed
    site, step, output = (0 if number is None else number + 1 for number in (site, step, output))
    words = philox(counter_of(output, step, PATH_KEYS, site), seed)
    return words[0] | words[1] << 32


def known_answers():
    """Lines "seed site step output key words" of paths with small, large and absent parts; words of a first block."""
    seeds = (1, 0x0123456789ABCDEF, (1 << 64) - 1)
    sites = (None, 0, 1, 0xFFFE)
    numbers = (None, 0, 1 << 32, (1 << 48) - 2)
    for seed, site, step, output in product(seeds, sites, numbers, numbers):
        key = path_key(seed, site, step, output)
        words = philox(counter_of(0, 0, FIRST_STAGE, 0), key)
        parts = " ".join("-" if number is None else str(number) for number in (site, step, output))
        yield f"{seed:016x} {parts} {key:016x} {' '.join(f'{word:08x}' for word in words)}"


def main():
    print("# Keys of draw paths, by tests/oracle/philox.py: seed, site, step, output, key; then the words of index 0,")
    print("# attempt 0, sample 0 of the first random stage's stream under that key. Absent parts are -.")
    for line in known_answers():
        print(line)


if __name__ == "__main__":
    main()
