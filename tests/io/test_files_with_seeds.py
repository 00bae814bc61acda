from rankeval.io.files import files_of_systems, runs_of_system, systems_of


def test_files_that_differ_in_the_seed_only_are_one_system(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.1.run", "a.2.run", "a.10.run", "b.1.run", "b.2.run", "c.run"):
        (tmp_path / name).write_text("x")

    assert systems_of(["*.{seed}.run", "c*"]) == ("a.{seed}.run", "b.{seed}.run", "c.run")
    assert runs_of_system("a.{seed}.run") == ("a.1.run", "a.2.run", "a.10.run")
    assert sorted(files_of_systems(["a.{seed}.run"])) == ["a.1.run", "a.10.run", "a.2.run"]


def test_every_place_of_the_seed_has_the_same_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("s1/x.1.run", "s2/x.2.run", "s2/x.3.run"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("x")

    assert systems_of(["s{seed}/*.{seed}.run"]) == ("s{seed}/x.{seed}.run",)
    assert runs_of_system("s{seed}/x.{seed}.run") == ("s1/x.1.run", "s2/x.2.run")


def test_a_file_with_such_a_name_is_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("{seed}.run", "[a].run"):
        (tmp_path / name).write_text("x")

    assert systems_of(["{seed}.run", "[a].run"]) == ("{seed}.run", "[a].run")
    assert runs_of_system("{seed}.run") == ("{seed}.run",)


def test_a_pattern_that_matches_nothing_stays_for_the_message(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert systems_of(["no*.run", "x.{seed}.run"]) == ("no*.run", "x.{seed}.run")
