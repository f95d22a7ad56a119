"""The one component that draws figures: in place, moving ones with controls for every reader.

Streamlit's own chart is made anew when its figure changes, and its points are gone meanwhile; its
frames are played by buttons that no keyboard reaches. So plotly.js is loaded here, from the plotly
package through a route of the app's own server. Where it can't be loaded, Streamlit draws.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import plotly
import plotly.graph_objects as go
import streamlit as st
from plotly.io.json import to_json_plotly
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.delta_generator import DeltaGenerator

from xlexplain.figures import player
from xlexplain.figures.labels import without_tags

SCRIPT = Path(__file__).with_suffix(".js")
LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
FILES = {  # by address: its version is in it, so that a browser may keep it
    f"lib/figure-{hashlib.sha256(SCRIPT.read_bytes()).hexdigest()[:8]}.js": SCRIPT,
    f"lib/plotly-{plotly.__version__}.min.js": LIBRARY,
}
STUB = """
export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".xl-figure");
  import(new URL(data.script, document.baseURI))
    .then(({ show }) => show(component, root))
    .catch((error) => root.isConnected && setStateValue("failed", String(error)));
  return () => {
    const plot = root.querySelector(".xl-plot"); // null before the script has come
    if (plot && !root.isConnected) window.Plotly?.purge(plot);
  };
}
"""
FAILED = "plotly.js could not be loaded"

_component = st.components.v2.component(
    "xlexplain.figure",
    html='<section class="xl-figure"></section>',
    js=STUB,
    isolate_styles=False,  # plotly puts its style sheet into the page
)


def routes() -> list[Route]:
    """Where the server has the two scripts. Streamlit does not put its base path before them."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route(f"/{base}/{address}".replace("//", "/"), send) for address in FILES]


async def send(request: Request) -> Response:
    """A script, compressed, for the browser to keep."""
    path = next(path for address, path in FILES.items() if request.url.path.endswith(address))
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return Response(path.read_bytes(), media_type="text/javascript", headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(compressed(path), media_type="text/javascript", headers=headers)


@cache
def compressed(path: Path) -> bytes:
    """A file's bytes, made smaller once."""
    return gzip.compress(path.read_bytes(), 6)


@dataclass(frozen=True)
class Prepared:
    """A figure as the component takes it; worth keeping where making it takes long.

    Attributes:
        data: without plotly's controls, its titles apart.
    """

    figure: go.Figure
    data: dict[str, Any]


def show(
    figure: go.Figure | Prepared,
    *,
    key: str,
    alt: str,
    on_choose: Callable[[dict[str, Any]], None] | None = None,
    frame: int = 0,
    on_frame: Callable[[int], None] | None = None,
    speed: str = "1",
    on_speed: Callable[[str], None] | None = None,
    lists_frames: bool = False,
    place: DeltaGenerator | None = None,
) -> None:
    """Draw a figure.

    Args:
        alt: what it shows, with its numbers.
        on_choose: called with {"point": customdata of the point, or [x, y], "frame": index}.
        frame: the one to show. on_frame: called with the index once the reader rests on another.
        speed: "0.5", "1", "2" or "4" times. on_speed: called with the reader's choice.
        lists_frames: the names of all frames stand beside the figure, the current one marked.
        place: where; here by default.
    """
    prepared = figure if isinstance(figure, Prepared) else prepare(figure)
    with place or st.container():
        if st.session_state.get(FAILED):
            st.plotly_chart(prepared.figure, key=f"{key} by Streamlit", alt=alt, theme=None)
            return
        _component(
            key=key,
            data=prepared.data
            | {
                "addresses": list(FILES),
                "script": next(iter(FILES)),
                "alt": alt,
                "frame": frame,
                "speed": speed,
                "lists": lists_frames,
                "wants": {"chosen": on_choose is not None, "frame": on_frame is not None},
            },
            on_chosen_change=lambda: call(on_choose, key, "chosen"),
            on_moved_change=lambda: call(on_frame, key, "moved"),
            on_paced_change=lambda: call(on_speed, key, "paced"),
            on_failed_change=lambda: st.session_state.update({FAILED: True}),
        )


def call(take: Callable[[Any], None] | None, key: str, name: str) -> None:
    """Hand on what the component reports; None if it is no longer on the page."""
    reported = (st.session_state.get(key) or {}).get(name)
    if take is not None and reported is not None:
        take(reported)


def prepare(figure: go.Figure) -> Prepared:
    """Take off plotly's controls, which the component has its own for, and the titles."""
    spec = figure.to_dict()
    layout = spec["layout"]
    meta = layout.get("meta", {})
    frames = spec.pop("frames", [])
    below = player.HEIGHT if layout.pop("updatemenus", None) else 0
    layout.pop("sliders", None)
    above = meta.get("title_room", 0)
    if "height" in layout:
        layout["height"] -= above + below
    margin = layout.get("margin", {})
    layout["margin"] = margin | {"t": margin.get("t", 0) - above, "b": margin.get("b", 0) - below}
    titles = [in_words(one.get("layout", {}).pop("title", {})) for one in [spec, *frames]]
    data = {
        "figure": to_json_plotly(spec | {"frames": frames}),
        "titles": titles[1:] if frames else titles,
        "moves": meta.get("moves", False),
        "minWidth": meta.get("min_width", 0),
    }
    return Prepared(figure, data)


def in_words(title: dict[str, Any]) -> list[str]:
    """Title and subtitle as text."""
    texts = title.get("text", ""), title.get("subtitle", {}).get("text", "")
    return [without_tags(text) for text in texts]
