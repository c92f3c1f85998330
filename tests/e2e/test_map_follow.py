"""A search followed on the map, in a real browser: overlay, slider, steps, saved pictures."""

import io
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.e2e.map_follow_page import BEAM, HOSTILE, answers, found_by, lattice, opening

APP = Path(__file__).with_name("map_follow_app.py")
pytestmark = pytest.mark.browser
N, SIDE = 400, 4
K = SIDE * SIDE
MIDDLES, AT, GROUP = lattice(N, SIDE)
ORDER = opening(MIDDLES)
TRUE = answers(ORDER, K)
SVG = "{http://www.w3.org/2000/svg}"


def state(app):
    return app.page.evaluate("() => document.querySelector('.mx-map')?.mapState?.() ?? {}")


def upon(app):
    """What lies on the points."""
    read = "() => document.querySelector('.mx-map-overlay')?.overlayState() ?? {}"
    return app.page.evaluate(read)


def opened(app, address="", n=N, whole=True):
    """The map at this address; all of it, or what the search followed is about."""
    app.goto(f"?n={n}&{address}")
    app.until(lambda: state(app).get("drawn"), n, seconds=60)
    app.until(lambda: upon(app).get("took"))
    if whole and "plain" not in address:
        press(app, "Reset the view")
        app.until(lambda: state(app)["camera"]["zoom"], 1)
        app.frame()
    return app


@pytest.fixture
def followed(app):
    return opened(app)


def slider(app):
    return app.page.get_by_label("Probes", exact=True)


MOVE = """
(input, position) => {
  input.value = position
  input.dispatchEvent(new Event("input", { bubbles: true }))
}
"""


def move(app, position):
    """As a drag does that goes on."""
    slider(app).evaluate(MOVE, position)
    app.until(lambda: state(app)["position"], position)


def let_go(app):
    slider(app).evaluate("(input) => input.dispatchEvent(new Event('change', { bubbles: true }))")


def sentence(app):
    return app.page.locator(".mx-map .mx-sentence").inner_text()


def heard(app):
    return app.page.get_by_text(re.compile(r"^\d+ choices, position")).inner_text()


def press(app, button):
    app.page.get_by_role("button", name=button, exact=True).click()


def apart(boxes):
    """Whether no two of the boxes overlap."""
    return not any(
        a["left"] < b["right"] and b["left"] < a["right"]
        and a["top"] < b["bottom"] and b["top"] < a["bottom"]
        for a, b in combinations(boxes, 2)
    )  # fmt: skip


def test_the_slider_opens_the_right_clusters_and_counts_hits_and_misses(followed):
    for position in (0, 3, 9, 12):
        move(followed, position)
        now = followed.until(
            lambda: upon(followed), lambda seen, p=position: len(seen["numbers"]) == min(p + 1, 9)
        )
        found = np.array(found_by(position))
        assert state(followed)["opened"] == ORDER[: position + 1].tolist()
        assert [mark["item"] for mark in now["hits"]] == TRUE[found].tolist()
        assert [mark["item"] for mark in now["misses"]] == TRUE[~found].tolist()
        assert [number["group"] for number in now["numbers"]] == ORDER[: position + 1][:9].tolist()
        assert [number["text"] for number in now["numbers"]] == list("123456789")[: position + 1]
        missed = [label["text"] for label in now["labels"] if label["text"].endswith(", missed")]
        assert set(missed) <= {f"word {item}, missed" for item in TRUE[~found]}
        assert len(missed) == (~found).sum()
    assert heard(followed) == "0 choices, position 4"
    followed.assert_clean()


def test_the_sentence_says_what_is_found_at_each_position(followed):
    for position, said in (
        (0, "castle, 1 probe: 25 candidates, 2 of 5 true answers found, 3 missed. 9.8×"),
        (4, "castle, 5 probes: 125 candidates, 4 of 5 true answers found, 1 missed. 2.8×"),
        (9, "castle, 10 probes: 250 candidates, 5 of 5 true answers found, 0 missed. 1.5×"),
        (15, "castle, 16 probes: 0.96×, more inner products than exact search."),
    ):
        move(followed, position)
        followed.until(lambda: sentence(followed), lambda text, s=said: text.startswith(s))
    assert slider(followed).get_attribute("aria-valuetext") == "16 of 16 probes"
    spoken = followed.page.locator(".mx-map-follow .mx-spoken")
    followed.until(spoken.inner_text, sentence(followed))


