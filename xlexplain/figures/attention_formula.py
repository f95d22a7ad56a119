"""A^rel in LaTeX, each term on its own colour."""

from __future__ import annotations

from xlexplain.figures.theme import Palette
from xlexplain.maths import TERMS

LATEX = {
    "a": r"E_{x_{\scriptstyle i}}^\top W_q^\top W_{k,E}\, E_{x_{\scriptstyle j}}",
    "b": r"E_{x_{\scriptstyle i}}^\top W_q^\top W_{k,R}\, R_{i-j}",
    "c": r"u^\top W_{k,E}\, E_{x_{\scriptstyle j}}",
    "d": r"v^\top W_{k,R}\, R_{i-j}",
}


def colored_formula(*, palette: Palette) -> str:
    """LaTeX of the four terms; the colours are those of the figures."""
    terms = " + ".join(
        rf"\underbrace{{{boxed(LATEX[name], palette=palette, name=name)}}}_{{{name}}}"
        for name in TERMS
    )
    return rf"A^{{\mathrm{{rel}}}}_{{i,j}} = {terms}"


def boxed(latex: str, *, palette: Palette, name: str) -> str:
    """A formula on its term's colour, in an ink that reads on it."""
    ink = palette.terms_ink[name]
    return rf"\colorbox{{{palette.terms[name]}}}{{\color{{{ink}}}$\displaystyle {latex}$}}"
