"""The words inside a live curve, in one place; `assets/curves.js` fills the fields.

Fields of a sentence: {effort} {live} {precision} {half} {K} {speedup}. Tiles and hover text know
these and {low} {high} {points} {m} {n} {cost} {parts} {missed} {share} {noun} {name} as well.
"""

WORDS: dict[str, str] = {
    "value": "{effort} of {live}",
    "valueText": "{effort} of {live} {unit}",
    "point": "**{effort} {noun}** · {precision}% · {speedup}×",
    "precision": "Precision@{K}",
    "interval": "95% interval {low} to {high}, {m} queries",
    "speedup": "Speedup",
    "quotient": "{n} ÷ {cost}",
    "cost": "Inner products a query",
    "missed": "Queries that miss everything",
    "missedShare": "of {m} ({share}%)",
    "spread": "True answers found, of {K}",
    "bar": "{count} of {m} queries find {found} of {K}",
    "spreadAlt": "How many of {m} queries find 0 to {K} of their true answers",
    "hoverPrecision": "precision@{K} {points} ± {half} points",
    "hoverCost": "{speedup}× · {cost} inner products a query",
    "waiting": "–",
}
