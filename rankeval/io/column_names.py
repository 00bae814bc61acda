"""Names of columns: those by which each role is known, the preferred ones first."""

from collections.abc import Collection, Mapping, Sequence

from rankeval.base.frozen import no_choice, record
from rankeval.base.wording import quoted
from rankeval.errors import InputError, UsageError

NEAREST = 3
"""Names of a column that a message gives."""

KINDS = ("run", "qrels")
"""The kinds of files: a run, or judgments."""

TOPIC = (
    *("topic", "topic_id", "topicid", "topic_number", "qid", "query_id", "queryid", "q_id"),
    *("query", "question_id"),
    *("user_id", "userid", "user"),  # recommenders rank items for users
)
DOCNO = (
    *("docno", "doc_id", "docid", "document_id", "documentid", "corpus_id", "did", "doc"),
    *("document", "passage_id", "pid"),
    *("item_id", "itemid", "item"),
)
GRADE = ("grade", "relevance", "rel", "label", "judgment", "judgement", "rating", "gain", "score")
SUBTOPICS = ("subtopic", "subtopic_id", "intent", "intent_id", "aspect", "aspect_id")

RUN = {
    "topic": TOPIC,
    "docno": DOCNO,
    "score": ("score", "sim", "similarity", "rsv", "relevance_score", "prediction"),
    "rank": ("rank", "position"),
    "tag": ("tag", "run", "run_id", "runid", "run_tag", "run_name", "system"),
}
QRELS = {
    "topic": TOPIC,
    "docno": DOCNO,
    "grade": GRADE,
    "iteration": (*SUBTOPICS, "iteration", "iter", "q0"),
    "stratum": ("stratum", "category"),
}
ROLES = {"run": RUN, "qrels": QRELS}
ALL_ROLES = tuple(dict.fromkeys([*RUN, *QRELS]))
VALUES = {"run": "score", "qrels": "grade"}
"""The role of the number of a line."""

KEPT = {"run": ("rank", "tag"), "qrels": ("iteration", "stratum")}
"""Further roles, whose columns are kept as they are."""


def value_role(what: str, roles: Collection[str], *, by_rank: bool = False) -> str:
    """Return the role of the number; a run without scores, or ordered `by_rank`, has ranks."""
    ranked = "score" not in roles or (by_rank and "rank" in roles)
    return "rank" if what == "run" and ranked else VALUES[what]


def parse_columns(text: str) -> Mapping[str, str]:
    """Read the names of columns by their roles: `topic=qid,docno=pid`."""
    pairs = [pair.partition("=") for pair in text.split(",")] if text else []
    columns = {role.strip(): name.strip() for role, _, name in pairs}
    if not all(columns.values()):
        raise UsageError(
            f"--columns does not understand '{text}'",
            expected="topic=NAME,docno=NAME,score=NAME, with any of " + ", ".join(ALL_ROLES),
        )
    return require_roles(columns)


def require_roles(columns: Mapping[str, str]) -> Mapping[str, str]:
    """Return names of columns by their roles; UsageError for a role that does not exist."""
    for role in columns:
        if role not in ALL_ROLES:
            raise no_choice("a role of columns", role, ALL_ROLES)
    return columns


def find_roles(
    names: Sequence[str], what: str, given: Mapping[str, str], fixed: Collection[str] = ()
) -> dict[str, int] | None:
    """Return the place of each role among the columns; None if a needed role is missing.

    Names that are given hold where there is one of them; columns whose own names are known need
    none. Roles that are fixed need no column, and neither has the grade of judgments of two
    columns, which is 1.
    """
    fixed = _fixed(names, what, fixed)
    meant = {name for role, name in given.items() if role in ROLES[what]}
    for asked in [given] if meant & set(names) else [given, {}]:
        roles = roles_found(names, what, asked, fixed)
        whole = set(missing_roles(roles, what)) <= set(fixed)
        if whole and len(set(roles.values())) == len(roles):
            return roles
    return None


def _fixed(names: Sequence[str], what: str, fixed: Collection[str]) -> Collection[str]:
    return {*fixed, "grade"} if what == "qrels" and len(names) == 2 else fixed


