"""Values to put into slots: every format in use, from a seeded generator. All names and numbers are invented."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from datetime import date, timedelta

FIRST = (
    "Amara Yusuf Ingrid Mateo Priya Kenji Lucía Oluwaseun Fatima Björn Chloé Dmitri Aisha Tomás Mei-Ling Rajesh Zofia Kwame "
    "Leila Sven Nadia Hiroshi Camila Ahmed Saoirse Giulia Thabo Elif Marek Noor Ana Viktor Siobhan Jun Farah Diego Hana Pavel "
    "Grace Omar Ruth Caleb Iris Nia Owen Tess Wanda Felix Bruno Maya"
).split()
LAST = (
    "Okafor Lindqvist Fernández Nakamura Haddad Kowalczyk Sharma Dlamini O'Neill Moreau Petrov Yilmaz Van-Dijk Castellanos Nguyen "
    "Abebe Rossi Halvorsen Chukwu Iyer Sato Becker Farouk Quispe Mensah Larsen Takahashi Duarte Novak Amin Castle Whitlock Brandt "
    "Osei Paredes Kimura Varga Eriksen Tanaka Bello Marsh Holloway Stone Ferrer Baptiste"
).split()
HOSTS = (
    "example.com example.org example.net mail.example acme.example northwind.example corp.example inbox.example".split()
)
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
PRODUCTS = (
    "Aurora desk lamp|Trailhead 40 backpack|Nimbus Pro headphones|Cedar bookshelf|QuietBrew kettle|Vela yoga mat|Orbit smart plug|"
    "Basalt frying pan|Luma e-reader|Fjord parka|Pixelwood frame|Tundra cooler|Solace pillow|Comet scooter|Atlas Standing Desk|"
    "Harbor Linen Sheets|Kite drone|Moss planter|Echo Valley honey|Rivet toolbox"
).split("|")
PLANS = "Basic|Plus|Pro|Premium|Business|Enterprise|Family|Student|Gold|Silver|Platinum|Starter|Team|Unlimited Max|economy|business".split(
    "|"
)
PLACES = "Lisbon|Nairobi|Osaka|Porto Alegre|Tromsø|Leeds|Austin|Jaipur|Gdańsk|Adelaide|LHR|SFO|NRT|CDG|GRU|Gate B14|Room 204|Terminal 3".split(
    "|"
)
FILES = (
    "src/auth/session.py|README.md|app/models/user.rb|lib/parser.ts|config/settings.yaml|docker-compose.yml|tests/test_billing.py|"
    "api/routes.go|index.html|migrations/0042_add_index.sql|utils.js|main.tf|package.json|Cargo.toml|.github/workflows/ci.yml|"
    "~/reports/q3.xlsx|/etc/nginx/nginx.conf|notebooks/churn.ipynb|C:\\data\\orders.csv|handler.ts"
).split("|")
CHANNELS = "#general|#ops-alerts|#design|#release-notes|@dana|#support-tier2|Slack|WhatsApp|Teams|Trello".split("|")
ORGS = "Brightwater Ltd|Kestrel Logistics|Helio Bank|Marlow & Finch|Ostrava GmbH|Pinecrest Clinic|Vantage Motors|Tideline Foods".split(
    "|"
)


def _letters(rng: random.Random, n: int, alphabet: str = string.ascii_uppercase) -> str:
    return "".join(rng.choice(alphabet) for _ in range(n))


def _digits(rng: random.Random, n: int) -> str:
    return str(rng.randint(1, 9)) + "".join(rng.choice(string.digits) for _ in range(n - 1))


def make_id(rng: random.Random) -> str:
    """An identifier of any shape in use."""
    shape = rng.randrange(20)
    upper = string.ascii_uppercase + string.digits
    if shape == 0:
        return "#" + _digits(rng, rng.randint(3, 8))
    if shape == 1:
        return "#W" + _digits(rng, 7)
    if shape in (2, 3):
        return f"{_letters(rng, rng.randint(2, 4))}-{_digits(rng, rng.randint(3, 7))}"
    if shape == 4:
        return _digits(rng, rng.randint(4, 12))
    if shape == 5:
        return _letters(rng, 6, upper)
    if shape == 6:
        return "-".join(_letters(rng, n, "0123456789abcdef") for n in (8, 4, 4, 4, 12))
    if shape == 7:
        return _letters(rng, rng.choice([7, 8, 10]), "0123456789abcdef")
    if shape == 8:
        return f"{rng.choice(['credit_card', 'gift_card', 'paypal', 'user', 'ord', 'cus', 'pi'])}_{_digits(rng, 7)}"
    if shape == 9:
        return f"{rng.choice(FIRST).lower()}_{rng.choice(LAST).lower().split(chr(39))[0]}_{_digits(rng, 4)}"
    if shape == 10:
        return _letters(rng, 3) + _digits(rng, 3)
    if shape == 11:
        return "1Z" + _letters(rng, 16, upper)
    if shape == 12:
        return f"{_letters(rng, 4)}-{rng.randint(2023, 2027)}-{_digits(rng, 5)}"
    if shape == 13:
        return f"INV{rng.randint(2023, 2027)}{_digits(rng, 4)}"
    if shape == 14:
        return _digits(rng, 4)
    if shape == 15:
        return f"{_letters(rng, 2)}{_digits(rng, 2)} {_digits(rng, 4)} {_digits(rng, 4)}"
    if shape == 16:
        return f"#{_letters(rng, 3)}-{_digits(rng, 4)}"
    if shape == 17:
        return f"evt_{_letters(rng, 10, string.ascii_letters + string.digits)}"
    if shape == 18:
        return _letters(rng, 2) + _digits(rng, rng.randint(6, 9))
    return f"{_letters(rng, 1)}{_digits(rng, 5)}"


def make_money(rng: random.Random) -> str:
    """An amount with its currency, in signs, codes or words and several groupings."""
    x = rng.choice([rng.uniform(1, 100), rng.uniform(100, 2000), rng.uniform(1000, 90000)])
    cents, whole = f"{x:,.2f}", f"{int(x):,}"
    shape = rng.randrange(16)
    if shape < 5:
        return "$" + cents
    if shape < 7:
        return "$" + whole
    if shape == 7:
        return rng.choice("€£₹¥") + (cents if rng.random() < 0.6 else whole)
    if shape == 8:
        return f"{cents} {rng.choice(['USD', 'EUR', 'GBP', 'CHF', 'INR', 'AUD', 'SEK'])}"
    if shape == 9:
        return f"{rng.choice(['USD', 'EUR', 'GBP', 'CAD', 'NGN'])} {whole}"
    if shape == 10:
        return "€" + cents.translate(str.maketrans(",.", ".,"))
    if shape == 11:
        return cents.translate(str.maketrans(",.", " ,")) + " €"
    if shape == 12:
        return f"{whole} {rng.choice(['dollars', 'euros', 'pounds', 'rupees'])}"
    if shape == 13:
        return f"{rng.choice(WORDS[2:])} {rng.choice(['dollars', 'euros', 'pounds'])}"
    if shape == 14:
        return f"{rng.choice('-+')}${cents}"
    return f"${x / 1000:.1f}k" if x > 1000 else f"${cents}"


def make_date(rng: random.Random) -> str:
    """A date in any common absolute or relative form."""
    d = date(2025, 1, 1) + timedelta(days=rng.randint(0, 900))
    month = MONTHS[d.month - 1]
    th = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}.get(d.day, "th")
    return rng.choice(
        [
            d.isoformat(), f"{month} {d.day}, {d.year}", f"{month} {d.day}", f"{d.day} {month}", f"{d.day} {month} {d.year}",
            f"{month[:3]} {d.day}", f"{DAYS[d.weekday()]}, {month} {d.day}", f"{DAYS[d.weekday()]}", f"next {DAYS[d.weekday()]}",
            f"{month} {d.day}{th}", f"{d.month}/{d.day}/{d.year}", f"{d.day:02d}.{d.month:02d}.{d.year}", "today", "tomorrow",
            "yesterday", f"{d.day}{th} of {month}", f"{DAYS[d.weekday()]} {d.day} {month}", f"the {d.day}{th}", f"{month} {d.year}",
        ]
    )  # fmt: skip


def make_time(rng: random.Random) -> str:
    """A clock time, sometimes with its zone."""
    h, m = rng.randint(0, 23), rng.choice([0, 0, 15, 30, 45, rng.randint(0, 59)])
    half = f"{(h - 1) % 12 + 1}:{m:02d}"
    ap = "AM" if h < 12 else "PM"
    zone = rng.choice(["", "", "", " EST", " CET", " UTC", " PT"])
    return rng.choice(
        [
            f"{half} {ap}",
            f"{half}{ap.lower()}",
            f"{(h - 1) % 12 + 1} {ap.lower()}",
            f"{h:02d}:{m:02d}",
            f"{half} {ap.lower()}",
            "noon",
        ]
    ) + (zone if rng.random() < 0.3 else "")


def make_duration(rng: random.Random) -> str:
    """A length of time, single or as a range."""
    n = rng.randint(2, 48)
    unit = rng.choice(
        ["minutes", "hours", "days", "weeks", "months", "seconds", "business days", "nights", "working days"]
    )
    low = rng.randint(1, 7)
    return rng.choice(
        [f"{n} {unit}", f"{low}-{low + 2} {unit}", f"{low} to {low + 3} {unit}", f"{rng.choice(WORDS[2:])} {unit}",
         f"{n}ms", f"{n} min", f"{low}–{low + 2} {unit}", f"{n}s", "an hour", f"{n / 10:.1f} seconds"]
    )  # fmt: skip


def make_count(rng: random.Random) -> str:
    """How many: digits or words."""
    return rng.choice(
        [str(rng.randint(1, 20)), str(rng.randint(2, 999)), rng.choice(WORDS[1:]), f"{rng.randint(1000, 99999):,}"]
    )


def make_percent(rng: random.Random) -> str:
    """A percentage."""
    n = rng.choice([rng.randint(1, 100), round(rng.uniform(0.1, 99.9), 1)])
    return rng.choice([f"{n}%", f"{n}%", f"{n} %", f"{n} percent"])


def make_contact(rng: random.Random) -> str:
    """An e-mail address, a phone number or a web address."""
    a, b = rng.choice(FIRST).lower(), rng.choice(LAST).lower().replace("'", "")
    tail = f"{rng.randint(100, 999)}-01{rng.randint(10, 99)}"
    return rng.choice(
        [f"{a}.{b}@{rng.choice(HOSTS)}", f"{a}{rng.randint(1, 9999)}@{rng.choice(HOSTS)}", f"{a[0]}{b}@{rng.choice(HOSTS)}",
         f"support@{rng.choice(HOSTS)}", f"+1 {rng.randint(200, 989)} {tail}", f"({rng.randint(200, 989)}) {tail}",
         f"+44 20 7946 0{rng.randint(100, 999)}", f"https://{rng.choice(HOSTS)}/{b}/{rng.randint(1, 99)}",
         f"www.{rng.choice(HOSTS)}", f"{rng.randint(200, 989)}-{tail}"]
    )  # fmt: skip


def make_person(rng: random.Random) -> str:
    """A person or party by name."""
    a, b = rng.choice(FIRST), rng.choice(LAST)
    return rng.choice([f"{a} {b}", f"{a} {b}", a, f"Dr. {b}", f"Ms. {b}", rng.choice(ORGS)])


def make_name(rng: random.Random) -> str:
    """Another named thing: product, file, place, plan, channel."""
    street = f"{rng.randint(1, 999)} {rng.choice(['Maple', 'Harbour', 'Elm', 'Station', 'Birch'])} {rng.choice(['Street', 'Road', 'Lane', 'Ave'])}"
    return rng.choice(
        [rng.choice(PRODUCTS), rng.choice(PLANS), rng.choice(PLACES), rng.choice(FILES), rng.choice(CHANNELS), street]
    )


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "ID": make_id, "MONEY": make_money, "DATE": make_date, "TIME": make_time, "DURATION": make_duration, "COUNT": make_count,
    "PERCENT": make_percent, "CONTACT": make_contact, "PERSON": make_person, "NAME": make_name,
}  # fmt: skip
