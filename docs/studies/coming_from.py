"""Run the rows of the tables in docs/coming-from.md here and in the other tools.

    python -m docs.studies.coming_from [SECTION...] [--environments FOLDER]

Each tool gets an environment of its own, since some take other versions of numpy, with the newest
releases that install (`make oracles`). What is printed: the versions, a line for each row with the
largest difference, and what could not be run. The exit code is 1 where a row differs.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd

import rankeval
from docs.studies.other_tools import SECTIONS
from rankeval.options import Items, Method, Settings
from tests.support.commands import run_command
from tests.support.recommended import as_qrels, as_run, evaluated, random_case

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "coming-from.md"
THEIR_SIDE = Path(__file__).with_name("other_tools.py")

CLASSIC = [
    ["pytrec-eval-terrier", "ir-measures", "ranx", "python-terrier"],
    # It asks for pytrec_eval, whose build downloads; pytrec_eval-terrier is the same module.
    ["--no-deps", "diffir"],
    ["intervaltree", "ir-datasets", "jinja2", "mako", "nltk", "pyahocorasick", "rich", "tqdm"],
]
OLDER = [["rectools"]]  # numpy below 2, pandas below 3
TORCH = [["torch==2.13.0"], ["torchmetrics", "sentence-transformers"]]
ENVIRONMENTS = {
    "classic": CLASSIC,
    "older": OLDER,
    "torch": TORCH,
}
"""What pip installs into each, one call for each list."""

OF_SECTION = {
    "RecTools": "older",
    "torchmetrics": "torch",
    "Sentence Transformers": "torch",
}
"""The environment of a section; the others are in `classic`."""

TOLERANCE = {"torchmetrics": 1e-6}
"""Single precision has seven digits."""

EXACT = 1e-9
Values = dict[str, float]


def drawn() -> dict[str, Any]:
    """Draw judgments, runs and recommendations; scores differ within a topic."""
    random = Random(38)
    docnos = [f"d{number}" for number in range(25)]
    topics = [f"q{number}" for number in range(20)]

    def run() -> dict[str, dict[str, float]]:
        return {
            topic: {docno: float(place) for place, docno in enumerate(shuffled(docnos), 1)}
            for topic in topics
        }

    def shuffled(names: list[str]) -> list[str]:
        return random.sample(names, len(names))

    qrels = {
        topic: {docno: random.choice([0, 0, 1, 2, 3]) for docno in shuffled(docnos)[:12]}
        for topic in topics
    }
    for grades in qrels.values():
        grades[next(iter(grades))] = 2
    complete, b, c, d = run(), run(), run(), run()
    part = {topic: complete[topic] for topic in topics[2:]}  # it lacks two topics
    lists, test, train, names, features = random_case(38)
    return {
        "qrels": qrels,
        "complete": complete,
        "a": {**part, "unjudged": complete[topics[0]]},
        "b": b,
        "c": c,
        "d": d,
        "lists": {user: items for user, items in lists.items() if user not in ("u3", "u4")},
        "test": {user: items for user, items in test.items() if user not in ("u5", "u6")},
        "train": train,
        "names": names,
        "features": features,
    }


def printed(data: dict[str, Any], *words: str, run: str = "a") -> dict[str, Any]:
    """Return what a command on judgments and a run prints as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        paths = written(data, Path(folder), "qrels", run)
        done = run_command([*paths, *words, "-f", "json", "--measure-names", "as-given"])
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)["runs"][0]["measures"]


def written(data: dict[str, Any], folder: Path, *names: str) -> list[str]:
    """Write judgments and runs as JSON; return their paths."""
    for name in names:
        (folder / f"{name}.json").write_text(json.dumps(data[name]))
    return [str(folder / f"{name}.json") for name in names]


def command_means(data: dict[str, Any], *words: str) -> Values:
    return {name: found["mean"] for name, found in printed(data, *words).items()}