def roles_found(
    names: Sequence[str], what: str, given: Mapping[str, str], fixed: Collection[str]
) -> dict[str, int]:
    """Return the place of each role that has a column, whether others lack one or not."""
    plain = [plain_name(name) for name in names]
    roles = {}
    for role, known in ROLES[what].items():
        places = [plain.index(name) for name in known if name in plain]
        if role in given:
            places = [at for at, name in enumerate(names) if name == given[role]]
        if places and role not in fixed:
            roles[role] = places[0]
    return roles


def missing_roles(roles: Mapping[str, int], what: str) -> list[str]:
    """Return the needed roles that a file lacks."""
    needed = ["topic", "docno"]
    if what != "run" or "rank" not in roles:
        needed.append(VALUES[what])
    return [role for role in needed if role not in roles]


def roles_of(
    names: Sequence[str],
    what: str,
    given: Mapping[str, str],
    place: str,
    fixed: Collection[str] = (),
) -> dict[str, int]:
    """Return the place of each role; InputError if a needed one has no column, or one has two."""
    fixed = _fixed(names, what, fixed)
    roles = find_roles(names, what, given, fixed)
    found = roles_found(names, what, given, fixed)
    lacking = [role for role in missing_roles(found, what) if role not in fixed]
    meant = {role: name for role, name in given.items() if role in ROLES[what]}
    for role, name in meant.items():
        # The names are of another file where this one has none of them; a single one is mistyped.
        known = roles is not None and not set(meant.values()) & set(names) and len(lacking) != 1
        if name not in names and role not in fixed and not known:
            raise InputError(
                f"has no column {quoted(name.encode('utf-8', 'surrogatepass'))} for the {role}",
                place=place,
                expected=f"one of {listed(names)}",
            )
    if roles is None:
        needed = missing_roles({}, what)
        lacking = lacking or needed
        remedy = f"name the column with --columns {','.join(f'{r}=NAME' for r in lacking)}"
        if what in KINDS and name_columns(names, {}):
            other = "qrels" if what == "run" else "a run"
            remedy = f"this looks like {other}: name the qrels first, then the runs"
        raise InputError(
            f"has no column of the {', the '.join(lacking)}: {listed(names)}",
            place=place,
            expected=f"columns with names such as {', '.join(ROLES[what][lacking[0]][:NEAREST])}"
            if len(lacking) == 1
            else f"names such as {' '.join(needed)}",
            remedy=remedy,
        )
    for role, at in roles.items():
        alike = names if role in given else [plain_name(name) for name in names]
        if list(alike).count(alike[at]) > 1:
            raise InputError(
                f"has the column {quoted(names[at].encode('utf-8', 'surrogatepass'))} of the "
                f"{role} more than once",
                place=place,
                expected="one column of each name that matters",
                remedy="rename or drop all but one of them, or name another with "
                f"--columns {role}=NAME",
            )
    return roles


def plain_name(name: str) -> str:
    """Return a column name in lower case with underscores."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def listed(names: Sequence[str]) -> str:
    """Return the names for a message, cut if they are too many."""
    return quoted(" ".join(names).encode("utf-8", "surrogatepass"))[1:-1]


@record
class ContentGuess:
    """The content that a file seems to have; `certain` if it can have no other."""

    what: str
    certain: bool


def guess_by_names(
    names: Sequence[str], first_row: Sequence[str], given: Mapping[str, str]
) -> ContentGuess:
    """Guess from the names of columns, and the values in the first row, which may be too few."""
    roles = {what: find_roles(names, what, given) for what in KINDS}
    run, qrels = roles["run"], roles["qrels"]
    if run is None or qrels is None:
        return ContentGuess("run" if qrels is None else "qrels", certain=True)
    if run.keys() & {"rank", "tag"}:
        return ContentGuess("run", certain=True)
    if qrels["grade"] != run["score"] or "iteration" in qrels or "stratum" in qrels:
        return ContentGuess("qrels", certain=True)
    grade = "".join(first_row[qrels["grade"] :][:1])
    return ContentGuess("qrels" if is_integer(grade) else "run", certain=False)


def name_columns(names: Sequence[str], given: Mapping[str, str]) -> bool:
    """Return True if the names are column names of a run or of judgments."""
    return any(find_roles(names, what, given) is not None for what in KINDS)


def is_integer(text: str) -> bool:
    """Return True for digits with or without a sign."""
    return text.strip().lstrip("+-").isdigit()
