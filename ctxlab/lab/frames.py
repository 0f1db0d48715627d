"""Data frames as a reader wants them: words on the left, numbers on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .style import breadth

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["aligned_html", "show_tables"]

_SHORT = 18  # Latin letters: an id, a phone number, a kind


def show_tables(width: int = 120) -> None:
    """Let this notebook show its data frames with words set flush left.

    pandas and Jupyter set all cells flush right, which is right for numbers and makes sentences
    ragged where the eye looks for their beginning.

    Parameters
    ----------
    width : int
        Characters of a cell that are shown.
    """
    import pandas as pd
    from IPython import get_ipython

    # MathJax would take what stands between two prices for a formula.
    pd.set_option("display.max_colwidth", width, "display.html.use_mathjax", False)
    shell: Any = get_ipython()
    if shell is not None:
        shell.display_formatter.formatters["text/html"].for_type(pd.DataFrame, aligned_html)


def aligned_html(frame: pd.DataFrame) -> str | None:
    """Return a data frame as pandas would in a notebook, its columns of words flush left.

    Examples
    --------
    >>> import pandas as pd
    >>> page = aligned_html(pd.DataFrame({"said": ["hello"], "tokens": [1]}))
    >>> "tr>:nth-last-child(2){text-align:left" in page
    True
    """
    import pandas as pd

    page: str | None = frame._repr_html_()  # type: ignore[operator]
    if page is None:
        return None
    count = frame.shape[1]
    most = pd.get_option("display.max_columns")
    if most and count > most:  # columns are left out in the middle: places don't count any more
        return page
    # Places are counted from the end: a row under a joined heading lacks cells at its beginning.
    columns = {count - i: frame.iloc[:, i] for i in range(count)}
    places = [place for place, column in columns.items() if _is_words(column)]
    short = [place for place, column in columns.items() if _is_short(column)]
    simple = frame.columns.nlevels == 1  # joined headings stay where pandas puts them
    left = [f"{'' if simple else 'tbody '}tr>:nth-last-child({place})" for place in places]
    whole = [f"tbody tr>:nth-last-child({place})" for place in short]
    levels = [frame.index.get_level_values(i).to_series() for i in range(frame.index.nlevels)]
    named = all(map(_is_words, levels))
    if named:
        left += ["tbody th", f"thead th:nth-last-child(n+{count + 1})"][: 1 + simple]
        whole += ["tbody th"] * all(map(_is_short, levels))
    if not left:
        return page
    parts = [*map(str, places), "short", *map(str, short), *["rows"] * named]
    name = "-".join(["ctxlab-words", *parts, *["whole"] * ("tbody th" in whole)])
    sheet = _rule(name, left, "text-align:left!important") + _rule(
        name, whole, "white-space:nowrap"
    )
    return f'<style>{sheet}</style><div class="{name}">{page}</div>'


def _rule(name: str, chosen: list[str], look: str) -> str:
    return ",".join(f".{name} {place}" for place in chosen) + f"{{{look}}}" if chosen else ""


def _is_short(column: pd.Series) -> bool:
    """Whether all values have few letters: broken, they would cost lines for nothing."""
    return all(breadth(str(value)) <= _SHORT for value in column)


def _is_words(column: pd.Series) -> bool:
    known = column.dropna().tolist()
    texts = all(isinstance(value, str | tuple | list) for value in known)
    return texts and any(letter.isalpha() for value in known for letter in str(value))