def test_marks_stand_where_their_items_are(followed):
    now, seen = state(followed), upon(followed)
    for mark in [*seen["hits"], *seen["misses"]]:
        x = now["origin"][0] + AT[mark["item"], 0] * now["scale"]
        y = now["origin"][1] - AT[mark["item"], 1] * now["scale"]
        assert mark["at"] == pytest.approx([x, y], abs=0.1)
    assert seen["star"] == pytest.approx(now["origin"], abs=0.1)


def test_a_run_of_keys_is_one_choice_and_comes_back_from_python(followed):
    slider(followed).focus()
    for _ in range(3):
        followed.page.keyboard.press("ArrowRight", delay=0)
    followed.until(lambda: state(followed)["position"], 7)
    followed.until(lambda: heard(followed), lambda text: text.endswith("position 7"))
    followed.idle()
    assert state(followed)["position"] == 7
    followed.assert_clean()


def test_a_drag_is_one_choice(followed):
    followed.drag("Probes", 4 / 15, 12 / 15, moves=10)
    followed.until(lambda: heard(followed), "1 choices, position 12")
    followed.idle()
    assert heard(followed) == "1 choices, position 12"
    assert state(followed)["position"] == 12


def chips(app):
    return [
        " ".join(text.split()) for text in app.page.locator(".mx-map-answers li").all_inner_texts()
    ]


def test_the_answers_are_listed_with_what_finds_them(app):
    opened(app, "beam")
    move(app, 2)
    wanted = ["✓", "✓", "✓", "✕ 4 probes find it", "✕ 10 probes find it"]
    names = [f"{i + 1} word {item}" for i, item in enumerate(TRUE)]
    app.until(
        lambda: chips(app), [f"{name} {what}" for name, what in zip(names, wanted, strict=True)]
    )
    move(app, 12)
    app.until(lambda: chips(app)[BEAM[0]], f"{names[BEAM[0]]} ✕ {BEAM[1]} probes find it")
    before = state(app)["camera"]["zoom"]
    app.page.get_by_role("button", name=re.compile(f"^4, word {TRUE[3]}, found")).click()
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > before)
    box = app.page.locator(".mx-map-overlay").bounding_box()
    middle = pytest.approx([box["width"] / 2, box["height"] / 2], abs=2)
    app.until(  # the camera takes a moment to come there
        lambda: [mark["at"] for mark in upon(app)["hits"] if mark["item"] == TRUE[3]],
        lambda places: len(places) == 1 and places[0] == middle,
    )


def share_named(app, side):
    """Of the groups in sight, which share is named."""
    now, box = state(app), app.page.locator(".mx-map-overlay").bounding_box()
    x, y = (lattice(0, side)[0] * now["scale"] * [1, -1] + now["origin"]).T
    in_sight = (x > 0) & (x < box["width"]) & (y > 0) & (y < box["height"])
    return len(upon(app)["names"]) / in_sight.sum()


@pytest.mark.parametrize("address", ["side=20&n=4000", "side=20&n=4000&plain"])
def test_names_do_not_lie_on_each_other_and_more_come_nearer(app, address):
    opened(app, address, n=4000)
    app.until(lambda: upon(app)["names"])
    shares = []
    for _ in range(3):
        seen, zoom = upon(app), state(app)["camera"]["zoom"]
        assert apart([it["box"] for kind in ("names", "labels", "numbers") for it in seen[kind]])
        shares.append(share_named(app, side=20))
        press(app, "Zoom in")
        app.until(lambda z=zoom: state(app)["camera"]["zoom"] > z)
        app.frame()
    assert shares[0] < shares[2]
    app.assert_clean()


