# The public names and their modules: the only list of them, one name per line.

from rankeval.measures.definition import Definition as Definition
from rankeval.measures.definition import Measure as Measure
from rankeval.measures.definition import NamedMeasure as NamedMeasure
from rankeval.measures.facts import GEOMETRIC as GEOMETRIC
from rankeval.measures.facts import MEAN as MEAN
from rankeval.measures.facts import MEDIAN as MEDIAN
from rankeval.measures.facts import SUM as SUM
from rankeval.measures.facts import Aggregate as Aggregate
from rankeval.measures.facts import Alias as Alias
from rankeval.measures.facts import Cutoff as Cutoff
from rankeval.measures.facts import Meaning as Meaning
from rankeval.measures.facts import Range as Range
from rankeval.measures.facts import Rel as Rel
from rankeval.measures.facts import RequiredCutoff as RequiredCutoff
from rankeval.measures.facts import Values as Values
from rankeval.measures.measure_catalogue import definitions as definitions
from rankeval.measures.names import MeasuresLike as MeasuresLike
from rankeval.measures.names import definition_of as definition_of
from rankeval.measures.names import listed_measures as listed_measures
from rankeval.measures.names import measure_names as measure_names
from rankeval.measures.names import parse_measure as parse_measure
from rankeval.measures.names import parse_measures as parse_measures
from rankeval.measures.plugins import TopicRanking as TopicRanking
from rankeval.measures.plugins import load_installed as load_installed
from rankeval.measures.plugins import load_plugin as load_plugin
from rankeval.measures.plugins import measure as measure
from rankeval.ranking import RankedJudgments as RankedJudgments

# The measures, of `rankeval.measures.names`.
# ruff: noqa: N816 - these are their names
AP: Measure
AP_IA: Measure
ARP: Measure
AUC: Measure
AUPRG: Measure
Accuracy: Measure
AlphaCompat: Measure
BPM: Measure
Bpref: Measure
Compat: Measure
Coverage: Measure
DCG: Measure
DSharp_nDCG: Measure
DnDCG: Measure
EBR: Measure
EFG: Measure
ERR: Measure
ERR_IA: Measure
Entropy: Measure
F: Measure
FG: Measure
G: Measure
GAUC: Measure
GMAP: Measure
GMBpref: Measure
Gini: Measure
Hole: Measure
IAP: Measure
IDCG: Measure
IFT: Measure
ILD: Measure
INSQ: Measure
INST: Measure
IPrec: Measure
Judged: Measure
KAtRecall: Measure
MIUF: Measure
NCU: Measure
NERR10: Measure
NERR11: Measure
NERR8: Measure
NERR9: Measure
NPV: Measure
NRBP: Measure
NumNonRelRet: Measure
NumQ: Measure
NumRel: Measure
NumRelRet: Measure
NumRet: Measure
OMeasure: Measure
P: Measure
PAtRecall: Measure
PMeasure: Measure
PPlus: Measure
PRG: Measure
P_IA: Measure
Q: Measure
R: Measure
RBP: Measure
RBPres: Measure
RBU: Measure
RR: Measure
R_cap: Measure
Rndcg: Measure
Rprec: Measure
SDCG: Measure
Serendipity: Measure
SetAP: Measure
SetE: Measure
SetF: Measure
SetJaccard: Measure
SetP: Measure
SetR: Measure
SetRelP: Measure
SetUtility: Measure
StRecall: Measure
Success: Measure
TBG: Measure
UMeasure: Measure
Unjudged: Measure
YAAP: Measure
all_score: Measure
alpha_DCG: Measure
alpha_nDCG: Measure
binG: Measure
iRBU: Measure
infAP: Measure
infNDCG: Measure
nDCG: Measure
nDCG_rel: Measure
nERR: Measure
nERR_IA: Measure
nNRBP: Measure
nugget_f_score: Measure
nugget_precision: Measure
precG: Measure
recG: Measure
sentence_coverage: Measure
statAP: Measure
strict_all_score: Measure
strict_vital_score: Measure
strict_weighted_score: Measure
support_precision: Measure
support_recall: Measure
vital_score: Measure
weighted_score: Measure
xinfAP: Measure
