# The public names and their modules: the only list of them, one name per line.

from rankeval.plots.kinds import KINDS as KINDS
from rankeval.plots.kinds import Form as Form
from rankeval.plots.selection import measures as measures