def test_a_name_once_shown_stays_while_the_map_is_moved(app):
    opened(app, "side=20&n=4000&plain", n=4000)
    press(app, "Zoom in")
    app.page.locator(".mx-stage").focus()
    size = app.page.locator(".mx-map-overlay").bounding_box()
    seen = app.until(lambda: upon(app), lambda now: now["names"])
    for way in ("Right", "Right", "Left", "Left"):
        before = {name["group"]: name["box"] for name in seen["names"]}
        x = state(app)["origin"][0]
        app.page.keyboard.press(f"Arrow{way}")
        moved = app.until(lambda: state(app)["origin"][0], lambda now, x=x: now != x) - x
        app.frame()
        seen = upon(app)
        after = {name["group"] for name in seen["names"]}
        inside = {
            group for group, box in before.items()
            if box["left"] + moved > 12 and box["right"] + moved < size["width"] - 60
            and (box["top"] > 60 or box["left"] + moved > 280)  # else it gives way to Find
        }  # fmt: skip
        assert inside
        assert inside <= after


def test_hostile_names_stay_text(app):
    opened(app, "hostile&outlines")
    app.until(lambda: sentence(app), lambda text: text.startswith("<img src=x onerror=alert(1)>"))
    assert "**b** {found} &, 5 probes" in sentence(app)
    shown = " ".join(HOSTILE.replace("\x01", " ").split())
    assert chips(app)[3] == f"4 {shown} ✓"
    assert app.page.locator(".mx-map img").count() == 0
    drawn = [name["text"] for name in upon(app)["names"]]
    assert any(text.startswith("<img src=x onerror=alert(") for text in drawn)
    app.assert_clean()


def in_sight(app):
    """The true answers that are in the picture, and whether the query is."""
    seen = upon(app)
    answers_ = {mark["item"] for kind in ("hits", "misses") for mark in seen[kind]}
    return answers_, seen["star"] is not None


@pytest.mark.parametrize("width", [1280, 390])
def test_a_search_brings_its_query_and_all_true_answers_into_view(app):
    opened(app, "stray", whole=False)
    app.until(lambda: in_sight(app), (set(TRUE.tolist()), True))
    press(app, "Reset the view")  # all items, for whom one stray would leave no room
    app.until(lambda: in_sight(app), (set(TRUE[:4].tolist()), True))
    press(app, "Reset the view")
    app.until(lambda: in_sight(app), (set(TRUE.tolist()), True))
    app.assert_clean()


def test_a_search_step_by_step(app):
    opened(app, "outlines")
    whole = sentence(app)
    press(app, "Step through this search")
    first = "Step 1 of 4. Level 1: 4 clusters scored, 2 kept, 4 inner products; 4 so far."
    app.until(lambda: sentence(app), first)
    app.until(lambda: upon(app)["scored"], [2, 3])
    assert upon(app)["kept"] == [0, 1]
    assert upon(app)["hits"] == []  # not yet known
    press(app, "Next ›")
    second = "Step 2 of 4. Level 2: 16 clusters scored, 1 inner product; 5 so far."
    app.until(lambda: sentence(app), second)
    app.until(lambda: upon(app)["kept"], ORDER[:5].tolist())
    app.page.locator(".mx-stage").focus()  # the map's own arrow keys step, too
    origin = state(app)["origin"]
    app.page.keyboard.press("ArrowRight")
    third = "Step 3 of 4. Items scored, 125 inner products; 130 so far."
    app.until(lambda: sentence(app), third)
    app.page.keyboard.press("ArrowRight")
    end = "Step 4 of 4. 4 of 5 true answers found, 1 missed, with 141 inner products."
    app.until(lambda: sentence(app), end)
    app.until(lambda: len(upon(app)["hits"]), 4)
    app.page.keyboard.press("ArrowLeft")
    app.until(lambda: sentence(app), third)
    assert state(app)["origin"] == origin  # the map stayed where it was
    move(app, 9)  # the steps are of another effort until Python has answered
    app.until(app.page.get_by_role("button", name="Next ›").is_disabled)
    assert sentence(app).startswith("castle, 10 probes")
    let_go(app)
    app.until(app.page.get_by_role("button", name="Next ›").is_enabled)
    app.until(lambda: sentence(app), "Step 3 of 4. Items scored, 250 inner products; 255 so far.")
    app.page.locator(".mx-stage").focus()
    app.page.keyboard.press("Escape")
    app.until(lambda: sentence(app), lambda text: text.startswith("castle, 10 probes"))
    app.page.keyboard.press("ArrowRight")  # moves the map again
    app.until(lambda: state(app)["origin"], lambda now: now != origin)
    assert whole.startswith("castle, 5 probes")
    app.assert_clean()


