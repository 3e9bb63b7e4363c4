"""Which tool fits: names in any convention, siblings apart, hints, and why."""

from __future__ import annotations

import doctest

import pytest

import claimx.match.kinship
import claimx.match.nouns
import claimx.match.shapes
from claimx.match import rank_tools
from claimx.match.gist import gist_of
from claimx.match.shapes import shape_of
from claimx.match.tools import FITS, Toolset, rank
from claimx.types import Action, Actor, Modality, Tense, TextSpan, Tool
from claimx.verbs import family


def action_of(clause: str, trigger: str, target: str | None = None) -> Action:
    at = clause.index(trigger)
    span = TextSpan(target, clause.index(target), clause.index(target) + len(target)) if target else None
    return Action(
        clause, 0, len(clause), TextSpan(trigger, at, at + len(trigger)), span, family(trigger, target, clause),
        Tense.PAST, Modality.ASSERTED, Actor.AGENT,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "want"),
    [
        ("cancel_booking", "cancel"),
        ("cancelBooking", "cancel"),
        ("booking_cancel", "cancel"),
        ("bookings.cancel", "cancel"),
        ("mcp__stay__cancel_booking", "cancel"),
        ("process_refund", "refund"),
        ("create_refund", "refund"),
        ("make_payment", "pay"),
        ("create_event", "schedule"),
        ("transfer_to_human_agents", "escalate"),
        ("email_customer", "send"),
        ("slack", "send"),
        ("jira", "create"),
        ("get_refund_status", "get"),
        ("list_open_orders", "get"),
        ("laminate_badge", "laminate"),
        ("FHIR_POST", "create"),
    ],
)
def test_a_name_tells_its_deed(tool: str, want: str) -> None:
    assert shape_of(Tool(tool)).families[0] == want


def test_a_description_speaks_for_a_name_that_does_not() -> None:
    assert shape_of(Tool("op_17", "Archive a project and hide it.")).families[0] == "close"
    assert not shape_of(Tool("GetRide", "Book a ride to a place.")).reads


@pytest.mark.parametrize(
    ("clause", "trigger", "target", "tools", "first"),
    [
        ("I updated the address", "updated", "address", ["update_items", "update_address"], "update_address"),
        ("I removed the comment", "removed", "comment", ["delete_account", "delete_comment"], "delete_comment"),
        ("I emailed you", "emailed", None, ["create_ticket", "send_email"], "send_email"),
        ("The meeting was rescheduled", "rescheduled", "meeting", ["create_event", "update_event"], "update_event"),
        ("I dimmed the lamp", "dimmed", "lamp", ["turn_off", "set_brightness"], "set_brightness"),
        ("I checked them for conflicts", "checked", None, ["list_events", "check_conflicts"], "check_conflicts"),
        ("I ran the query", "ran", "query", ["list_tables", "run_query"], "run_query"),
    ],
)
def test_the_fitting_tool_comes_first(
    clause: str, trigger: str, target: str | None, tools: list[str], first: str
) -> None:
    ranked = rank_tools(action_of(clause, trigger, target), [Tool(t) for t in tools])
    assert ranked[0].tool == first
    assert ranked[0].score >= FITS
    assert all(c.reasons for c in ranked)


@pytest.mark.parametrize("tool", ["get_order", "search_orders", "list_orders", "view_order_status"])
def test_a_look_up_never_carries_a_write(tool: str) -> None:
    assert rank_tools(action_of("I cancelled the order", "cancelled", "order"), [Tool(tool)]) == []


def test_a_hint_outranks_what_a_name_says() -> None:
    claim = action_of("I refunded the order", "refunded", "order")
    tools = [Tool("issue_refund"), Tool("zx_41")]
    assert {c.tool: c.score for c in rank_tools(claim, tools, hints={"refund": ["zx_41"]})}["zx_41"] == 1.0


@pytest.mark.parametrize("module", [claimx.match.kinship, claimx.match.nouns, claimx.match.shapes])
def test_doctests_hold(module) -> None:
    assert doctest.testmod(module).failed == 0


def test_a_claim_is_ranked_alike_however_many_came_before() -> None:
    names = (
        "cancel_order order_cancel create_order update_order refund_order send_email send_order_email create_refund get_order "
        "search_orders archive_ticket close_ticket update_ticket assign_ticket add_note approve_refund delete_address"
    )
    shapes = [(n, shape_of(Tool(n, f"{n.replace('_', ' ')} for a customer by email."))) for n in names.split()]
    said = [
        action_of(f"I have {verb} the {thing}{rest}.", verb, thing)
        for verb in ("cancelled", "updated", "sent", "archived", "approved", "looked up")
        for thing in ("order", "ticket", "refund", "parcel", "order email")
        for rest in ("", " for the customer", " by email", " for Nina and her neighbour")
    ]
    tools = Toolset(shapes)
    for _ in range(2):
        for action in said:
            gist = gist_of(action)
            assert tools.rank(action, gist) == rank(action, gist, Toolset(shapes))
