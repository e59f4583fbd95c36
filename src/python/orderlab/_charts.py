"""Small charts of results: what is drawn, as an SVG of a few kB, or by Matplotlib. Larger ones are Vega-Lite specs,
which the program makes: Result.charts."""

import html
import math
import sys
from dataclasses import dataclass, field

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 560, 240, 12, 40
_ROW = 22  # height of a range
_MOST_BARS = 60
_BLUE, _RED, _GREY = "#4c78a8", "#d62728", "#888"


@dataclass(frozen=True)
class Histogram:
    """Bars over an axis, and lines across it."""

    axis: str
    bars: list  # (low, high, how much)
    marks: list = field(default_factory=list)  # (place, text)
    height: str = "samples"

    def ends(self):
        places = [one for low, high, _ in self.bars for one in (low, high)] + [place for place, _ in self.marks]
        return min(places), max(places)


@dataclass(frozen=True)
class Ranges:
    """A range for each of several names, with places inside or outside it."""

    axis: str
    rows: list  # (name, low, high, [places])
    marks: list = field(default_factory=list)

    def ends(self):
        places = [one for _, low, high, some in self.rows for one in (low, high, *some)]
        places += [place for place, _ in self.marks]
        return min(places), max(places)


def histogram(axis, places, weights, marks=(), height="samples"):
    """A histogram of weighted places; None where none is finite, or where their range has no axis. Equally wide bars,
    as many as places need."""
    found = [(place, weight) for place, weight in zip(places, weights) if place is not None and math.isfinite(place)]
    if not found:
        return None
    low, high = min(place for place, _ in found), max(place for place, _ in found)
    if not _can_be_divided(low, high):
        return None
    count = min(_MOST_BARS, max(1, 2 * len({place for place, _ in found}) - 1))
    width = (high - low) / count or max(abs(low), 1.0) / 10
    totals = [0.0] * count
    for place, weight in found:
        totals[min(int((place - low) / width), count - 1)] += weight
    bars = [(low + i * width, low + (i + 1) * width, total) for i, total in enumerate(totals) if total]
    return Histogram(axis, bars, _near(marks, low - 2 * (high - low), high + 2 * (high - low)), height)


def _can_be_divided(low, high):
    """Whether float64 has the places of an axis from low to high, and of marks near it."""
    reach = high - low
    most = sys.float_info.max / 8
    return max(-low, high) <= most and (reach == 0 or 1000 * sys.float_info.min <= reach <= most)


def ranges(axis, rows):
    """A range for each of several names; None without any, or where they have no axis."""
    chart = Ranges(axis, rows)
    return chart if rows and _can_be_divided(*chart.ends()) else None


def _near(marks, low, high):
    """Marks far away would squeeze the bars."""
    return [(place, text) for place, text in marks if place is not None and low <= place <= high]


def _scale(ends, width):
    low, high = ends
    reach = (high - low) or max(abs(low), 1.0)
    low, high = low - 0.03 * reach, high + 0.03 * reach
    return lambda place: _LEFT + (place - low) / (high - low) * (width - 2 * _LEFT)


def _ticks(ends):
    """About five round places."""
    low, high = ends
    if low == high:
        return [low]
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _tick_texts(places):
    """Places with as many digits as tell them apart."""
    steps = [after - before for before, after in zip(places, places[1:])]
    digits = 6
    if steps and min(steps) > 0:
        digits = math.floor(math.log10(max(map(abs, places)))) - math.floor(math.log10(1.001 * min(steps))) + 1
    return [f"{place:.{min(max(digits, 4), 17)}g}" for place in places]


def svg(chart):
    """The chart as an inline SVG."""
    ranges = isinstance(chart, Ranges)
    height = _BOTTOM + 24 + (len(chart.rows) * _ROW * 2 if ranges else _HEIGHT - _BOTTOM)
    x, floor = _scale(chart.ends(), _WIDTH), height - _BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
             f'height="{height}" font-family="sans-serif" font-size="12" role="img">']
    if ranges:
        for i, (name, low, high, places) in enumerate(chart.rows):
            y = 24 + i * 2 * _ROW
            parts.append(f'<text x="{_LEFT}" y="{y + 10}" fill="currentColor">{html.escape(str(name))}</text>')
            parts.append(f'<rect x="{x(low):.1f}" y="{y + 16}" width="{max(x(high) - x(low), 2):.1f}" height="14" '
                         f'fill="{_BLUE}"><title>{low:.6g} to {high:.6g}</title></rect>')
            parts += [f'<circle cx="{x(place):.1f}" cy="{y + 23}" r="5" fill="{_RED}">'
                      f'<title>{place:.9g}</title></circle>' for place in places]
    else:
        most = max(total for _, _, total in chart.bars)
        for low, high, total in chart.bars:
            top = 24 + (floor - 24) * (1 - total / most)
            parts.append(f'<rect x="{x(low):.1f}" y="{top:.1f}" width="{max(x(high) - x(low) - 0.5, 1):.1f}" '
                         f'height="{floor - top:.1f}" fill="{_BLUE}"><title>{low:.4g} to {high:.4g}: {total:.6g} '
                         f'{html.escape(chart.height)}</title></rect>')
    for place, text in chart.marks:
        parts.append(f'<line x1="{x(place):.1f}" x2="{x(place):.1f}" y1="18" y2="{floor}" stroke="{_RED}"/>'
                     f'<text x="{x(place):.1f}" y="13" text-anchor="middle" fill="{_RED}">{html.escape(text)}</text>')
    parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _LEFT}" y1="{floor}" y2="{floor}" stroke="{_GREY}"/>')
    ticks = _ticks(chart.ends())
    for place, text in zip(ticks, _tick_texts(ticks)):
        parts.append(f'<text x="{x(place):.1f}" y="{floor + 15}" text-anchor="middle" fill="{_GREY}">{text}</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{height - 6}" text-anchor="middle" fill="currentColor">'
                 f'{html.escape(chart.axis)}</text></svg>')
    return "".join(parts)


def draw(chart, axes):
    """The chart on axes of Matplotlib."""
    if isinstance(chart, Ranges):
        for i, (_, low, high, places) in enumerate(chart.rows):
            axes.barh(i, high - low, left=low, height=0.5, color=_BLUE)
            axes.plot(places, [i] * len(places), "o", color=_RED)
        axes.set_yticks(range(len(chart.rows)), [name for name, *_ in chart.rows])
        axes.invert_yaxis()
    else:
        axes.bar([low for low, _, _ in chart.bars], [total for _, _, total in chart.bars],
                 width=[high - low for low, high, _ in chart.bars], align="edge", color=_BLUE)
        axes.set_ylabel(chart.height)
    for place, text in chart.marks:
        axes.axvline(place, color=_RED, label=text)
    if chart.marks:
        axes.legend()
    axes.set_xlabel(chart.axis)
