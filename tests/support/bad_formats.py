# ruff: noqa: E501 - messages are as long as they are
"""Files of formats other than TREC's that cannot be used, each with the message it gets."""

BAD_RUNS = {
    "csv: a column too few": (
        b"qid,docno,score\n301,d1\n",
        (
            'run.txt:2: found 2 columns: "301,d1"\n'
            "  expected: qid docno score\n"
            "  to fix:   add the missing column"
        ),
    ),
    "csv: no topic": (
        b"qid,docno,score\n,d1,2\n",
        (
            'run.txt:2: the topic is empty: ",d1,2"\n'
            "  expected: qid docno score\n"
            "  to fix:   add the topic"
        ),
    ),
    "csv: a quote left open": (
        b'qid,docno,score\n301,"d1,2\n',
        (
            'run.txt:2: a quote is not closed, or not at both ends of its field: "301,"d1,2"\n'
            "  expected: qid docno score"
        ),
    ),
    "csv: a score that is not a number": (
        b"qid,docno,score\n301,d1,high\n",
        (
            'run.txt:2: score "high" is not a finite number\n'
            "  expected: qid docno score\n"
            "  to fix:   write the score as a decimal number"
        ),
    ),
    "csv: a decimal comma": (
        b"qid;docno;score\n301;d1;2,5\n",
        (
            'run.txt:2: score "2,5" is not a finite number\n'
            "  expected: qid docno score\n"
            "  to fix:   write the score as a decimal number with a point, not a comma"
        ),
    ),
    "csv: a duplicate": (
        b"qid,docno,score\n301,d1,2\n301,d1,1\n",
        (
            'run.txt:3: document "d1" is listed twice in topic "301", first in line 2\n'
            "  expected: each document once per topic\n"
            "  to fix:   keep one line for each document of a topic"
        ),
    ),
    "csv: a header and nothing else": (
        b"qid,docno,score\n",
        (
            "run.txt: has no rankings\n"
            "  expected: lines of topic Q0 docno rank score tag\n"
            "  to fix:   check that the file is complete"
        ),
    ),
    "ms marco: a rank that is not a number": (
        b"301\td1\t1\n301\td2\tx\n",
        (
            'run.txt:2: rank "x" is not a finite number\n'
            "  expected: topic docno rank\n"
            "  to fix:   write the rank as a decimal number"
        ),
    ),
    "json: cut off": (
        b'{"301": {"d1": 2.5',
        (
            "run.txt:1: is not JSON: expecting ',' delimiter at column 19\n"
            "  to fix:   check that the file is complete"
        ),
    ),
    "json: a score of text": (
        b'{"301": {"d1": "high"}}',
        (
            'run.txt: the score of document "d1" of topic "301" is "high", not a finite number\n'
            "  expected: {topic: {docno: score}}"
        ),
    ),
    "json: a score null": (
        b'{"301": {"d1": null}}',
        (
            'run.txt: the score of document "d1" of topic "301" is null, not a finite number\n'
            "  expected: {topic: {docno: score}}"
        ),
    ),
    "json: a score NaN": (
        b'{"301": {"d1": NaN}}',
        (
            'run.txt: the score of document "d1" of topic "301" is NaN, not a finite number\n'
            "  expected: {topic: {docno: score}}"
        ),
    ),
    "json: a topic twice": (
        b'{"301": {"d1": 1}, "301": {"d2": 1}}',
        ('run.txt: cannot be used: the name "301" occurs twice in an object'),
    ),
    "json: a document twice": (
        b'{"301": {"d1": 1, "d1": 2}}',
        ('run.txt: cannot be used: the name "d1" occurs twice in an object'),
    ),
    "json: nested too deeply": (
        b'{"301": ' + b"[" * 100000,
        ("run.txt: cannot be used: the JSON is nested too deeply"),
    ),
    "json: nothing in it": (
        b"{}",
        (
            "run.txt: has no rankings\n"
            "  expected: lines of topic Q0 docno rank score tag\n"
            "  to fix:   check that the file is complete"
        ),
    ),
    "json lines: no docno": (
        b'{"qid": 1, "docno": "a", "score": 1}\n{"qid": 1, "score": 1}\n',
        (
            'run.txt:2: the object has no "docno": "{"qid": 1, "score": 1}"\n'
            "  expected: qid docno score"
        ),
    ),
    "json lines: no json": (
        b'{"qid": 1, "docno": "a", "score": 1}\nend\n',
        (
            'run.txt:2: this is not JSON (Expecting value at column 1): "end"\n'
            "  expected: qid docno score"
        ),
    ),
    "json lines: unknown names": (
        b'{"a": 1, "b": "a", "c": 1}\n',
        (
            "run.txt: these columns do not show which is the topic, the docno and the score: a b c\n"
            "  expected: names such as topic docno score\n"
            "  to fix:   name them with --columns topic=NAME,docno=NAME,score=NAME"
        ),
    ),
    "json lines: a name twice": (
        b'{"qid": 1, "docno": "a", "score": 1}\n{"qid": 1, "docno": "a", "score": 1, "score": 2}\n',
        (
            'run.txt:2: the name "score" occurs twice in an object: "{"qid": 1, "docno": "a", "score": 1, "score": 2}"\n'
            "  expected: qid docno score"
        ),
    ),
}

BAD_QRELS = {
    "trec: preferences": (
        b"301 g1 s1 d1 1\n301 g1 s1 d2 0\n",
        (
            'qrels.txt:1: found 5 columns: "301 g1 s1 d1 1"\n'
            "  expected: topic iteration docno grade\n"
            "  to fix:   preferences: use 'rankeval trec_eval -R prefs', or drop the column of subgroups if each group has one"
        ),
    ),
    "json: a grade of text": (
        b'{"301": {"d1": "yes"}}',
        (
            'qrels.txt: the grade of document "d1" of topic "301" is "yes", not a finite number\n'
            "  expected: {topic: {docno: grade}}"
        ),
    ),
    "json: no object": (
        b'{"301": 5}',
        (
            "qrels.txt: these columns do not show which is the topic, the docno and the grade: 301\n"
            "  expected: names such as topic docno grade\n"
            "  to fix:   name them with --columns topic=NAME,docno=NAME,grade=NAME"
        ),
    ),
    "json lines: no grade": (
        b'{"qid": 1, "docno": "a", "grade": 1}\n{"qid": 1, "docno": "b"}\n',
        (
            'qrels.txt:2: the object has no "grade": "{"qid": 1, "docno": "b"}"\n'
            "  expected: qid docno grade"
        ),
    ),
    "json: cut off": (
        b'{"301": {"d1": 1},\n',
        (
            "qrels.txt:2: is not JSON: expecting property name enclosed in double quotes at column 1\n"
            "  to fix:   check that the file is complete"
        ),
    ),
}
