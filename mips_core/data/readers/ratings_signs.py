"""How files of ratings are told from vectors: by the names of their columns, or their first lines.

A table of numbers without a header may be either; it counts as ratings only with a column of times.
"""

import re
from collections.abc import Iterable, Sequence

from mips_core.data.readers.contract import HEAD_BYTES
from mips_core.data.readers.names import plain
from mips_core.data.readers.text.lines import BOM, is_remark, is_text
from mips_core.data.readers.text.numbers import is_number

USERS = (
    "userid", "user", "users", "uid", "usersha1", "username", "customerid", "customer", "custid",
    "reviewerid", "reviewer", "visitorid", "visitor", "memberid", "member", "accountid",
    "personid", "person", "profileid", "profilename", "reviewprofilename", "clientid", "consumerid",
    "raterid", "rater", "listener", "viewer", "buyer", "buyerid", "sessionid",
)  # fmt: skip
ITEMS = (
    "itemid", "item", "items", "iid", "movieid", "movie", "filmid", "film", "productid", "product",
    "prodid", "asin", "parentasin", "isbn", "bookid", "book", "trackid", "track", "songid", "song",
    "artistid", "artist", "albumid", "album", "businessid", "business", "animeid", "anime",
    "gameid", "game", "appid", "videoid", "video", "articleid", "article", "newsid", "recipeid",
    "jokeid", "joke", "beerid", "beerbeerid", "restaurantid", "restaurant", "placeid", "venueid",
    "poiid", "hotelid", "stockcode", "sku", "contentid", "documentid", "docid", "itemname",
    "artistname", "trackname", "moviename", "movietitle",
)  # fmt: skip
VALUES = (
    "rating", "ratings", "overall", "score", "scores", "stars", "star", "starrating", "userrating",
    "bookrating", "reviewscore", "reviewoverall", "value", "values", "preference", "preferences",
    "pref", "grade", "mark", "rate", "points", "weight", "weights", "playcount", "plays", "play",
    "listencount", "listens", "count", "counts", "quantity", "watchratio", "interactions",
    "strength", "feedback", "label", "like", "hours", "hoursplayed",
)  # fmt: skip
TIMES = (
    "timestamp", "timestamps", "unixreviewtime", "time", "ts", "datetime", "date", "reviewtime",
    "eventtime", "createdat", "updatedat", "ratedat", "reviewdate", "ratingdate", "datemodified",
)  # fmt: skip
PARTS_OF_TIMES = {"year", "month", "day", "hour", "minute", "second"}
TITLES = (
    "title", "movietitle", "booktitle", "itemtitle", "name", "itemname", "artistname", "trackname",
    "moviename", "productname", "songtitle", "songname", "label",
)  # fmt: skip
ROLES = {"user": USERS, "item": ITEMS, "value": VALUES, "time": TIMES, "title": TITLES}
ENDINGS = {
    "user": ("userid", "username", "customerid", "reviewerid"),
    "item": ("itemid", "movieid", "productid", "bookid", "artistid", "trackid", "songid", "asin"),
    "value": ("rating", "playcount"),
    "time": ("timestamp",),
    "title": ("title",),
}
TYPED = re.compile(r":(token|float|token_seq|float_seq)$")
MOST_NAMED = 200  # columns of a wider table are items, not parts of a rating
MOST_DIGITS = 12  # of a number of users, items or ratings
FEWEST_COUNTED = 5  # lines of counts without a header
MOST_COLUMNS = 12  # of a table of ratings that is told by its header
NETFLIX = re.compile(r"\s*[^,:;\s]+:[ \t]*\n[^,:;\s]+,\s*[-+\d.]+(,[^,\n]*)?(\n|$)")
DOUBLE_COLON = re.compile(r"[^:\n]+::[^:\n]+::[-\d.]+(::|\s*$)", re.M)
PREAMBLE = re.compile(r"(\d+\n){1,3}(\d+\t\d+\t\d+\n){3}")  # sizes, as HetRec copies have
TIME = re.compile(r"\d{9,10}(\.\d+)?|\d{12,13}|\d{4}-\d\d-\d\d([ T]\d\d:\d\d.*)?")
MATRIX_MARKET = re.compile(rb"%{1,2}\s*MatrixMarket\b", re.I)  # some tools write one sign
KEY = re.compile(r'"([^"\\]{1,60})"\s*:')
PREAMBLE_LINES = 20
# three numbers of a list, as of an embedding beside a rating
VECTOR = re.compile(r"\[(?=[^\]]{0,200}\.\d)(\s*[-+]?\d[\d.eE+-]*\s*[,\s]){3}")


def key_of(name: str) -> str:
    """A column's name as it is compared: userId, "User-ID", review/userId, user_id:token."""
    name = TYPED.sub("", name.strip(" \t\r\"'#%\ufeff"))
    return plain(name.rsplit("/", 1)[-1]).replace("_", "")