def letters(data: dict[str, Any]) -> Values:
    topics = printed(data, "-q", "-m", "map", "-l", "2", "--topics", "both")["map"]["per_topic"]
    first = printed(data, "-n", "-q", "-m", "map", "-M", "7", "--topics", "both")["map"]
    judged = printed(data, "-J", "-N", "1000", "-m", "map", "--topics", "both")["map"]["mean"]
    return {
        **{f"{topic} -q -l 2": value for topic, value in topics.items()},
        "-M 7": math.fsum(first["per_topic"].values()) / len(first["per_topic"]),
        "-J": judged,
    }


def trec_lines(data: dict[str, Any], *words: str) -> Values:
    """Return the values that `rankeval trec_eval` prints, with four decimals."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "qrels"), Path(folder, "run")
        qrels.write_text(
            "".join(
                f"{topic} 0 {d} {grade}\n"
                for topic, g in data["qrels"].items()
                for d, grade in g.items()
            )
        )
        run.write_text(
            "".join(
                f"{topic} Q0 {d} 0 {score} a\n"
                for topic, s in data["a"].items()
                for d, score in s.items()
            )
        )
        done = run_command(["trec_eval", "--as", "9", *words, str(qrels), str(run)])
    assert done.code == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {name.strip(): float(value) for name, _, value in rows if name.strip() != "runid"}


def all_trec(data: dict[str, Any]) -> Values:
    official = trec_lines(data, "-m", "official")
    found = trec_lines(data, "-m", "all_trec")
    assert official.items() <= found.items()
    return {name: found[name] for name in data["all_trec"]}


TREC_EVAL = {
    "`trec_eval -c -m map qrels run`": lambda d: command_means(d, "-m", "map"),
    "without `-c`": lambda d: command_means(d, "-m", "map", "--topics", "both"),
    "`-q`, `-n`, `-l 2`, `-M 100`, `-J`, `-N 1000`": letters,
    "`-m ndcg_cut.10`, `-m P.5,10`": lambda d: {
        "ndcg_cut_10": command_means(d, "-m", "ndcg_cut.10", "--topics", "both")["ndcg_cut.10"],
        **{
            f"P_{k}": command_means(d, "-m", f"P.{k}", "--topics", "both")[f"P.{k}"]
            for k in (5, 10)
        },
    },
    "`-m all_trec`, `-m official`": all_trec,
}

PYTREC_EVAL = {
    '`RelevanceEvaluator(qrel, {"map", "ndcg_cut_10"})`': lambda d: renamed(
        rankeval.Evaluator(d["qrels"], "map ndcg_cut_10", topics="both").means(d["a"]),
        {"AP": "map", "nDCG@10": "ndcg_cut_10"},
    ),
    "`evaluator.evaluate(run)`": lambda d: {
        topic: values["map"] for topic, values in both(d, "map").per_topic(d["a"]).items()
    },
    "a mean over `values()`": lambda d: renamed(
        rankeval.Evaluator(d["qrels"], "map", Settings(topics="both")).means(d["a"]), {"AP": "map"}
    ),
    "a query that the run lacks is left out": lambda d: {
        "topics": len(both(d, "map").per_topic(d["a"])),
        "map": both(d, "map").means(d["a"])["map"],
    },
}


def both(data: dict[str, Any], measures: str) -> rankeval.Evaluator:
    return rankeval.Evaluator(data["qrels"], measures, Settings(topics="both"))


def renamed(values: Any, names: dict[str, str]) -> Values:
    """Return values under other names."""
    return {names.get(name, name): float(value) for name, value in values.items()}


def means(data: dict[str, Any], measures: str, run: str = "a", **options: Any) -> Values:
    """Return the means of a run under the names as they are written."""
    (found,) = rankeval.evaluate(data["qrels"], {run: data[run]}, measures, **options).runs
    return dict(zip(measures.split(), (score.mean for score in found.scores), strict=True))


def topics_of(data: dict[str, Any], measures: str) -> Values:
    frame = rankeval.evaluate(data["qrels"], {"a": data["a"]}, measures).to_frame(per_topic=True)
    return {
        f"{topic} {measure}": value
        for topic, measure, value in zip(
            frame["topic"], frame["measure"], frame["value"], strict=True
        )
    }


IR_MEASURES = {
    "`nDCG@10`, `AP(rel=2)@100`": lambda d: means(d, "nDCG@10 AP(rel=2)@100"),
    "`ir_measures.calc_aggregate([AP], qrels, run)`": lambda d: rankeval.evaluate(
        d["qrels"], {"a": d["a"]}, "AP"
    ).to_dict()["a"],
    "`ir_measures.iter_calc(...)`": lambda d: topics_of(d, "AP P@5"),
    "`Judged@10`, `SetP`, `infAP`": lambda d: means(d, "Judged@10 SetP infAP"),
}


def judged_as_binary(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data with grades of 0 and 1."""
    qrels = {
        topic: {docno: int(grade > 0) for docno, grade in grades.items()}
        for topic, grades in data["qrels"].items()
    }
    return {**data, "qrels": qrels}


