"""The segment-recurrence page through app.py, without a browser."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import HARD_TEXTS, OpenPage
from tests.pages.drawn import component, frame_traces, sent
from tests.serving import ROOT
from xlexplain.figures.recurrence_reach import Recurrence
from xlexplain.maths import reach
from xlexplain.ui import address, frame
from xlexplain.ui.recurrence import first_screen
from xlexplain.ui.texts import SAMPLES, visible

NAME = "segment_recurrence"


def traces_of(app: AppTest) -> dict[str, Any]:
    """The traces of the streaming figure by name, as the shown frame has them."""
    given = sent(app, "recurrence")
    return {trace["name"]: trace for trace in frame_traces(given["figure"], given["frame"])}


def finding_of(app: AppTest) -> str:
    given = sent(app, "recurrence")
    title: str = given["titles"][given["frame"]][0]
    return title


def letters_of(app: AppTest) -> list[str]:
    letters: list[str] = [html.unescape(one) for one in traces_of(app)["letters"]["text"]]
    return letters


def curves_of(app: AppTest) -> list[dict[str, Any]]:
    curves: list[dict[str, Any]] = sent(app, "influence")["figure"]["data"]
    return curves


def border_of(app: AppTest) -> int:
    """How far back the measured influence reaches, by the figure's title."""
    (title, _), *_ = sent(app, "influence")["titles"]
    found = re.search(r"the formula says: (\d+) tokens? back", title)
    assert found
    return int(found[1])


def words_of(app: AppTest) -> str:
    return "\n".join(
        one.value for one in (*app.markdown, *app.text, *app.caption, *app.title, *app.header)
    )


@pytest.mark.parametrize(
    ("L", "D", "layers"), [(8, 1, 4), (2, 0, 1), (2, 4, 4), (3, 2, 2), (32, 0, 3), (32, 4, 4)]
)
def test_figure_formula_and_measurement_say_the_same(
    open_page: OpenPage, L: int, D: int, layers: int
) -> None:
    app = open_page(NAME, seg=L, mem=D, layers=layers)
    assert sent(app, "recurrence")["frame"] == Recurrence(L, D, layers).segment_count - 1
    expected = L - 1 + layers * D * L
    assert f"the last token reaches {expected} token" in finding_of(app)
    assert border_of(app) == expected
    table = app.table[0].value
    for count, row in enumerate(table.to_dict("records"), start=1):
        assert row["Formula: tokens back"] == str(L - 1 + count * D * L)
        assert row["Farthest derivative above 0"] == row["Formula: tokens back"]
        assert row["Largest derivative beyond"] == "0"
        assert row["Agree"] == "✓ yes"
    assert re.search(r"agree in ([\d,]+) of \1 cases", words_of(app))


def test_any_token_can_be_chosen(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=5, mem=2, layers=3, segment=7, query=2)
    assert sent(app, "recurrence")["frame"] == 7
    text = SAMPLES["Python reference"]
    assert letters_of(app) == [visible(char) for char in text[: Recurrence(5, 2, 3).length]]
    expected = reach(37, segment_length=5, memory_length=10, layer_count=3)
    assert f"token 2 reaches {expected} tokens back" in finding_of(app)
    assert border_of(app) == expected
    assert any(f"“{text[37]}”, token 2 of segment 7" in one.proto.body for one in app.get("html"))


def test_the_last_stays_the_last_and_a_choice_stays_chosen(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=4, mem=1)
    app.slider(key="seg").set_value(6).run()
    assert app.select_slider(key="query").value == 5
    app.slider(key="mem").set_value(2).run()
    assert app.select_slider(key="segment").value == Recurrence(6, 2, 4).segment_count - 1
    app.select_slider(key="query").set_value(3).run()
    app.slider(key="seg").set_value(8).run()
    assert app.select_slider(key="query").value == 3
    app.slider(key="seg").set_value(3).run()
    assert app.select_slider(key="query").value == 2
    assert not [one for one in app.text if "in the address" in one.value]


