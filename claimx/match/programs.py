"""What the text of a program that a code tool ran shows: files it writes, or that it only reads and prints."""

from __future__ import annotations

import re
from functools import lru_cache

#: How programs write files: tables, figures, texts, models.
WRITES = (
    r"\.to_(?:csv|excel|parquet|json|pickle|feather|html|markdown|latex|stata|hdf)\(\s*[^)\s]|\.(?:savefig|imwrite|imsave)\(|"
    r"\.write_(?:text|bytes|html|image|csv|json|parquet|excel|ipc)\(|\.save\w*\(\s*[^)\s]|\b(?:json|pickle|yaml|joblib)\.dump\(|"
    r"\b(?:write|append)File(?:Sync)?\(|\bwriteTextFile\(|\bBun\.write\(|\b(?:ggsave|saveRDS|write\.csv|fwrite)\("
)
_CODE = frozenset("python code interpreter".split())
_SHELLS = frozenset("bash shell terminal command cmd powershell".split())
#: Calls that change nothing outside the program.
_HARMLESS = re.compile(
    r"(?:print|display|len|sum|min|max|sorted|list|dict|set|str|int|float|range|enumerate|zip|map|filter|round|abs|any|all|type|"
    r"head|tail|describe|info|mean|median|std|count|value_counts|groupby|agg|sort_values|nunique|unique|merge|isna|dropna|fillna|"
    r"plot|bar|hist|scatter|subplots|title|xlabel|ylabel|legend|show|figure|read|readlines?|read_\w+|loads?|DataFrame|Path|exists|"
    r"split|strip|join|lower|upper|format|items|keys|values|get|append|for|if|while|in|and|or|not|return)$"
)
_CALLED = re.compile(r"\b(\w+)\s*\(")
_OPENED = re.compile(r"\bopen\(")
_LEAVES_THE_PROGRAM = re.compile(r"\b(?:subprocess|os\.system|child_process|SELECT)\b|^\s*[!%]\w", re.M)


@lru_cache(maxsize=4096)
def is_code(words: tuple[str, ...]) -> bool:
    """Whether a tool with these words in its name runs programs, and no command lines."""
    return not _CODE.isdisjoint(words) and _SHELLS.isdisjoint(words)


def calls_commands(text: str) -> bool:
    """Whether a program hands commands or queries to others, which then are read as such."""
    return _LEAVES_THE_PROGRAM.search(text) is not None


def only_looks(text: str) -> bool:
    """Whether all that a program calls is known to change nothing.

    >>> only_looks("df = pd.read_csv('tides.csv'); print(df.head())"), only_looks("hand_in(df)")
    (True, False)
    """
    called = _CALLED.findall(text)
    return bool(called) and not _OPENED.search(text) and all(map(_HARMLESS.match, called))