def student(data: dict[str, Any]) -> Values:
    found = rankeval.compare(
        data["qrels"], {"complete": data["complete"]}, {"b": data["b"]}, "AP", test="t"
    )["b", "AP"]
    scores = rankeval.evaluate(
        data["qrels"], {"complete": data["complete"], "b": data["b"]}, "AP"
    ).to_dict()
    return {
        "complete": scores["complete"]["AP"],
        "b": scores["b"]["AP"],
        "p": found.p,
    }


def fused(data: dict[str, Any]) -> Values:
    with tempfile.TemporaryDirectory() as folder:
        done = run_command(
            ["fuse", *written(data, Path(folder), "complete", "b"), "--method", "rrf"]
        )
    assert done.code == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return {f"{topic} {docno}": float(score) for topic, _, docno, _, score, _ in rows}


RANX = {
    '`ranx.evaluate(qrels, run, ["ndcg@10", "mrr"])`': lambda d: means(d, "ndcg@10 mrr"),
    "`ranx.compare(qrels, runs, ...)`": student,
    '`ranx.fuse(runs, method="rrf")`': fused,
    "`hits`, `hit_rate@5`, `precision@5`, `f1@5`, `r-precision`": lambda d: means(
        d, "hits hit_rate@5 precision@5 f1@5 r-precision", like="ranx"
    ),
    "`rbp.95` of grades 0 and 1": lambda d: means(judged_as_binary(d), "rbp.95"),
    "`ndcg_burges@10`": lambda d: {
        "ndcg_burges@10": means(d, "nDCG(dcg='exp-log2')@10")["nDCG(dcg='exp-log2')@10"]
    },
}


def recommended(data: dict[str, Any], measures: str, **options: Any) -> Any:
    """Return the results of lists, with what measures of recommenders take."""
    case = tuple(data[name] for name in ("lists", "test", "train", "names", "features"))
    (found,) = evaluated(case, measures, **options).runs
    return found


def recommended_means(data: dict[str, Any], **measures: str) -> Values:
    found = recommended(data, " ".join(measures.values()))
    return {name: found[measure].mean for name, measure in measures.items()}


def columns_of_users(data: dict[str, Any]) -> Values:
    rows = [(u, i, -rank) for u, items in data["lists"].items() for rank, i in enumerate(items)]
    frame = pd.DataFrame(rows, columns=["user_id", "item_id", "score"])
    reading = {"columns": "topic=user_id,docno=item_id"}
    (found,) = rankeval.evaluate(as_qrels(data["test"]), [frame], "R@10", **reading).runs
    return {"Recall": found.scores[0].mean}


