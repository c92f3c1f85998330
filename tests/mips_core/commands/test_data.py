"""What files hold, said by command."""

import numpy as np

from tests.mips_core.commands.items import X


def test_data_says_what_files_hold(run, tmp_path):
    (tmp_path / "labels.txt").write_text("\n".join(f"word{i}" for i in range(400)))
    done = run("data", "@items.npy", "@labels.txt", "--metric", "cosine")
    assert done.exit_code == 0, done.output
    for words in ("400", "“word0”", "cosine", "500" if len(X) > 500 else "400 sampled items"):
        assert words in done.output


def test_data_corrects_and_refuses_in_words(run, tmp_path):
    spoiled = X.copy()
    spoiled[7, 2] = np.nan
    np.save(tmp_path / "bad.npy", spoiled)
    refused = run("data", "@bad.npy")
    assert refused.exit_code == 1
    assert "row 7, column 2" in refused.output
    assert "--read skip_bad=yes" in refused.output
    kept = run("data", "@bad.npy", "--read", "skip_bad=yes")
    assert kept.exit_code == 0
    assert "1 row was left out" in kept.output
    wrong = run("data", "@items.npy", "--read", "colour=red")
    assert wrong.exit_code == 1
    assert "skip_bad=yes, no" in wrong.output


def test_ratings_become_vectors_of_the_rank_asked_for(run, tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{u},{i},{rng.integers(1, 6)}" for u in range(30) for i in range(20)]
    (tmp_path / "r.csv").write_text("\n".join(["user,item,rating", *lines]))
    done = run("data", "@r.csv", "--rank", "7", "--export", "@out.npz")
    assert done.exit_code == 0, done.output
    assert "600 of 20 items by 30 users (100.00% of all pairs)" in done.output
    with np.load(tmp_path / "out.npz") as stored:
        assert stored["items"].shape == (20, 7)
        scores = stored["queries"].astype(float) @ stored["items"].T.astype(float)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :1]
        np.testing.assert_array_equal(stored["neighbors"][:, :1], best)
    assert "Items:       600" in run("data", "@r.csv", "--kind", "vectors").output
    assert "Known: .npz" in run("data", "@r.csv", "--export", "@out.pdf").output


def test_float16_is_told_of_where_it_may_be_kept(run, tmp_path):
    np.save(tmp_path / "halves.npy", np.arange(12, dtype=np.float16).reshape(4, 3))
    assert "Numbers:     float16, made float32; --read keep" in run("data", "@halves.npy").output
    kept = run("data", "@halves.npy", "--read", "keep_float16=yes").output
    assert "Numbers:     float16, kept so" in kept
    assert "Numbers:" not in run("data", "@items.npy").output
