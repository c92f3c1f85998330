"""The words inside a live curve, in one place; `assets/curves.js` fills the fields.

Fields of a sentence: {effort} {live} {precision} {half} {K} {speedup}. Tiles and hover text know
these and {low} {high} {points} {m} {asked} {n} {cost} {parts} {missed} {share} {noun} {name} too.
"""

WORDS: dict[str, str] = {
    "value": "{effort} of {live}",
    "valueText": "{effort} of {live} {unit}",
    "point": "**{effort} {noun}** · {precision}% · {speedup}×",
    "precision": "Precision@{K}",
    "interval": "95% interval {low} to {high}, {asked}",
    "speedup": "Speedup",
    "quotient": "{n} ÷ {cost}",
    "cost": "Inner products a query",
    "missed": "Queries that miss everything",
    "missedShare": "of {m} ({share}%)",
    "spread": "True answers found, of {K}",
    "bar": "{found} of {K} found: {count} of {asked}",
    "spreadAlt": "How many of {asked} find 0 to {K} of their true answers",
    "hoverPrecision": "precision@{K} {points} ± {half} points",
    "hoverCost": "{speedup}× · {cost} inner products a query",
    "waiting": "–",
}