def interactions(data: dict[str, Any]) -> Values:
    pairs = [
        (user, item, 1, "2026-01-01") for user, items in data["test"].items() for item in items
    ]
    frame = pd.DataFrame(pairs, columns=["user_id", "item_id", "weight", "datetime"])
    (found,) = rankeval.evaluate(frame, [as_run(data["lists"])], "R@10").runs
    return {"Recall": found.scores[0].mean}


def by_rank(data: dict[str, Any]) -> Values:
    rows = [
        (u, i, 1.0, rank) for u, items in data["lists"].items() for rank, i in enumerate(items, 1)
    ]
    frame = pd.DataFrame(rows, columns=["user_id", "item_id", "score", "rank"])
    reading = {"columns": "topic=user_id,docno=item_id"}
    (found,) = rankeval.evaluate(
        as_qrels(data["test"]), [frame], "RR@10", order="rank", **reading
    ).runs
    return {"MRR": found.scores[0].mean}


def users(data: dict[str, Any]) -> Values:
    found = recommended(data, "P@10")["P@10"]
    return {**found.per_topic, "mean": found.mean}


def shown_users(data: dict[str, Any]) -> Values:
    """Judge every user with a list: a grade of 0 is a judgment, too."""
    judged = {user: dict.fromkeys(items[:1], 0) for user, items in data["lists"].items()}
    train = {user: [i for u, i in data["train"] if u == user] for user, _ in data["train"]}
    (found,) = rankeval.evaluate(
        judged, [as_run(data["lists"])], "MIUF@10", items=Items(train=train)
    ).runs
    return {**found.scores[0].per_topic, "mean": found.scores[0].mean}


def seen(data: dict[str, Any]) -> Values:
    found = recommended(data, "R@5", exclude_seen=True)
    return {"Recall": found["R@5"].mean}


def whole_runs(data: dict[str, Any]) -> Values:
    every = {**data, "test": {user: items[:1] for user, items in data["lists"].items()}}
    return recommended_means(every, Coverage="Coverage@10", MIUF="MIUF@10", ARP="ARP@10")


def whole_lists(data: dict[str, Any]) -> Values:
    judged = {user: data["test"].get(user, []) for user in data["lists"]}
    qrels = {
        u: {**dict.fromkeys(data["lists"][u], 0), **dict.fromkeys(i, 1)} for u, i in judged.items()
    }
    train = {user: [i for u, i in data["train"] if u == user] for user, _ in data["train"]}
    features = {i: {f"f{n}": v for n, v in enumerate(r)} for i, r in data["features"].items()}
    (found,) = rankeval.evaluate(
        qrels, [as_run(data["lists"])], "Serendipity@10 ILD@10",
        items=Items(train=train, catalog=data["names"], features=features),
    ).runs  # fmt: skip
    return {"Serendipity": found.scores[0].mean, "ILD": found.scores[1].mean}


TEN = math.fsum(1 / math.log2(1 + rank) for rank in range(1, 11))

RECTOOLS_ROWS = {
    "user, item": columns_of_users,
    "interactions": interactions,
    "recommendations with `rank`": by_rank,
    "`Precision(k=10)`, `Recall(k=10)`, `HitRate(k=10)`": lambda d: recommended_means(
        d, Precision="P@10", Recall="R@10", HitRate="Success@10"
    ),
    "`MAP(k=10)`, `MRR(k=10)`": lambda d: recommended_means(d, MAP="AP@10", MRR="RR@10"),
    "`NDCG(k=10, divide_by_achievable=True)`": lambda d: recommended_means(d, NDCG="nDCG@10"),
    "`NDCG(k=10)`": lambda d: {"NDCG": recommended(d, "DCG@10")["DCG@10"].mean / TEN},
    "the users of a mean: those with interactions": users,
    "the users of `MeanInvUserFreq` and the like: those with a list": shown_users,
    "`CatalogCoverage(k=10, normalize=True)`, `MeanInvUserFreq(k=10)`, `AvgRecPopularity(k=10)`": (
        whole_runs
    ),
    "`Serendipity(k=10)`, `IntraListDiversity(k=10, ...)`": whole_lists,
    "`prev_interactions=`, `catalog=`": seen,
}


