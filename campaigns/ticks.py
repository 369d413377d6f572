"""Round numbers for the axis of a chart."""

from math import ceil, floor, log10

STEPS = (1, 2, 5, 10)


def ticks(low: float, high: float, wanted: int = 4, whole: bool = False) -> list[float]:
    """Even steps of 1, 2 or 5 times a power of ten that hold everything from low to high."""
    if high <= low:
        high = low + 1
    step = _step((high - low) / wanted)
    if whole:
        step = max(step, 1)
    first, last = floor(round(low / step, 9)), ceil(round(high / step, 9))
    return [round(number * step, 10) for number in range(first, last + 1)]


def ticks_within(low: float, high: float, wanted: int = 4, whole: bool = False) -> list[float]:
    """The same steps, but none beyond low and high: for an axis that ends where its values end."""
    return [tick for tick in ticks(low, high, wanted, whole) if low <= tick <= high]


def _step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(size for size in STEPS if size * power >= rough * (1 - 1e-9)) * power


def figure(value: float) -> str:
    """As it is read: no needless decimals, a true minus."""
    rounded = round(value, 2)
    written = f"{rounded:,.2f}".rstrip("0").rstrip(".")
    return "0" if written in ("0", "-0") else written.replace("-", "−")


def signed(value: float) -> str:
    written = figure(value)
    return written if written == "0" or written.startswith("−") else f"+{written}"