def named(names: Sequence[str], role: str) -> int | None:
    """Position of the name that fits `role` best, a key of ROLES; None where none does."""
    keys = [key_of(name) for name in names[:MOST_NAMED]]
    for word in ROLES[role]:
        if word in keys:
            return keys.index(word)
    ends = (j for j, key in enumerate(keys) if key.endswith(ENDINGS[role]))
    return next((j for j in ends if keys[j] not in ("averagerating", "avgrating")), None)


def is_part_of_time(name: str) -> bool:
    """Whether a column holds the year, month, … of a time, as HetRec's date_day does."""
    return key_of(name).removeprefix("date") in PARTS_OF_TIMES


def are_ratings(names: Sequence[str]) -> bool:
    """Whether columns so named hold ratings: users beside items, or beside "id" and a rating."""
    if len(names) > MOST_COLUMNS or named(names, "user") is None:
        return False
    rated = named(names, "value") is not None
    if named(names, "item") is not None:
        return rated or len(names) <= 4 or named(names, "time") is not None
    return rated and "id" in map(key_of, names)


def is_ratings(head: bytes) -> bool:
    """Whether a file that begins with `head` holds ratings beyond doubt."""
    if not is_text(head):
        return False
    text = head.removeprefix(BOM).decode("latin-1").replace("\r\n", "\n")
    if NETFLIX.match(text) or DOUBLE_COLON.match(text):
        return True
    lines = [line for line in text.split("\n")[:51] if line.strip()]
    if not lines or VECTOR.search(text):
        return False
    if lines[0].lstrip().startswith("{"):
        keys = KEY.findall(lines[0][:20_000])
        return all(named(keys, role) is not None for role in ("user", "item", "value"))
    sign = max(("\t", ";", ",", "|"), key=lines[-1].count)
    rows = [line.split(sign if sign in line else None) for line in lines]
    if are_ratings(rows[heading_of(rows)]):
        return True
    if len(rows[0]) == 3 and has_sizes(map(str.split, text.split("\n")), len(head) == HEAD_BYTES):
        return True
    for whole in (lines, lines[:-1]):  # the last may be cut
        if len(whole) > 1 and any(_are_timed(whole, sign) for sign in ("\t", ",", ";", None)):
            return True
        if len(whole) >= FEWEST_COUNTED and any(_are_counted(whole, sign) for sign in "\t,"):
            return True
    return PREAMBLE.match(text) is not None


def heading_of(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are remarks, a title or the like, before names of columns.

    0 where no row of names follows: names of users and of items, or of users and a rating.
    """
    for at, row in enumerate(rows[:PREAMBLE_LINES]):
        if are_ratings(row) and not any(map(is_number, row)):
            return at
        numbers = sum(map(is_number, row))
        if numbers * 2 > len(row) > 1 and not is_remark(row[0]):
            break
    return 0


def has_sizes(rows: Iterable[Sequence[str]], cut: bool) -> bool:
    """Whether the first row is no rating but the numbers of users, items and ratings below it.

    `cut`: there are more rows, and the last of these may not be whole.
    """
    filled = [row for row in rows if row]
    (first, *body) = filled[: len(filled) - cut] or [[]]
    if len(body) < FEWEST_COUNTED or len(first) != 3 or not all(map(_is_count, first)):
        return False
    if not all(len(row) == 3 and _is_count(row[0]) and _is_count(row[1]) for row in body):
        return False
    n_users, n_items, count = map(int, first)
    within = all(int(row[0]) <= n_users and int(row[1]) <= n_items for row in body)
    return within and (count > len(body) if cut else count == len(body))


def _is_count(cell: str) -> bool:
    """Whether it is a whole number of as many digits as a count may have."""
    return cell.isdecimal() and len(cell) <= MOST_DIGITS


def _are_counted(lines: Sequence[str], sign: str) -> bool:
    """Whether lines are users and what they played, in words, and how often, as Last.fm's are."""
    rows = [[cell.strip('" \r') for cell in line.split(sign)] for line in lines]
    if not all(len(row) in (3, 4) and len(row) == len(rows[0]) for row in rows):
        return False
    users, pairs = {row[0] for row in rows}, {(row[0], row[1], row[-2]) for row in rows}
    return (
        len(users) * 2 <= len(rows)
        and len(pairs) == len(rows)
        and all(re.fullmatch(r"\d{1,7}", row[-1]) for row in rows)
        and all(re.search(r"[^\W\d]", row[0]) and re.search(r"[^\W\d]", row[-2]) for row in rows)
    )


def _are_timed(lines: Sequence[str], sign: str | None) -> bool:
    """Whether every line is a user, an item, a small number and a time."""
    rows = [[cell.strip('" \r') for cell in line.split(sign)] for line in lines]
    return all(
        len(row) == 4
        and re.fullmatch(r"-?\d{1,3}(\.\d{1,2})?", row[2]) is not None
        and TIME.fullmatch(row[3]) is not None
        and not re.search(r"\d[.,]\d", row[0] + " " + row[1])
        for row in rows
    )