def terrier_frames(data: dict[str, Any]) -> tuple[Any, list[Any]]:
    def rows(table: Any, name: str) -> Any:
        found = [(q, d, value) for q, docs in table.items() for d, value in docs.items()]
        return pd.DataFrame(found, columns=["qid", "docno", name])

    return rows(data["qrels"], "label"), [rows(data[n], "score") for n in ("complete", "b")]


def terrier_means(data: dict[str, Any]) -> Values:
    qrels, frames = terrier_frames(data)
    found = rankeval.evaluate(qrels, dict(zip("ab", frames, strict=True)), "map").to_dict()
    return {name: values["map"] for name, values in found.items()}


def terrier_p(data: dict[str, Any]) -> Values:
    qrels, (first, second) = terrier_frames(data)
    found = rankeval.compare(qrels, first, {"b": second}, "map")["b", "AP"]
    return {"mean": terrier_means(data)["b"], "p": found.p}


def terrier_holm(data: dict[str, Any]) -> Values:
    qrels, (first, second) = terrier_frames(data)
    turned = second.assign(score=-second["score"])
    found = rankeval.compare(qrels, first, {"b": second, "c": turned}, "map", method=Method())
    return {name: found[name, "AP"].p for name in ("b", "c")}


PYTERRIER = {
    "topics with `qid`, results with `qid`, `docno`, `score`": terrier_means,
    "qrels with `qid`, `docno`, `label`": terrier_means,
    '`pt.Experiment([a, b], topics, qrels, ["map"], baseline=0)`': terrier_p,
    '`correction="holm"`': terrier_holm,
}


def whole(measure: str, name: str = "mean", **options: Any) -> Callable[[dict[str, Any]], Values]:
    """Return a function that evaluates the run with all documents."""

    def found(data: dict[str, Any]) -> Values:
        return {name: means(data, measure, "complete", **options)[measure]}

    return found


TORCHMETRICS = {
    "`indexes=`": whole("RR"),
    "`RetrievalNormalizedDCG(top_k=10)`": whole("nDCG@10", ties="expected"),
    "`RetrievalMAP()`": whole("AP"),
    "`RetrievalMRR()`": whole("RR"),
    "`RetrievalPrecision(top_k=10)`": whole("P@10"),
    "`RetrievalRecall(top_k=10)`": whole("R@10"),
    "`RetrievalHitRate(top_k=10)`": whole("Success@10"),
    "`RetrievalRPrecision()`": whole("Rprec"),
}


def binary(measure: str, name: str) -> Callable[[dict[str, Any]], Values]:
    """Return a function that evaluates the same with grades of 0 and 1."""
    return lambda data: whole(measure, name)(judged_as_binary(data))


SENTENCE_TRANSFORMERS = {
    "`queries`, `corpus`, `relevant_docs`": binary("nDCG@10", "ndcg@10"),
    "`ndcg@10`": binary("nDCG@10", "ndcg@10"),
    "`map@100`": binary("AP(norm='min')@100", "map@100"),
    "`mrr@10`": binary("RR@10", "mrr@10"),
    "`accuracy@5`": binary("Success@5", "accuracy@5"),
    "`precision@5`, `recall@5`": lambda d: {
        **binary("P@5", "precision@5")(d), **binary("R@5", "recall@5")(d)
    },
}  # fmt: skip


def differing(data: dict[str, Any]) -> Values:
    found = rankeval.diff(data["qrels"], data["complete"], data["b"], "nDCG@10", shown=5)
    return {
        f"{place}: {topic.topic}": abs(topic.difference)
        for place, topic in enumerate(found.measures[0].topics, 1)
    }


DIFFIR = {"`diffir a.run b.run --measure qrel --metric nDCG@10 --topk 5`": differing}


