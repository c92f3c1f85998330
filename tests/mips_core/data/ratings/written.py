"""Three ratings, and tables of them."""

THREE = [("u1", "i1", 4.0), ("u1", "i2", 2.5), ("u2", "i1", 1.0)]
LINES = [f"{user}{{0}}{item}{{0}}{value:g}" for user, item, value in THREE]


def table(sign, header="", extra=""):
    lines = [line.format(sign) + extra for line in LINES]
    return "\n".join([header] * bool(header) + lines) + "\n"
