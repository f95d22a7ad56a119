"""Check yourself: three questions from the current settings, answered on a map of their own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from xlexplain.figures.labels import listed
from xlexplain.maths.questions import Question, questions
from xlexplain.ui import prose
from xlexplain.ui.component import reported
from xlexplain.ui.position_maps import LEGEND, Behaviour, PositionMap, position_maps
from xlexplain.ui.position_view import PositionView
from xlexplain.ui.position_words import PAGE, signed

MAP_KEY = "quiz-map"
ROUND_KEY = "quiz-round"
NUMBER_KEY = "quiz-number"
ANSWERS_KEY = "quiz-answers"


def check_yourself(view: PositionView) -> None:
    """One question at a time; it is marked as soon as it is answered."""
    st.header(prose.section(PAGE, "quiz title"), anchor="check-yourself")
    round_number = st.session_state.get(ROUND_KEY, 0)
    asked = questions(view.conflict, query=view.query, round_number=round_number)
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
    st.markdown(f"**{ask(question)}**")
    draw_map(view, question, given=given)
    if given is None:
        if question.kind == "alike":
            st.button("There are none", on_click=answer, args=(question, []))
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


def draw_map(view: PositionView, question: Question, *, given: Sequence[int] | None) -> None:
    """The map to click: tokens only at first; what was asked for, once there is an answer."""
    conflict = question.conflict
    marks: dict[int, str] = {}
    if given is not None:
        marks = dict.fromkeys(question.answer(), "right")
        is_right = question.is_right(given)
        marks |= dict.fromkeys(given, "right" if is_right else "wrong")
        if is_right:
            marks = dict.fromkeys(given, "right")
    values = [""] * conflict.key_count
    if given is not None:
        shown = {
            "alike": conflict.encoded,
            "distance": conflict.distance[question.query],
            "truth": conflict.error[question.query],
        }[question.kind]
        values = [signed(int(value)) for value in shown]
    position_maps(
        conflict,
        [
            PositionMap(
                name="",
                caption=prose.section(PAGE, f"quiz caption {question.kind}") if marks else "",
                spoken="key" if given is None else question.kind,
                values=values,
            )
        ],
        tokens=view.tokens,
        query=question.query,
        chosen=None,
        palette=view.palette,
        key=MAP_KEY,
        behaviour=Behaviour(
            linked=False,
            picks=question.picks if given is None else 0,
            question=name_of(question),
            marks=marks,
            legend={sign: LEGEND[sign] for sign in ("query", "ahead")},
        ),
        on_choose=lambda: take_answer(question),
    )


def take_answer(question: Question) -> None:
    """After the last click on the map."""
    chosen = reported(MAP_KEY, "chosen")
    if chosen is not None:
        answer(question, chosen if isinstance(chosen, list) else [chosen])


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


def ask(question: Question) -> str:
    """The question in words."""
    return prose.section(
        PAGE, f"quiz {question.kind}", query=question.query, distance=question.distance
    )


def reason(question: Question, given: Sequence[int]) -> str:
    """Why the answer is right or not, with the numbers."""
    conflict, i = question.conflict, question.query
    hidden = [key for key in given if conflict.distance[i, key] < 0]
    if hidden:
        return prose.section(
            PAGE, "because hidden", query=i, ahead=int(-conflict.distance[i, hidden[0]])
        )
    right = question.answer()
    is_right = question.is_right(given)
    told = listed([int(conflict.encoded[key]) for key in given]) if given else ""
    back = listed([int(conflict.distance[i, key]) for key in given]) if given else ""
    title = f"because {question.kind}{'' if is_right else ' not'}"
    if question.kind == "alike" and not given:
        title = "because none" if is_right else "because some"
    elif question.kind == "alike" and not right:
        title = "because alike never"
    key = given[0] if given else 0
    return prose.section(
        PAGE,
        title,
        query=i,
        told=told,
        position_given=int(conflict.encoded[key]),
        back=back,
        position=int(conflict.encoded[right[0]]) if right else "",
        right_back=listed([int(conflict.distance[i, one]) for one in right]) if right else "",
        M=conflict.memory_length,
        L=conflict.segment_length,
        key=key,
        right_key=right[0] if right else "",
        distance=question.distance,
        key_distance=int(conflict.distance[i, key]),
        ago=int(conflict.segments_ago[key]),
        error=int(conflict.error[i, key]),
        said=signed(int(conflict.encoded_distance[i, key])),
    )
