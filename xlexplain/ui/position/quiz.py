"""Check yourself: three questions from the current settings, answered on a table of the keys."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from xlexplain.figures.labels import listed, minus
from xlexplain.figures.position_maps import KeyMap, key_maps, key_table
from xlexplain.figures.position_sentences import key_label
from xlexplain.maths.arrays import IntArray
from xlexplain.maths.questions import Question, questions
from xlexplain.ui import prose
from xlexplain.ui.position import maps
from xlexplain.ui.position.controls import tokens_of
from xlexplain.ui.position.sections import PAGE
from xlexplain.ui.settings import Settings

ROUND_KEY = "quiz-round"
NUMBER_KEY = "quiz-number"
ANSWERS_KEY = "quiz-answers"
SHOWN = {"alike": "encoded", "distance": "distance_from_query", "truth": "error"}


def check_yourself(settings: Settings) -> None:
    """One question at a time; it is marked as soon as it is answered."""
    st.header(prose.section(PAGE, "quiz title"), anchor="check-yourself")
    round_number = st.session_state.get(ROUND_KEY, 0)
    asked = questions(settings.conflict, query=settings.query, round_number=round_number)
    number = st.segmented_control(
        "Question",
        range(len(asked)),
        default=0,
        required=True,
        key=NUMBER_KEY,
        format_func=lambda place: f"{place + 1} {sign(asked[place])}".strip(),
        persist_state="session",
    )
    question = asked[number or 0]
    given = answers().get(name_of(question))
    words = {"query": question.query, "distance": question.distance}
    st.markdown(f"**{prose.section(PAGE, f'quiz {question.kind}', **words)}**")
    show_map(settings, question, given)
    if given is None:
        offer_keys(settings, question)
        return
    is_right = question.is_right(given)
    verdict = st.success if is_right else st.error
    verdict(
        f"**{'Right' if is_right else 'Not quite'}.** {reason(question, given)}",
        icon=":material/check:" if is_right else ":material/close:",
    )
    with st.container(horizontal=True):
        st.button("Try again", on_click=forget, args=(question,))
        st.button("Three new questions", on_click=start_round, args=(round_number + 1,))


def show_map(settings: Settings, question: Question, given: list[int] | None) -> None:
    """The table to click: tokens only at first; what was asked for, once there is an answer."""
    conflict = question.conflict
    keys = key_table(conflict, query=question.query, tokens=tokens_of(settings))
    keys["error"] = conflict.error[question.query]
    if given is None:
        shown = KeyMap("", "", None)
        marks = dict.fromkeys(picks(question), "picked")
    else:
        shown = KeyMap(
            "", prose.section(PAGE, f"quiz caption {question.kind}"), SHOWN[question.kind]
        )
        is_right = question.is_right(given)
        marks = {} if is_right else dict.fromkeys(question.answer(), "right")
        marks |= dict.fromkeys(given, "right" if is_right else "wrong")
    html = key_maps(
        keys,
        [shown],
        query=question.query,
        palette=settings.palette,
        signs=("query", "ahead"),
        marks=marks,
    )
    maps.show(html, key="quiz-map", on_choose=lambda key: pick(question, key))


def offer_keys(settings: Settings, question: Question) -> None:
    """The keys in a list, for readers who do not click."""
    tokens = tokens_of(settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            "Your answer: two keys" if question.picks == 2 else "Your answer: one key",
            range(question.conflict.key_count),
            key=picks_key(question),
            format_func=lambda key: key_label(question.conflict, key, tokens),
            max_selections=question.picks,
            select_all=False,  # an answer that nobody means
            placeholder="Click cells above, or choose here",
            width=480,
            on_change=take_picks,
            args=(question,),
        )
        if question.kind == "alike":
            st.button("There are none", on_click=answer, args=(question, []))


def picks_key(question: Question) -> str:
    """Where the session keeps the keys picked so far."""
    return f"quiz-picks {name_of(question)}"


def picks(question: Question) -> list[int]:
    """The keys picked so far."""
    return list(st.session_state.get(picks_key(question), []))


def pick(question: Question, key: int) -> None:
    """After a click on a cell: pick it, or leave it after all."""
    if name_of(question) in answers():
        return
    before = picks(question)
    after = [one for one in before if one != key] if key in before else [*before, key]
    st.session_state[picks_key(question)] = after
    take_picks(question)


def take_picks(question: Question) -> None:
    """As many keys as were asked for are an answer."""
    picked = picks(question)
    if len(picked) == question.picks:
        answer(question, picked)
        st.session_state[picks_key(question)] = []


def answers() -> dict[str, list[int]]:
    """This reader's answers by question."""
    stored: dict[str, list[int]] = st.session_state.setdefault(ANSWERS_KEY, {})
    return stored


def answer(question: Question, keys: list[int]) -> None:
    """Keep an answer."""
    answers()[name_of(question)] = keys


def forget(question: Question) -> None:
    """Ask again."""
    answers().pop(name_of(question), None)


def start_round(round_number: int) -> None:
    """Three new questions."""
    st.session_state[ROUND_KEY] = round_number
    st.session_state[NUMBER_KEY] = 0


def name_of(question: Question) -> str:
    """A question's name; another setting or another query is another question."""
    conflict = question.conflict
    return (
        f"{question.kind} {conflict.segment_length} {conflict.memory_depth} "
        f"{question.query} {question.distance}"
    )


def sign(question: Question) -> str:
    """✓, ✗, or nothing for a question without an answer yet."""
    given = answers().get(name_of(question))
    if given is None:
        return ""
    return "✓" if question.is_right(given) else "✗"


def reason(question: Question, given: Sequence[int]) -> str:
    """Why the answer is right or not, with the numbers."""
    conflict, i = question.conflict, question.query
    hidden = [key for key in given if conflict.distance[i, key] < 0]
    if hidden:
        ahead = int(-conflict.distance[i, hidden[0]])
        return prose.section(PAGE, "because hidden", query=i, ahead=ahead)
    right, is_right = question.answer(), question.is_right(given)
    title = f"because {question.kind}{'' if is_right else ' not'}"
    if question.kind == "alike" and not given:
        title = "because none" if is_right else "because some"
    elif question.kind == "alike" and not right:
        title = "because alike never"
    key = given[0] if given else 0

    def all_of(values: IntArray, keys: Sequence[int]) -> str:
        return listed([values[one] for one in keys]) if keys else ""

    return prose.section(
        PAGE,
        title,
        query=i,
        told=all_of(conflict.encoded, given),
        position_given=conflict.encoded[key],
        back=all_of(conflict.distance[i], given),
        position=conflict.encoded[right[0]] if right else "",
        right_back=all_of(conflict.distance[i], right),
        M=conflict.memory_length,
        L=conflict.segment_length,
        key=key,
        right_key=right[0] if right else "",
        distance=question.distance,
        key_distance=conflict.distance[i, key],
        ago=conflict.segments_ago[key],
        error=conflict.error[i, key],
        said=minus(conflict.encoded_distance[i, key]),
    )
