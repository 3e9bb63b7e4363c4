"""Archives of records: zip files with a JSON document for each sample, as Inspect writes them."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from claimx.errors import InputError
from claimx.records import Record, parse_line

#: A longer document of an archive is left out.
MAX_MEMBER = 256 * 1024 * 1024


def archived(path: str) -> Iterator[Record]:
    """The JSON documents of an archive, in the order of their names. A damaged one costs no other."""
    reader = _zip_reader()
    try:
        with reader.ZipFile(path) as archive:
            names = [n for n in sorted(archive.namelist()) if n.endswith(".json") and _is_sample(n)]
            if not names:
                raise InputError(
                    f"{path}: the archive holds no samples (expected samples/*.json, as Inspect writes them)"
                )
            for name in names:
                yield _member(archive, name, path)
    except (zipfile.BadZipFile, reader.BadZipFile, OSError) as e:
        raise InputError(f"{path}: the archive cannot be read ({e})") from e


def _member(archive: Any, name: str, path: str) -> Record:
    try:
        if archive.getinfo(name).file_size > MAX_MEMBER:
            raise ValueError(f"longer than {MAX_MEMBER >> 20} MiB")
        record = parse_line(archive.read(name), 1)
    except NotImplementedError:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        message = f"{path}: compressed with Zstandard, which Python {version} cannot open by itself: pip install "
        raise InputError(message + "'claimx[inspect]', or convert it (inspect log convert --to json)") from None
    except Exception as e:  # damaged in whatever way: each compression has errors of its own
        return Record(1, error=InputError(f"{name}: cannot be read ({e})"))
    return Record(1, record.data, InputError(f"{name}: {record.error}") if record.error else None)


def _zip_reader() -> Any:
    """The module that reads archives: before Python 3.14 Zstandard needs a backport, the extra `inspect`."""
    try:
        return import_module("backports.zstd.zipfile") if sys.version_info < (3, 14) else zipfile
    except ImportError:
        return zipfile


def _is_sample(name: str) -> bool:
    """Of an evaluation's archive only the samples hold conversations."""
    folder, _, _ = name.rpartition("/")
    return folder == "samples" or not any(k in name for k in ("_journal/", "header", "summaries", "reductions"))
