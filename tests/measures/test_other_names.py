"""trec_eval's names give trec_eval's numbers, in `rankeval eval` as in `rankeval trec_eval`.

Where RANKEVAL_ORACLE_TREC_EVAL names a trec_eval 10 binary, it is asked as well.
"""

import math
import os
import random
import subprocess

import pytest

import rankeval
from rankeval.measures import parse_measures
from rankeval.measures.other_names import NAMES, SETS, TEXTS
from rankeval.trec_eval.measures import MEASURES
from tests.support.trec_eval_running import trec_eval, values

ORACLE = os.environ.get("RANKEVAL_ORACLE_TREC_EVAL")
FORMATS = {"": "qrels", "qrels": "qrels", "jg": "qrels_jg", "prefs": "qrels_prefs"}
FORMAT_OF = {name: FORMATS[entry.kind] for name, entry in MEASURES.items()}
NUMBERS = [name for name in NAMES if name not in TEXTS]
WITH_PARAMETERS = [
    *("P.3", "P.2,5,7", "recall.1,4", "relative_P.2,8", "ndcg_cut.5,10", "map_cut.3", "success.2"),
    *("unj.3,4", "iprec_at_recall.0.1,0.3", "iprec_at_recall..5,1", "Rprec_mult.0.3,1.7"),
    *("11pt_avg.0.25,0.5,0.75", "11pt_avg.0.5", "set_F.0.5", "set_F.3", "set_F.2,5"),
    *("utility.1,-1,0,0", "utility.2,-1,-.5,0", "utility.1,0,0,.5", "utility.0,0,1,0"),
    *("rbp.p=0.5", "rbp.1=3,2=5", "rbp.p=0.7,1=.5,-1=1", "rbp_resid.p=0.5", "rbp_resid.1=2"),
    *("P_avgjg.3,6", "Rprec_mult_avgjg.0.5,1"),
]
GAINED = ("ndcg", "dcg", "ideal_dcg", "ndcg_rel", "Rndcg", "G")
TABLES = ("1=3,2=5,3=9", "2=1,1=2", "0=1", "1=0.5,2=0.7", "2=.5,1=4,-1=1", "-2=2,1=-1", "1=2,1=4")
WITH_PARAMETERS += [f"{name}.{table}" for name in GAINED for table in TABLES]
CASES = [*NUMBERS, *WITH_PARAMETERS]


def written(folder, seed, *, grouped=False, lowest=-2):
    """Graded judgments, negative ones among them, and a run with ties that lacks a topic."""
    source = random.Random(seed)
    grades = [grade for grade in (-2, -1, 0, 0, 1, 1, 2, 3) if grade >= lowest]
    docnos = [f"d{n:02}" for n in range(40)]
    judgments, lines = [], []
    for topic in range(1, 9):
        pool = source.sample(docnos, source.randint(4, 25))
        for group in source.sample("xyz", source.randint(1, 3)) if grouped else "0":
            for docno in source.sample(pool, source.randint(2, len(pool))) if grouped else pool:
                grade = source.choice(grades)
                judgments.append(f"{topic} {group} {docno} {grade}")
            judgments.append(f"{topic} {group} always {topic % 3}")
        if topic == 4:
            continue
        found = [*source.sample(docnos, source.randint(1, 40)), "always"]
        lines += [f"{topic} Q0 {docno} 0 {source.randint(0, 6) / 2} tag" for docno in found]
    qrels, run = folder / f"qrels{seed}", folder / f"run{seed}"
    qrels.write_text("\n".join(judgments) + "\n")
    run.write_text("\n".join(lines) + "\n")
    return qrels, run


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    plain = [written(folder, seed) for seed in (1, 2)]
    grouped = [written(folder, seed, grouped=True, lowest=low) for seed, low in ((3, 0), (4, -2))]
    return {"qrels": plain, "qrels_jg": grouped, "qrels_prefs": grouped}


def is_undefined_in_c(name, qrels):
    """Whether the C program's value depends on memory that it never set."""
    is_below_zero = " -" in qrels.read_text()
    return name.startswith("rbp") or ("_Rnonrel" in name and is_below_zero)


def expected_values(name, level, qrels, run):
    """{topic: [values]} as `rankeval trec_eval` prints them, in the order of printing."""
    form = FORMAT_OF[name.partition(".")[0]]
    words = ["-c", "-q", "-l", level, "-R", form, "-m", name, str(qrels), str(run)]
    done = trec_eval(*words)
    assert done.status == 0, done.err
    if ORACLE and not is_undefined_in_c(name, qrels):
        theirs = subprocess.run([ORACLE, *map(str, words)], capture_output=True, check=True)
        assert done.out == theirs.stdout
    return values(done)


def eval_values(name, level, qrels, run):
    """{(place of the measure, topic): value} of the library."""
    settings = rankeval.options.Settings(min_grade=None if level == 1 else level)
    results = rankeval.evaluate(str(qrels), str(run), name, settings)
    (result,) = results.runs
    found = {}
    for position, score in enumerate(result.scores):
        for topic, value in zip(result.topics, score.values.tolist(), strict=True):
            found[position, topic] = value
        found[position, "all"] = score.aggregate
    return found


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_a_name_gives_the_number_of_trec_eval(name, level, files):
    compared = 0
    for qrels, run in files[FORMAT_OF[name.partition(".")[0]]]:
        expected = expected_values(name, level, qrels, run)
        printed = list(dict.fromkeys(measure for measure, _ in expected))
        found = eval_values(name, level, qrels, run)
        for place, measure in enumerate(printed):
            for topic in {topic for one, topic in expected if one == measure}:
                theirs, mine = float(expected[measure, topic]), found[place, topic]
                if (measure, topic) == ("num_rel", "all"):
                    # With -c it counts every grade above 0, whatever the level.
                    topics = {key for key in expected if key[0] == measure and key[1] != "all"}
                    theirs = sum(float(expected[key]) for key in topics)
                if math.isnan(theirs):
                    # 0/0 is undefined here, and left out of the mean.
                    assert topic == "all" or math.isnan(mine)
                    continue
                assert mine == pytest.approx(theirs, abs=5.1e-5), (measure, topic)
                compared += 1
    assert compared


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_what_the_command_prints_for_it_but_for_text(name, files):
    form = FORMAT_OF[max(SETS[name] - {"runid", "num_q"})]
    qrels, run = files[form][0]
    done = trec_eval("-c", "-R", form, "-m", name, qrels, run)
    printed = dict.fromkeys(measure for measure, _ in values(done) if measure not in TEXTS)

    assert [named.as_given for named in parse_measures(name)] == list(printed)
