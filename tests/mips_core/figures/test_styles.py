"""The look is one thing said once: unique, readable, and the same in config.toml."""

import copy
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from mips_core.figures import styles
from mips_core.figures.styles import CLUSTERS, METHODS, MODES, ROLES, plain, resolve, tokens
from mips_core.figures.template import (
    CATEGORICAL_KEYS,
    DIVERGING,
    SEQUENTIAL,
)

ROOT = Path(__file__).parents[3]


THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]


INK = ("text", "muted", "target", "hit", "miss", "query", "good", "warn", "bad")


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_by_known_pairs():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("field", ["symbol", "glyph", "label", "short"])
def test_no_two_methods_share(field):
    counts = Counter(getattr(style, field) for style in METHODS.values())
    assert max(counts.values()) == 1


def test_no_two_methods_of_a_family_share_a_dash():
    assert len({(s.family, s.dash) for s in METHODS.values()}) == len(METHODS)


def test_an_index_without_a_style_gets_a_spare_one_that_no_other_has():
    spare = [styles.spare_style(f"A method named {i}", i) for i in range(5)]
    counts = Counter([*(s.symbol for s in METHODS.values()), *(s.symbol for s in spare)])
    assert max(counts.values()) == 1
    assert len({s.dash for s in spare}) == len(spare)
    assert {s.short for s in spare} == {"A method nam"}
    assert contrast(spare[0].light, ROLES["background"][0]) >= 3
    assert contrast(spare[0].dark, ROLES["background"][1]) >= 3


def test_short_names_are_short():
    assert max(len(style.short) for style in METHODS.values()) <= 12


@pytest.mark.parametrize("mode", MODES)
def test_methods_stand_out_on_the_background(mode):
    colours = tokens(mode)
    for key in (*METHODS, *INK):
        assert contrast(colours[key], colours["background"]) >= 3, key
    assert contrast(colours["text"], colours["background"]) >= 7
    assert contrast(colours["muted"], colours["background"]) >= 4.5
    assert contrast(colours["muted"], colours["surface"]) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_config_holds_the_same_colours(mode):
    theme, colours = THEME[mode], tokens(mode)
    assert theme["chartCategoricalColors"] == [colours[key] for key in CATEGORICAL_KEYS]
    assert len(theme["chartCategoricalColors"]) == 10
    assert theme["chartSequentialColors"] == list(SEQUENTIAL[mode])
    assert theme["chartDivergingColors"] == list(DIVERGING[mode])
    assert theme["backgroundColor"] == colours["background"]
    assert theme["secondaryBackgroundColor"] == colours["surface"]
    assert theme["textColor"] == colours["text"]


def test_roles_and_clusters_do_not_hide_a_method():
    names = [*METHODS, *ROLES, *(f"c{j}" for j in range(len(CLUSTERS["light"])))]
    assert len(names) == len(set(names))
    assert len(CLUSTERS["light"]) == len(CLUSTERS["dark"]) == 12


def test_resolve_reaches_nested_colours_and_leaves_its_argument():
    figure = {
        "data": [{"line": {"color": "$flat-kmeans"}, "fillcolor": "$flat-kmeans@0.15"}],
        "layout": {"colorway": ["$hit", "$miss"], "shapes": ({"line": {"color": "$axis"}},)},
    }
    before = copy.deepcopy(figure)
    found = resolve(figure, tokens("light"))
    assert figure == before
    assert found == {
        "data": [{"line": {"color": "#2563D9"}, "fillcolor": "rgba(37,99,217,0.15)"}],
        "layout": {"colorway": ["#2563D9", "#C2185B"], "shapes": [{"line": {"color": "#B4BCC7"}}]},
    }


def test_resolve_reads_named_strengths():
    assert resolve("$hit@band", tokens("light")).endswith(",0.14)")
    assert resolve("$hit@band", tokens("dark")).endswith(",0.22)")


def test_resolve_changes_colours_only():
    trace = {"name": "$text", "text": ["$hit"], "customdata": [["$miss"]], "marker": {"size": 3}}
    assert resolve(trace, tokens("light")) == trace
    assert resolve({"color": "$unknown"}, tokens("light")) == {"color": "$unknown"}
    assert resolve({"color": "red"}, tokens("light")) == {"color": "red"}


def test_plain_shows_markup_as_text():
    assert plain("<b>&%{x}</b>") == "&lt;b&gt;&amp;&#37;{x}&lt;/b&gt;"
    assert plain("5 % of {x}") == "5 % of {x}"


def test_styles_import_nothing_of_ours():
    source = Path(styles.__file__).read_text()
    assert "mips_core" not in [w for line in source.splitlines() for w in line.split()[1:2]]
