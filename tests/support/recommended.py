"""Random recommendations, interactions and features, and RecTools' values for them."""

from random import Random

import rankeval
from rankeval.options import Items

K = (1, 3, 5, 10)


def random_case(seed, *, users=40, items=60, longest=12):
    """Draw lists of several lengths, test and training interactions, and features of items.

    Some recommended items are cold, some users have no training interactions, and some items have
    a missing feature or none.
    """
    random = Random(seed)
    names = [f"i{number}" for number in range(items)]
    warm = names[: items * 3 // 4]
    people = [f"u{number}" for number in range(users)]
    weights = [1 / (1 + number) for number in range(len(warm))]
    train = [
        (user, item)
        for user in people[: users * 3 // 4]
        for item in random.choices(warm, weights, k=random.randint(1, 9))
    ]
    lists = {user: random.sample(names, random.randint(1, longest)) for user in people}
    test = {user: random.sample(names, random.randint(1, 8)) for user in people}
    features = {
        item: [
            random.choice([0, 1, None if random.random() < 0.1 else 2]),
            *random.choices((0, 1), k=4),
        ]
        for item in names[:-3]
    }
    return lists, test, train, names, features


def as_run(lists):
    """Turn lists of items into a run, best first."""
    return {
        u: {item: -float(rank) for rank, item in enumerate(items)} for u, items in lists.items()
    }


def as_qrels(test):
    """Turn test interactions into judgments."""
    return {user: dict.fromkeys(items, 1) for user, items in test.items()}


def evaluated(case, measures, groups=None, **items):
    """Evaluate a case with all that measures of recommenders take."""
    lists, test, train, names, features = case
    given = {
        "train": {user: [i for u, i in train if u == user] for user in dict(train)},
        "catalog": names,
        "features": {
            item: {f"f{n}": v for n, v in enumerate(row)} for item, row in features.items()
        },
    }
    known = Items(**{**given, **items})
    return rankeval.evaluate(as_qrels(test), as_run(lists), measures, items=known, groups=groups)
