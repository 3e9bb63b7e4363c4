"""Tools that are called after a thing alone (`ticket`, `crm.contact`, `calendar_event`): their arguments tell what a call did.

Such a call can only bear a claim out, or be what failed: that none was made says nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from claimx.match.call import Call
from claimx.match.fields import is_object, unwrapped
from claimx.match.gist import Gist
from claimx.match.nouns import fold_noun
from claimx.values.keys import parts_of
from claimx.verbs import READING

_THINGS = frozenset(
    "ticket contact event invoice order note task booking reservation appointment reminder case issue lead deal document comment account "
    "customer subscription incident record entry page product meeting todo lesson visit quote shipment label project".split()
)
#: What things are kept in or belong to.
_BESIDE = _THINGS | frozenset(
    "crm calendar support helpdesk customer user team sales shop store service jira zendesk hubspot salesforce".split()
)
_BASES = frozenset(
    "open create add log file raise register schedule record save enter note book set draft put make".split()
)
#: How well such a call fits.
_FIT = 0.8


@lru_cache(maxsize=4096)
def thing_of(tool: str) -> str | None:
    """The thing that a tool is called after and nothing else, folded; None for every other name.

    >>> thing_of("ticket"), thing_of("crm.contact") == fold_noun("contact"), thing_of("cancel_order"), thing_of("order_status")
    ('ticket', True, None, None)
    """
    words = parts_of(tool.rsplit("__", 1)[-1])
    if not words or words[-1] not in _THINGS or not all(w in _BESIDE for w in words):
        return None
    return fold_noun(words[-1])


_KEY = re.compile(r"(?:^|_)(?:id|ids|number|no|ref|key|uuid|code)$|[a-z]Id$")


def bare_noun_fit(gist: Gist, call: Call) -> float:
    """How well a call of a tool that is called after a claim's thing fits it: it made what is told as made, or showed what was
    looked up."""
    args = call.entry.args
    if not is_object(args) or not call.entry.captured:
        return 0.0
    gives = any(v not in (None, "", [], {}) for k, v in args.items() if not _KEY.search(str(k)))
    if gist.verb in READING:
        result = unwrapped(call.entry.result)
        return _FIT if args and not gives and isinstance(result, dict) and len(result) > 1 else 0.0
    return _FIT if gives and gist.base in _BASES else 0.0