OURS: dict[str, dict[str, Callable[[dict[str, Any]], Values]]] = {
    "trec_eval": TREC_EVAL,
    "pytrec_eval": PYTREC_EVAL,
    "ir_measures": IR_MEASURES,
    "ranx": RANX,
    "RecTools": RECTOOLS_ROWS,
    "PyTerrier": PYTERRIER,
    "torchmetrics": TORCHMETRICS,
    "Sentence Transformers": SENTENCE_TRANSFORMERS,
    "diffir": DIFFIR,
}
"""rankeval's side of the rows, by heading."""


def rows_of_the_page() -> dict[str, list[str]]:
    """Return the first cells of the page's tables by heading."""
    rows: dict[str, list[str]] = {}
    section = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| ---"):
            rows.setdefault(section, []).append(re.split(r" (?<!\\)\| ", line[2:])[0])
    return {name: found[1:] for name, found in rows.items()}


def largest(ours: Values, theirs: Values) -> float:
    """Return the largest difference, which is infinite where they have a value that is not here."""
    if not theirs or not theirs.keys() <= ours.keys():
        return math.inf
    return max(
        0.0
        if math.isnan(ours[name]) and math.isnan(theirs[name])
        else abs(ours[name] - theirs[name])
        for name in theirs
    )


def environment(name: str, folder: Path) -> Path:
    """Make the environment of some tools, once; return its Python."""
    place = folder / name
    python, made = place / "bin" / "python", place / "made"
    wanted = "\n".join(" ".join(packages) for packages in ENVIRONMENTS[name])
    if not made.exists() or made.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        for packages in ENVIRONMENTS[name]:
            subprocess.run([python, "-m", "pip", "install", "-qq", *packages], check=True)
        made.write_text(wanted)
    return python


def compare_section(section: str, python: Path, data: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield a line for each row, and whether the row holds."""
    done = subprocess.run(
        [python, "-P", THEIR_SIDE, section], input=json.dumps(data), capture_output=True, text=True,
        check=False, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    if done.returncode:
        yield f"{section}: {done.stderr.strip().splitlines()[-1]}", False
        return
    said = json.loads(done.stdout)
    yield f"{section}: {', '.join(said['versions']) or 'not installed'}", True
    for row, compute in OURS[section].items():
        if row in said["failures"]:
            yield f"  FAIL  {row}: there: {said['failures'][row]}", False
        elif row in said["values"]:
            try:
                ours, theirs = compute(data), said["values"][row]
            except Exception as error:  # noqa: BLE001  the row is told with what it raised
                yield f"  FAIL  {row}: here: {type(error).__name__}: {error}", False
                continue
            difference = largest(ours, theirs)
            # trec_eval prints four decimals.
            most = 5.1e-5 if "all_trec" in row else TOLERANCE.get(section, EXACT)
            holds = difference <= most
            told = (
                ""
                if holds
                else f": {dict(list(ours.items())[-4:])}, there {dict(list(theirs.items())[-4:])}"
            )
            verdict = "ok  " if holds else "FAIL"
            yield f"  {verdict}  {row}: {len(theirs)} values, {difference:.1g}{told}", holds


def data_of_all() -> dict[str, Any]:
    """Return the data, with the names that trec_eval's code has, too."""
    data = drawn()
    return {**data, "all_trec": sorted(trec_lines(data, "-m", "all_trec"))}


def main() -> None:
    """Run the sections, and end with exit code 1 where a row does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sections", nargs="*", default=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--environments", type=Path, default=ROOT / "build" / "oracles")
    given = parser.parse_args()
    data = data_of_all()
    good = True
    for section in given.sections:
        python = environment(OF_SECTION.get(section, "classic"), given.environments.absolute())
        for line, holds in compare_section(section, python, data):
            print(line, flush=True)
            good = good and holds
    sys.exit(not good)


if __name__ == "__main__":
    main()