@pytest.mark.parametrize("value", ["-1", "99", "1.5", "", "x", ["1", "2"]])
@pytest.mark.parametrize("name", ["layers", "segment", "query"])
def test_bad_addresses_fall_back_with_a_notice(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(frame, "is_embedded", lambda: True)  # the figure is all that is asked for
    app = open_page(NAME, **{name: value})
    (notice,) = [one.value for one in app.text if "in the address" in one.value]
    assert f"is not a whole number from {int(name == 'layers')} to" in notice
    shown = {"layers": 4, "segment": 5, "query": 7}[name]
    assert notice.endswith(f"showing {shown}.")
    assert sent(app, "recurrence")["frame"] == 5
    assert finding_of(app).endswith("7 + 4 · 8")


@pytest.mark.parametrize("text", HARD_TEXTS.values(), ids=HARD_TEXTS)
def test_hard_texts_are_shown_literally(open_page: OpenPage, text: str) -> None:
    app = open_page(NAME, seg=3, mem=1, sample="My own text")
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    length = Recurrence(3, 1, 4).length
    shown = (text or next(iter(SAMPLES.values())))[:length]
    assert letters_of(app) == [visible(char) for char in (shown * length)[:length]]
    assert re.search(r"agree in ([\d,]+) of \1 cases", words_of(app))
    for trace in curves_of(app):
        assert not any("<" in one for one in trace["text"])
    if 0 < len(text) < length:
        assert "it is repeated to fill 18" in words_of(app)
    if len(text) > length:
        assert "the page shows the first 18" in words_of(app)


def test_many_tokens_are_replaced_only_on_request(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=10, mem=4)
    assert all(trace["mode"] == "lines" for trace in curves_of(app))
    app.checkbox(key="replace").check().run()
    dots = [trace for trace in curves_of(app) if trace["mode"] == "markers"]
    assert [one["name"] for one in dots] == ["replaced: state moved", "replaced: unchanged"]
    assert "tokens were replaced" in words_of(app)


def test_the_question_knows_its_answer(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=4, mem=2, layers=3)
    app.number_input[0].set_value(24).run()
    assert "3 · 8 = 24" in app.success[0].value
    app.number_input[0].set_value(8).run()
    assert not app.success
    assert "Not 8" in app.info[0].value


def test_a_change_weighs_little(open_page: OpenPage) -> None:
    def weight(**settings: int) -> int:
        app = open_page(NAME, **settings)
        return sum(component(app, key).ByteSize() for key in ("recurrence", "influence"))

    assert weight(seg=8, mem=2) < 100_000
    assert weight(seg=32, mem=4) < 400_000


def test_a_click_or_a_step_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {"seg": 4}
    chosen: dict[str, Any] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr(address, "choose", chosen.__setitem__)
    first_screen.choose_token({"point": 14, "frame": 0})
    assert chosen == {"segment": 3, "query": 2}
    for nonsense in (None, "x", [1, 2], -1, 1.5, True):
        first_screen.choose_token({"point": nonsense, "frame": 0})
    first_screen.choose_segment(1)
    assert chosen == {"segment": 1, "query": 2}


def test_the_code_shown_is_the_code_that_runs(open_page: OpenPage) -> None:
    model = (ROOT / "xlexplain/model/transformer_xl.py").read_text()
    shown = re.search(r"```python\n(.+?)```", words_of(open_page(NAME)), re.DOTALL)
    assert shown
    for line in shown[1].splitlines():
        assert line in model
    assert any("def receptive_field(" in one.value for one in open_page(NAME).code)


def test_an_embedded_page_is_the_figure_without_torch() -> None:
    program = (
        "import sys\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file('app.py', default_timeout=60)\n"
        "from xlexplain.ui import frame\n"
        "frame.is_embedded = lambda: True\n"
        "app.switch_page('pages/segment_recurrence.py').run()\n"
        "assert not app.exception\n"
        "(figure,) = [one for one in app.get('bidi_component') if '-recurrence' in one.proto.id]\n"
        "assert not [one for one in app.get('bidi_component') if '-influence' in one.proto.id]\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_without_memory_depth_nothing_is_compared_twice(open_page: OpenPage) -> None:
    app = open_page(NAME, mem=0)
    assert not [one for one in curves_of(app) if "without memory" in one["name"]]
    assert "what memory holds" not in traces_of(app)
    assert finding_of(app) == "With memory depth 0, the last token reaches 7 tokens back = " + (
        "L − 1 + layers · M = 7 + 4 · 0"
    )
    assert "Nothing is kept" in words_of(app)


def test_a_link_replaces_many_tokens(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=10, mem=4, replace="yes")
    assert app.checkbox(key="replace").value
    assert "tokens were replaced" in words_of(app)
    app.select_slider(key="query").set_value(3).run()
    app.slider(key="seg").set_value(12).run()
    assert app.checkbox(key="replace").value
    app.checkbox(key="replace").uncheck().run()
    assert "replace" not in app.query_params
    app.checkbox(key="replace").check().run()
    assert app.query_params["replace"] == "yes"


@pytest.mark.parametrize("bad", ["", "True", "1", ["yes", "no"]])
def test_another_word_than_yes_replaces_nothing(open_page: OpenPage, bad: object) -> None:
    app = open_page(NAME, seg=10, mem=4, replace=bad)
    assert not app.checkbox(key="replace").value
    assert "in the address is not understood; showing an empty box." in words_of(app)
    app.checkbox(key="replace").check().run()
    assert "in the address" not in words_of(app)
