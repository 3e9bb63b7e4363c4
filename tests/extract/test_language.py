"""Text in another language is never passed as checked; English full of names, code and figures is never refused."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import claimx.extract.language
from claimx.extract.language import foreign_stretches

FOREIGN = [
    ("de", "Ich habe Ihre Bestellung storniert und den Betrag von 64 € erstattet."),
    ("de", "Erledigt! Der Termin am Dienstag wurde verschoben und alle Teilnehmer sind informiert."),
    ("es", "He cancelado su pedido y le he devuelto 64 € a su tarjeta."),
    ("es", "Listo, la reserva quedó confirmada para el martes y ya envié el correo."),
    ("fr", "J'ai annulé votre commande et remboursé 64 € sur votre carte."),
    ("fr", "C'est fait : le rendez-vous a été déplacé à mardi et tout le monde est prévenu."),
    ("nl", "Ik heb uw bestelling geannuleerd en het bedrag van 64 euro teruggestort."),
    ("nl", "De afspraak is verzet naar dinsdag en iedereen heeft een bericht gekregen."),
    ("pt", "Cancelei o seu pedido e devolvi 64 € ao seu cartão."),
    ("pt", "Pronto, a reserva foi alterada para terça-feira e o e-mail já foi enviado."),
    ("zh", "我已经取消了您的订单，并将64元退回到您的银行卡。"),
    ("ja", "ご注文をキャンセルし、64ドルを返金いたしました。"),
    ("it", "Ho annullato il suo ordine e rimborsato 64 € sulla sua carta."),
    ("pl", "Anulowałem zamówienie i zwróciłem 64 zł na kartę."),
    ("ru", "Я отменил ваш заказ и вернул деньги на карту."),
    ("ko", "주문을 취소하고 64달러를 환불했습니다."),
    ("ar", "لقد ألغيت طلبك وأعدت المبلغ إلى بطاقتك."),
]

ENGLISH = [
    "Done.",
    "Refund issued: $64",
    "Cancelled order #W4821.",
    "- Jürgen Groß\n- Zoë Ångström\n- François Lefèvre",
    "I've invited José, Nguyễn Thị Hoa and Владимир to the call.",
    "Booked: Hotel Zur Alten Post, Garmisch-Partenkirchen, 2 nights",
    "| ID | Status |\n|---|---|\n| 4821 | closed |\n| 4822 | open |",
    "Pushed `fix/größe-umrechnen` to origin.",
    "ok, sent!",
    "Merged PR #42, deployed v2.3.1 to staging, lint clean.",
]


@pytest.mark.parametrize(("code", "text"), FOREIGN, ids=[f"{c}-{i}" for i, (c, _) in enumerate(FOREIGN)])
def test_a_foreign_reply_is_foreign_as_a_whole(code: str, text: str) -> None:
    main, stretches = foreign_stretches(text)
    assert main != "en"
    assert sum(e - s for s, e in stretches) >= len(text.strip()) - 2
    # Close relatives may be taken for each other; what matters is that none is taken for English.
    assert main == code or {main, code} <= {"es", "pt", "it"} or {main, code} <= {"nl", "de"}


@pytest.mark.parametrize("text", ENGLISH)
def test_names_figures_and_code_do_not_make_english_foreign(text: str) -> None:
    assert foreign_stretches(text)[1] == ()


@pytest.mark.parametrize(("code", "text"), FOREIGN, ids=[f"{c}-{i}" for i, (c, _) in enumerate(FOREIGN)])
def test_of_a_mixed_reply_only_the_foreign_part_is_marked(code: str, text: str) -> None:
    english = "I've cancelled your order and sent the receipt to your address."
    mixed = f"{english}\n\n{text}"
    _, stretches = foreign_stretches(mixed)
    assert stretches
    assert all(s >= len(english) for s, _ in stretches)


def read_cases() -> dict[str, list[str]]:
    """The parts of `cases/languages.txt` by their headings."""
    parts: dict[str, list[str]] = {}
    lines: list[str] = []
    path = Path(__file__).parent.parent / "cases" / "languages.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            lines = parts.setdefault(line.removeprefix("== "), [])
        elif line and not line.startswith("# Short") and not line.startswith("# languages"):
            lines.append(line.replace("\\n", "\n"))
    return parts


CASES = read_cases()


def test_the_lists_of_short_replies_are_long() -> None:
    assert {k: len(v) >= n for (k, v), n in zip(CASES.items(), (250, 60, 200, 60), strict=True)} == dict.fromkeys(
        CASES, True
    )


@pytest.mark.parametrize("part", ["english", "english, held out"])
def test_short_english_replies_are_not_refused(part: str) -> None:
    """Dishes of other kitchens and titles of songs are all that may be taken for another language."""
    refused = [t for t in CASES[part] if foreign_stretches(t)[1]]
    assert len(refused) <= len(CASES[part]) // 80, refused


@pytest.mark.parametrize("part", ["foreign", "foreign, held out"])
def test_short_replies_in_other_languages_do_not_pass(part: str) -> None:
    passed = [t for t in CASES[part] if not foreign_stretches(t)[1]]
    assert len(passed) <= len(CASES[part]) // 100, passed


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"estado": "cancelado", "motivo": "el cliente lo pidió"}\n```\nSent.',
        "Buy 2 Crème brûlée and a café au lait.",
        "Booked Hôtel de Crillon, Place de la Concorde",
    ],
)
def test_code_loanwords_and_addresses_are_no_other_language(text: str) -> None:
    assert foreign_stretches(text)[1] == ()


@pytest.mark.parametrize("text", ["```\nIch habe Ihre Bestellung storniert.\n```", "OK.\nPedido cancelado."])
def test_foreign_text_in_plain_fences_or_behind_an_english_word_is_marked(text: str) -> None:
    assert foreign_stretches(text)[1]


def test_letters_of_no_prose_are_not_called_english() -> None:
    main, stretches = foreign_stretches("𝐈 𝐡𝐚𝐯𝐞 𝐫𝐞𝐟𝐮𝐧𝐝𝐞𝐝 𝐲𝐨𝐮")
    assert main == "und"
    assert stretches


def test_the_docs_examples_hold() -> None:
    assert doctest.testmod(claimx.extract.language).failed == 0