def test_without_a_search_its_parts_leave_no_gap(app):
    opened(app, "plain")
    for part in (".mx-map-follow", ".mx-map-answers", ".mx-map-steps", ".mx-find-end"):
        assert not app.page.locator(part).is_visible()
    assert upon(app)["star"] is None
    assert len(upon(app)["names"]) == K


def saved(app, format_, where):
    download = app.download(format_)
    assert download.suggested_filename == f"map-a-b.{format_.lower()}"
    download.save_as(where)
    return where


def part(svg, name):
    return svg.find(f"{SVG}g[@id='{name}']")


def test_svg_holds_every_point_and_text_as_text(app, tmp_path):
    opened(app, "hostile&outlines")
    root = ElementTree.parse(saved(app, "SVG", tmp_path / "map.svg")).getroot()
    points, marks = part(root, "points"), part(root, "marks")
    assert len(points.findall(f".//{SVG}circle")) == N
    assert len(marks.findall(f".//{SVG}g[@fill-rule='evenodd']/{SVG}path")) == K
    texts = ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    assert any(
        text.startswith("<img src=x onerror=alert(1)> **b** {found} &, 5 probes") for text in texts
    )
    assert f"word {TRUE[4]}, missed" in texts
    assert "A lattice." in texts
    assert not root.findall(f".//{SVG}image")


@pytest.mark.parametrize(
    ("address", "legend"),
    [
        ("", {"Colours tell neighbouring clusters apart; 16 clusters."}),
        ("kinds&", {"Part:", "noun", "verb"}),
        ("values&", {"Norm", "0.5", "8"}),
    ],
)
def test_svg_says_what_its_colours_mean(app, tmp_path, address, legend):
    opened(app, f"{address}plain")
    root = ElementTree.parse(saved(app, "SVG", tmp_path / "map.svg")).getroot()
    points = part(root, "points")
    assert len(points.findall(f".//{SVG}circle")) == N
    assert legend <= {"".join(node.itertext()) for node in root.iter(f"{SVG}text")}
    colours = {group.get("fill") for group in points.findall(f"{SVG}g")}
    assert len(colours) > 2
    dots = {dots.get("fill") for dots in part(root, "caption").findall(f"{SVG}g")}
    assert dots <= colours  # those of the caption


def test_svg_of_many_points_holds_a_picture_of_them_and_says_so(app, tmp_path):
    opened(app, "n=20100", n=20100)
    root = ElementTree.parse(saved(app, "SVG", tmp_path / "map.svg")).getroot()
    assert "more than 20,000, are a picture" in root.find(f"{SVG}desc").text
    (image,) = root.findall(f".//{SVG}image")
    assert image.get("href").startswith("data:image/png;base64,")
    assert root.findall(f".//{SVG}text")


@pytest.mark.parametrize(("scheme", "ground"), [("light", (255, 255, 255)), ("dark", (17, 22, 29))])
def test_png_is_twice_as_large_on_solid_ground(followed, tmp_path, ground):
    box = followed.page.locator(".mx-map-overlay").bounding_box()
    with Image.open(io.BytesIO(saved(followed, "PNG", tmp_path / "map.png").read_bytes())) as png:
        assert png.width == round(2 * box["width"])
        assert png.height > 2 * box["height"]  # with a caption
        pixels = np.asarray(png.convert("RGB"))
    assert tuple(pixels[0, 0]) == ground
    inked = (pixels != ground).any(axis=2)
    assert inked[: round(2 * box["height"])].mean() > 0.005
    assert inked[round(2 * box["height"]) :].mean() > 0.005
