"""The reader without spaCy finds what the extractor finds."""

from __future__ import annotations

import pytest

from claimx.errors import ModelError
from claimx.extract import Extractor
from claimx.extract.direct import DirectReader

TEXTS = [
    "",
    "I've refunded $84.50 for order HB-20417 and e-mailed dana@example.com on 5 March.",
    "Ich habe Ihnen 64 Euro erstattet und eine E-Mail gesendet.",
    "I ran the tests 🎉 and pushed \ud83d to main.",
]


@pytest.mark.model
def test_both_readers_agree() -> None:
    direct, extractor = DirectReader(), Extractor()
    assert direct.extract_many(TEXTS) == extractor.extract_many(TEXTS)


def test_a_missing_model_is_named() -> None:
    with pytest.raises(ModelError, match="no model folder at nowhere"):
        DirectReader("nowhere").extract_full("Hi")
