"""Figures as PGF, which LaTeX draws with the document's font, made without LaTeX."""

import io
from typing import TYPE_CHECKING, Any

from rankeval.output.escape import latex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD = """\
%% A picture by rankeval. In the document: \\usepackage{pgf} and \\input{FILE.pgf}
\\begingroup
\\makeatletter
\\begin{pgfpicture}
"""
END = """\
\\end{pgfpicture}
\\makeatother
\\endgroup
"""


def pgf(made: "Figure") -> bytes:
    """Return a figure as PGF. Texts are measured in the figure's font, and written escaped."""
    import matplotlib as mpl
    from matplotlib.backends.backend_pgf import RendererPgf
    from matplotlib.textpath import text_to_path

    class Renderer(RendererPgf):  # type: ignore[misc]  # it has no types
        def get_text_width_height_descent(
            self, s: str, prop: Any, _: Any
        ) -> tuple[float, float, float]:
            found = text_to_path.get_text_width_height_descent(s, prop, ismath=False)
            width, height, descent = (length * self.dpi / 72.0 for length in found)
            return width, height, descent

        def draw_text(
            self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, *_: Any, **__: Any
        ) -> None:
            super().draw_text(gc, x, y, latex(s.replace(r"\$", "$")), prop, angle)

    width, height = made.get_size_inches()
    stream = io.StringIO()
    # Pictures of pixels would be files of their own.
    for artist in made.findobj(lambda each: bool(each.get_rasterized())):
        artist.set_rasterized(False)
    engine = made.get_layout_engine()
    made.set_layout_engine("none")
    with mpl.rc_context({"pgf.rcfonts": False}):
        stream.write(HEAD)
        stream.write(f"\\pgfpathrectangle{{\\pgfpointorigin}}{{\\pgfqpoint{{{width:f}in}}")
        stream.write(f"{{{height:f}in}}}}\n\\pgfusepath{{use as bounding box, clip}}\n")
        made.draw(Renderer(made, stream))
        stream.write(END)
    made.set_layout_engine(engine)
    return stream.getvalue().encode()
