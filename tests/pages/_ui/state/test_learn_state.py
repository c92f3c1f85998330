"""The place in the course, in links and back."""

from pages._ui.state.learn_state import LONGEST, LearnState, with_words, words_of


def test_a_place_stands_in_a_link_where_there_is_one():
    assert words_of(LearnState()) == {}
    assert words_of(LearnState("5:q=112")) == {"learn": ["5:q=112"]}
    assert with_words(LearnState(), {"learn": ["5:q=112", "6"]}) == LearnState("5:q=112")
    assert with_words(LearnState("3"), {}) == LearnState("3")


def test_any_text_can_stand_there_and_is_one_short_line():
    place = with_words(LearnState(), {"learn": ["<b>\n" * 1000]}).place
    assert "\n" not in place
    assert len(place) <= LONGEST
