"""Saved results that commands read: what the definition of a measure does not allow is refused."""

import pytest

import rankeval
from tests.evaluation.test_saved_results import WRONG


@pytest.mark.parametrize("wrong", ["a value above 1", "a gain as a loss"])
@pytest.mark.parametrize("command", ["gate", "candidate", "compare", "plot"])
def test_commands_refuse_what_a_measure_cannot_have(shell, wrong, command):
    measure, changed, problem = WRONG[wrong]
    lines = [f"t{i} 0 r 1" for i in range(9)]
    shell.path("q.txt").write_text("\n".join([*lines, ""]))
    shell.path("a.run").write_text("".join(f"t{i} Q0 r 1 1 a\n" for i in range(9)))
    assert shell("eval", "q.txt", "a.run", "-q", "-m", measure, "-o", "a.json").code == 0
    path = shell.path("a.json")
    path.write_text(changed(path.read_text()))
    files = ("q.txt", "a.json", "a.run")
    if command == "candidate":
        files = ("q.txt", "a.run", "a.json")

    outcome = shell(
        *{
            "compare": ("compare", *files, "-m", measure),
            "plot": ("plot", "topics", "q.txt", "a.json", "a.run", "-m", measure, "-o", "x.svg"),
        }.get(command, ("gate", *files, "--max-drop", f"{measure}=0.1"))
    )

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("rankeval: a.json: ")
    assert problem in outcome.err
    assert "  expected: " in outcome.err


@pytest.mark.parametrize("like", ["trec_eval", "trec_eval9", "gdeval", "ranx", "beir", "msmarco"])
def test_measures_under_the_names_of_other_tools_are_read_back(shell, like):
    shell.path("q.txt").write_text("".join(f"t{i} 0 r 1\nt{i} 0 s 2\n" for i in range(9)))
    shell.path("a.run").write_text("".join(f"t{i} Q0 r 1 1 a\nt{i} Q0 x 2 0 a\n" for i in range(9)))
    names = (
        "-m",
        "map ndcg_cut_5 ndcg ndcg@5 mrr P.5 recall@5 MRR@10",
        "--measure-names",
        "as-given",
    )
    asked = ("eval", "q.txt", "a.run", "-q", "-l", "2", "--like", like, "-o", "a.json")

    for chosen in ((), names):
        assert shell(*asked, *chosen).code == 0
        assert rankeval.load(shell.path("a.json")).runs[0].scores
