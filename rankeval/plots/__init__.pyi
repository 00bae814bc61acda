# The public names and their modules: the only list of them, one name per line.

from rankeval.plots.bars import Bars as Bars
from rankeval.plots.boxes import Box as Box
from rankeval.plots.boxes import Boxes as Boxes
from rankeval.plots.cells import Cells as Cells
from rankeval.plots.cells import Layer as Layer
from rankeval.plots.form import Form as Form
from rankeval.plots.kinds import KINDS as KINDS
from rankeval.plots.kinds import Choices as Choices
from rankeval.plots.kinds import Kind as Kind
from rankeval.plots.lines import Line as Line
from rankeval.plots.lines import Lines as Lines
from rankeval.plots.pictures import check_picture as check_picture
from rankeval.plots.pictures import draw as draw
from rankeval.plots.pictures import figure as figure
from rankeval.plots.pictures import figure_size as figure_size
from rankeval.plots.pictures import save as save
from rankeval.plots.points import Costs as Costs
from rankeval.plots.points import Pairs as Pairs
from rankeval.plots.rows import Rows as Rows
from rankeval.plots.rows import RunRow as RunRow
from rankeval.plots.selection import measures as measures
from rankeval.plots.selection import plot_data as plot_data
from rankeval.plots.selection import rows_of as rows_of
from rankeval.plots.slope import Slopes as Slopes
