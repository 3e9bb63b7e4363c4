"""What identifies by its form: found where it stands, left alone where it is something else, and given a valid stand-in."""

from __future__ import annotations

import ipaddress
from datetime import date

import pytest

from claimx.redact.form_stand_ins import FormStandIns, exchange_births
from claimx.redact.forms import Form, births_in, forms_in, is_card
from claimx.redact.stand_ins import StandIns

KEY = b"0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("moved to 14 Birch Lane today", ["14 Birch Lane"]),
        ("at 27 Elm St. and 1200 N. Oak Ave", ["27 Elm St.", "1200 N. Oak Ave"]),
        ("221B Baker Street, Flat 2", ["221B Baker Street, Flat 2"]),
        ("350 5th Avenue, Suite 300", ["350 5th Avenue, Suite 300"]),
        ("the user typed 14 birch lane", ["14 birch lane"]),
        ("Lindenstraße 27, 10115 Berlin", ["Lindenstraße 27"]),
        ("am Berliner Platz 3 und Hauptstr. 12a", ["Berliner Platz 3", "Hauptstr. 12a"]),
        ("12 rue de la République", ["12 rue de la République"]),
        ("Calle de Alcalá 48 and Via Roma, 7", ["Calle de Alcalá 48", "Via Roma, 7"]),
        ("P.O. Box 4417", ["P.O. Box 4417"]),
        ("SW1A 2AA", ["SW1A 2AA"]),
        ("I put 3 orders on the way and 2 Large Pizzas", []),
        ("It costs $12 Main items; 24 Hour Service", []),
        ("5 test drives, 2 court dates, 1 hard drive", []),
        ("The plan has 30 Days of Support", []),
    ],
)
def test_streets(text: str, found: list[str]) -> None:
    assert [t for form, t in forms_in(text) if form is Form.ADDRESS] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from 203.0.113.24.", [(Form.IP4, "203.0.113.24")]),
        ("10.20.30.40:8080 and 10.1.2.0/24", [(Form.IP4, "10.20.30.40"), (Form.IP4, "10.1.2.0")]),
        ("fe80::1 and 2001:DB8:0:0:8:800:200C:417A", [(Form.IP6, "fe80::1"), (Form.IP6, "2001:DB8:0:0:8:800:200C:417A")]),
        ("00-1b-44-11-3a-b7", [(Form.MAC, "00-1b-44-11-3a-b7")]),
        ("IBAN GB29 NWBK 6016 1331 9268 19", [(Form.IBAN, "GB29 NWBK 6016 1331 9268 19")]),
        ("FI2112345600000785", [(Form.IBAN, "FI2112345600000785")]),
        ("card 3782 822463 10005", [(Form.CARD, "3782 822463 10005")]),
        ("licence plate: 7ABC123", [(Form.PLATE, "7ABC123")]),
        ("AB12 CDE and HH-AB 1234", [(Form.PLATE, "AB12 CDE"), (Form.PLATE, "HH-AB 1234")]),
        ("at 48.8566° N, -2.3522° E", [(Form.COORDINATE, "48.8566"), (Form.COORDINATE, "2.3522")]),
        ("https://github.com/jdoe42/app", [(Form.HANDLE, "jdoe42")]),
        ("ssh://deploy_kim:hunter2@box.example/x", [(Form.HANDLE, "deploy_kim"), (Form.HANDLE, "hunter2")]),
        ("https://x.example/~kim.lee?user=kim-lee", [(Form.HANDLE, "kim.lee"), (Form.HANDLE, "kim-lee")]),
        ("v1.2.3.4, 1.2.3, 999.1.1.1, 127.0.0.1, 12:30:45, std::vec, ::1, ab::c3", []),
        ("https://shop.example/users/me and /users/42", []),
        ("3.14159 and 2.718 are numbers; plate the dish", []),
        ("order 4111 1111 1111 1112", []),
        ("at 12:30:45 on 12.03.2026", []),
    ],
)  # fmt: skip
def test_networks_accounts_and_the_rest(text: str, found: list[tuple[Form, str]]) -> None:
    assert list(forms_in(text)) == found


@pytest.mark.parametrize("address", ["1.2.3.4", "10.0.0.7", "10.20.30.4", "10.20.30.40", "203.0.113.24", "198.51.100.7", "91.198.174.192",
    "100.200.100.200", "fe80::1", "2001:db8::1", "2001:db8:85a3::8a2e:370:7334", "fe80::1234:5678", "2001:0db8:0000:0042:0000:8a2e:0370:7334",
    "2001:db8:1111:2222:3333:4444:5555:66"])  # fmt: skip
def test_a_network_address_becomes_a_valid_one_of_its_length_that_reaches_nobody(address: str) -> None:
    form = Form.IP6 if ":" in address else Form.IP4
    for key in range(30):
        made = FormStandIns(StandIns(bytes([key]) * 16)).of(form, address)
        assert len(made) == len(address)
        assert made != address
        assert not ipaddress.ip_address(made).is_global


def test_stand_ins_keep_form_and_are_the_same_however_they_are_spaced() -> None:
    make = FormStandIns(StandIns(KEY))
    spaced, bare = make.of(Form.IBAN, "GB29 NWBK 6016 1331 9268 19"), make.of(Form.IBAN, "GB29NWBK60161331926819")
    assert spaced.replace(" ", "") == bare
    assert bare[:2] == "GB"
    assert "NWBK" not in bare
    assert make.of(Form.MAC, "00:1B:44:11:3A:B7").replace(":", "-").lower() == make.of(Form.MAC, "00-1b-44-11-3a-b7")
    assert make.of(Form.ADDRESS, "350 5th Avenue").endswith(" Avenue")
    assert make.of(Form.ADDRESS, "Lindenstraße 27").partition(" ")[0].endswith("straße")
    assert make.of(Form.ADDRESS, "14 Birch Lane, Ely").startswith(make.of(Form.ADDRESS, "14 Birch Lane"))


@pytest.mark.parametrize(
    ("text", "key", "count"),
    [("born on 12 March 1985", "", 1), ("DOB: 03/12/1985", "", 1), ("1985-03-12", "date_of_birth", 1), ("1985-03-12", "birthDate", 1),
     ("The trip starts on 12 March 2026", "", 0), ("2026-03-12", "due_date", 0), ("reborn 2026-03-12", "", 0)],
)  # fmt: skip
def test_days_of_birth(text: str, key: str, count: int) -> None:
    assert len(list(births_in(text, key=key))) == count


def test_a_day_of_birth_is_the_same_other_day_in_every_form() -> None:
    forms = ["1985-03-12", "12 March 1985", "March 12th, 1985", "12.03.1985", "3/12/1985", "Mar 12, 1985"]
    made = {date(1985, 3, 12): date(1971, 3, 23)}
    wanted = ["1971-03-23", "23 March 1971", "March 23rd, 1971", "23.03.1971", "3/23/1971", "Mar 23, 1971"]
    used: dict[str, str] = {}
    assert [exchange_births(f, made, used) for f in forms] == wanted
    assert used == dict(zip(forms, wanted, strict=True))
    assert exchange_births("due 1985-03-13", made, {}) == "due 1985-03-13"
    day = FormStandIns(StandIns(KEY)).birth(date(1985, 3, 12))
    assert (day.month, len(str(day.day))) == (3, 2)
    assert day != date(1985, 3, 12)


def test_card_numbers_by_their_check_digit() -> None:
    assert is_card("4111 1111 1111 1111")
    assert not is_card("4111 1111 1111 1112")
