"""Parts of a bar: a sub-task reports from where its part begins to where it ends."""

from mips_core.base.progress import silent, span


def test_a_part_of_a_part_keeps_its_place_message_and_partial_result():
    seen = []
    whole = lambda fraction, message, partial=None: seen.append((fraction, message, partial))  # noqa: E731
    part = span(span(whole, 0.5, 1.0), 0.0, 0.5)
    for fraction in (0.0, 0.5, 1.0):
        part(fraction, "x", fraction)
    assert seen == [(0.5, "x", 0.0), (0.625, "x", 0.5), (0.75, "x", 1.0)]
    assert silent(0.3, "to no one") is None
