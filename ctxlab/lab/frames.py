"""Data frames as a reader wants them: words on the left, numbers on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["aligned_html", "show_tables"]


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
    >>> "tr>:nth-last-child(2){text-align:left" in page, "nth-last-child(1)" in page
    (True, False)
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
    places = [count - i for i in range(count) if _is_words(frame.iloc[:, i])]
    simple = frame.columns.nlevels == 1  # joined headings stay where pandas puts them
    rules = [f"{'' if simple else 'tbody '}tr>:nth-last-child({place})" for place in places]
    levels = (frame.index.get_level_values(i) for i in range(frame.index.nlevels))
    named = all(_is_words(level.to_series()) for level in levels)
    if named:
        rules += ["tbody th", f"thead th:nth-last-child(n+{count + 1})"][: 1 + simple]
    if not rules:
        return page
    name = "-".join(["ctxlab-words", *map(str, places), *["rows"] * named])
    chosen = ",".join(f".{name} {rule}" for rule in rules)
    return f'<style>{chosen}{{text-align:left!important}}</style><div class="{name}">{page}</div>'


def _is_words(column: pd.Series) -> bool:
    known = column.dropna().tolist()
    texts = all(isinstance(value, str | tuple | list) for value in known)
    return texts and any(letter.isalpha() for value in known for letter in str(value))
