"""The data a command is given."""

from tests.mips_core.commands.items import curves_of


def test_queries_are_sampled_and_may_leave_out_their_own_row(run, tmp_path):
    with_self = curves_of(run, tmp_path, "--index", "exact", "--n-queries", "20")
    without = curves_of(run, tmp_path, "--index", "exact", "--n-queries", "20", "--exclude-self")
    assert with_self["dataset"]["m"] == without["dataset"]["m"] == 20
    assert with_self["dataset"]["query_fingerprint"] != without["dataset"]["query_fingerprint"]


def test_options_for_sampled_queries_are_not_ignored(run):
    given = ("--queries", "@queries.npy", "--index", "exact")
    for option in (["--exclude-self"], ["--noise", "0.5"]):
        done = run("curve", "@items.npy", *given, *option)
        assert done.exit_code != 0
        assert "sampled from the items" in done.output
