"""The style sheet of a report: the colours of the pages, light and dark, and A4 on paper."""

from mips_core.figures.styles import METHODS, MODES, ROLES, Mode, tokens
from mips_core.figures.template import FONT

SHOWN_ROLES = ("background", "surface", "text", "muted", "grid", "axis", "good", "warn")


def style_sheet() -> str:
    """All of it; what prints is light, whatever the screen shows."""
    light, dark = (_colours(mode) for mode in MODES)
    methods = "".join(f".m-{key}{{--line:var(--m-{key})}}" for key in METHODS)
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"@media print{{:root{{color-scheme:light;{light}}}}}"
        f"{methods}\n{_RULES.replace('FONT', FONT)}"
    )


def _colours(mode: Mode) -> str:
    known = tokens(mode)
    named = {f"--{role}": known[role] for role in SHOWN_ROLES if role in ROLES}
    named |= {f"--m-{key}": known[key] for key in METHODS} | {"--band": known["@band"]}
    return ";".join(f"{name}:{value}" for name, value in named.items())


_RULES = """
*{box-sizing:border-box}
body{margin:0;background:var(--background);color:var(--text);font:16px/1.5 FONT}
main{max-width:880px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:28px;font-weight:650;line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:20px;font-weight:600;margin:40px 0 12px}
h3{font-size:17px;font-weight:600;margin:24px 0 8px}
p,ul{margin:8px 0;overflow-wrap:anywhere}
ul{padding-left:22px}
.made,.about,caption,figcaption{color:var(--muted);font-size:14px}
.finding{font-size:19px;line-height:1.45;margin:20px 0 8px}
.note{border-left:3px solid var(--axis);padding:2px 0 2px 14px}
.box{border:1px solid var(--axis);border-radius:6px;padding:10px 14px;background:var(--surface)}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;padding:0;font-size:14px}
a{color:inherit;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--m-flat-kmeans);outline-offset:2px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 20px;margin:8px 0}
dt{color:var(--muted)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:12px 0}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 6px}
th,td{padding:5px 10px 5px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
thead th{color:var(--muted);font-weight:400;vertical-align:bottom;border-color:var(--axis)}
tbody th{font-weight:400}
.number,.name{white-space:nowrap}
.number{text-align:right}
tr.total>*{font-weight:600}
tr.chosen>*{background:var(--surface)}
code,pre{font-family:"Source Code Pro",ui-monospace,Menlo,Consolas,monospace;font-size:13px}
code{overflow-wrap:anywhere}
pre{background:var(--surface);border-radius:6px;padding:10px 14px;white-space:pre-wrap;
overflow-wrap:anywhere}
figure{margin:12px 0}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;padding:0;margin:4px 0;
font-size:14px}
.swatch{width:32px;height:16px;vertical-align:-3px;margin-right:6px}
.row{display:flex;flex-wrap:wrap;gap:12px}
.row figure{flex:1 1 320px;margin:0;max-width:420px}
.picture{display:block;width:100%;height:auto}
.picture.narrow{display:none}
.picture text{fill:var(--muted);font-size:12.5px;font-family:inherit}
.picture text.told{fill:var(--text)}
.line{fill:none;stroke:var(--line);stroke-width:2;stroke-linejoin:round}
.band{fill:var(--line);fill-opacity:var(--band)}
.marker{fill:var(--line);stroke:var(--background);stroke-width:1}
.marker.hollow{fill:var(--background);stroke:var(--line);stroke-width:1.5}
.eye{fill:var(--background)}
.spot{fill:transparent}
.spot:hover{fill:var(--line)}
.grid{stroke:var(--grid);fill:none}
.axis{stroke:var(--axis);fill:none}
.target{stroke:var(--text);stroke-dasharray:1 3;fill:none}
.more{fill:var(--muted);fill-opacity:.08}
.exact{fill:var(--background);stroke:var(--m-exact);stroke-width:2}
.ring{fill:none;stroke:var(--text);stroke-width:3}
.exact,.target,.band{pointer-events:none}
summary{cursor:pointer;padding:6px 0}
@media (max-width:600px){
main{padding:20px 16px 48px}
h1{font-size:24px}.finding{font-size:17px}
.picture.wide{display:none}.picture.narrow{display:block}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}
.row figure{max-width:none}
.scroll table{min-width:560px}.ledger table{min-width:0}
}
@page{size:A4;margin:16mm 15mm}
@media print{
body{font-size:11pt}main{max-width:none;padding:0}
nav{display:none}
h2,h3{break-after:avoid}h2{margin-top:24px}
figure,tr,pre,.box{break-inside:avoid}
thead{display:table-header-group}
.scroll{overflow:visible}
table,pre,code{font-size:9pt}
.row figure{flex-basis:45%}
details{display:none}
}
""".strip()
