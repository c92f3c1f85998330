"""docs/visitors.md, from what `benchmarks.visitors` has measured."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from streamlit import config

from benchmarks.machine import made_on
from benchmarks.tables import as_markdown
from mips_core.base import limits
from pages._ui.text.periods import period

ACTION_TARGET, HELD_TARGET, GROWTH_TARGET = 1.0, 150, 1.0  # seconds; MiB; MiB a minute
PAGE = """# Many visitors

    python -m benchmarks.visitors pages --json FILE   # what a run of each page costs the server
    python -m benchmarks.visitors polls --json FILE   # what a page costs that waits, by the clock
    python -m benchmarks.visitors load --json FILE    # 20 visitors at once, for 10 minutes
    python -m benchmarks.visitors soak --json FILE    # 6 who come and go, for an hour
    python -m benchmarks.visitors page --json FILE --markdown docs/visitors.md

All speak to the server as a browser does, without one. Measured on {made}.

All visitors share one interpreter, so what a run takes of the processor limits how many it bears:
30 ms is the most that is meant for one.

{parts}

## What keeps this low

- A full garbage collection comes in a quiet moment, not after every run as Streamlit would have it.
- Answers do not wait until the browser confirms the last one.
- What a run of a page says is handed to the server's loop in handfuls, not element by element.
- What is drawn of curves, and what Tune answers, is made once for the same measurements.
- Measuring stands below pages in priority; laying a map out, and a report made anew, between both.
- A page that waits looks every 1.5 s at the jobs it has asked for, every 0.5 s where it has nothing
  to show yet, and is drawn again only where one of them has changed.
- The report is made by a job, while the last one stands. So is an answer of Tune for which more
  than a few settings are to be counted; what was counted at a K is kept beside what was measured.
- Results that nobody has looked at for {period} are forgotten where all take more than
  {unseen} MiB. Once the last visitor has been gone for {back}, when nobody can come back to a
  page as it was, all but the last {alone} MiB go, and freed memory is given back. Data that are
  kept on disk, and what was measured on them, are read again ([security.md](security.md)).
- What only visitors who left waited for ends with their session.

Compiled kernels and imported modules stay: a method that is used for the first time adds some.
What a compiler leaves behind does not: what numba's cache lacks is compiled by a process beside
the server, which ends 20 s after the last.

## More than one server

One process bears some 20 visitors at once. Beyond that, several run side by side behind a proxy
that sends each visitor to the same one always: what is chosen on a page, and what is measured,
lives in one process. Any of these proxies' ways to do so will do; by address (`ip_hash`) all who
come through one gateway meet on one server, so a cookie is better. nginx:

    split_clients "$request_id" $drawn {{
        50% one;
        *   two;
    }}
    map $cookie_mips $server_of {{
        one     one;
        two     two;
        default $drawn;
    }}
    upstream one {{ server 127.0.0.1:8501; }}
    upstream two {{ server 127.0.0.1:8502; }}
    server {{
        listen 127.0.0.1:8500;
        client_max_body_size 2000m;
        location / {{
            add_header Set-Cookie "mips=$server_of; Path=/; HttpOnly; SameSite=Lax" always;
            proxy_pass http://$server_of;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection "upgrade";
            proxy_read_timeout 1h;
            proxy_buffering off;
        }}
    }}

Each server is started with a port of its own, and all with the same folder to keep data in:

    MIPS_EXPLORER_CACHE=/var/lib/mips MIPS_EXPLORER_KEEP=2000 \\
        python run.py --server.headless true --server.port 8501

Tried with nginx 1.22.1 and two servers, in a browser: of 2,200 requests none reached another
server than that of its visitor, be it a page, a WebSocket, an upload or a block of numbers of a
map. The key of an upload is known to its own server alone: there its link opens for others. On the
other server a link to uploaded data opens too, and they stand there under *Earlier*, because both
keep data in one folder. With `MIPS_EXPLORER_KEEP=0`, and without it once a server is open to
others, nothing is kept: then a link opens only on the server that has the data, and the other names
the file and asks for it.

Not shared: memory (each has modules, kernels and results of its own), what is being measured (both
measure the same where both are asked), the queue of jobs, kept runs, and the limits, which hold for
each server. Where one is stopped, its visitors get an error (502) until it is there again or its
name is taken out of `map` and `split_clients`; they then begin anew from their address. Login and
TLS are added as [security.md](security.md) shows.
"""


def visitors_page(report: Mapping[str, Any]) -> str:
    """The page, with the limits that hold; parts that were not measured are left out."""
    parts = {"pages": pages, "polls": polls, "load": load, "soak": soak}
    text = "\n\n".join(make(report[name]) for name, make in parts.items() if name in report)
    made = made_on(report["machine"], report["versions"])
    return PAGE.format(
        made=made,
        parts=text,
        period=period(limits.UNSEEN_SECONDS),
        back=period(config.get_option("server.disconnectedSessionTTL")),
        unseen=limits.UNSEEN_CACHE_BYTES // 2**20,
        alone=limits.ALONE_CACHE_BYTES // 2**20,
    )


def pages(rows: Sequence[Mapping[str, Any]]) -> str:
    """What a run of each page costs."""
    times = ["by the clock", "sent"]
    lines = [["page", "full run", *times, "dearest fragment", *times]]
    for row in rows:
        cells = (cell for one in (row["run"], row["fragment"]) for cell in _costs(one))
        lines.append([row["page"], *cells])
    return (
        "## A run of a page\n\n"
        "A full run is one of the whole page, when it is entered; a fragment is what a drag draws "
        "anew. Everything of the shipped words is measured already. Processor time; bytes as sent "
        "to a browser, which keeps what it was sent before.\n\n" + as_markdown(lines)
    )


def _costs(measured: Sequence[float]) -> list[str]:
    cpu, clock, sent = measured
    return [f"{1e3 * cpu:.0f} ms", f"{1e3 * clock:.0f} ms", f"{sent / 1000:.0f} kB"]


def polls(rows: Sequence[Mapping[str, Any]]) -> str:
    """What a page costs that waits."""
    lines = [["page", "looks a second", "processor", "sent"]]
    for row in rows:
        cpu, sent = f"{1e3 * row['processor_s']:.1f} ms", f"{row['bytes'] / 1000:.1f} kB"
        lines.append([row["page"], f"{row['a_second']:.1f}", cpu, sent])
    return (
        "## A page that waits\n\n"
        "Nobody uses it; its own settings and those of three other visitors are measured. What a "
        "look costs on average, with all that is drawn again for news; the line over the page "
        "looks too.\n\n" + as_markdown(lines)
    )


def load(report: Mapping[str, Any]) -> str:
    """How visitors fared, and what the server held."""
    lines = [["action", "number", "median", "95th percentile", "longest"]]
    for name, row in report["actions"].items():
        if row["n"]:
            times = [f"{row[which]:.2f} s" for which in ("p50", "p95", "most")]
            lines.append([name, str(row["n"]), *times])
    held = [["memory", "server", "its children", "descriptors"]]
    for name, row in report["held"].items():
        sizes = [f"{row[which]:.0f} MiB" for which in ("memory", "children")]
        held.append([name, *sizes, str(row["descriptors"])])
    polled, spent = report["polls"], report["processor_s_an_action"]
    faults, of_pages = sum(report["faults"].values()), report["of_it_pages"]
    *_, last = report["held"]  # 300 s after all have left
    rest = re.sub(r"^([0-9]+) s ", lambda told: f"{period(int(told[1]))} ", last)
    return (
        f"## {report['visitors']} visitors\n\n"
        "They come by links of different K, seeds and efforts, press something every 1 to 4 s, and "
        "leave after 60 to 150 s; what they build and tune is measured meanwhile. "
        f"{report['visitors']} of them for {report['seconds'] / 60:.0f} minutes, on a machine "
        f"whose load was {report['machine_load']:.1f} before; {ACTION_TARGET:g} s is meant to hold "
        f"for 95% of each action.\n\n{as_markdown(lines)}\n\n"
        f"An action took {1e3 * spent:.0f} ms of the processor, all that was measured included, "
        f"{1e3 * of_pages:.0f} ms of it for pages. Pages looked {polled['n']:,} times, "
        f"{polled['bytes'] / 1000:.0f} kB each. Errors on pages: {faults}; in the log of the "
        f"server: {report['tracebacks']}. {rest}, at most "
        f"{HELD_TARGET} MiB more than at first are meant to be held:\n\n{as_markdown(held)}"
    )


def soak(report: Mapping[str, Any]) -> str:
    """What the server held, minute by minute."""
    held = report["held"]
    lines = [["minute", "least", "most", "descriptors"]]
    for minute in sorted({*range(0, len(held), 10), len(held) - 1}):
        row = held[minute]
        least, most = f"{row['memory']:.0f} MiB", f"{row['most']:.0f} MiB"
        lines.append([str(minute), least, most, str(row["descriptors"])])
    left = report["left"]
    return (
        "## A long time\n\n"
        f"{report['visitors']} visitors who come and go, {report['actions']:,} actions in "
        f"{report['minutes']:.0f} minutes, on a machine whose load was "
        f"{report['machine_load']:.1f} before. After the first ten the least that the "
        f"server holds within a minute grows by {report['MiB_a_minute']:+.2f} MiB a minute, where "
        f"{GROWTH_TARGET:g} is meant to be the most, the most that it holds within one by "
        f"{report['most_a_minute']:+.2f}, and its descriptors by "
        f"{report['descriptors_a_minute']:+.2f}. "
        f"{period(int(left['seconds']))} after all have left it holds {left['memory']:.0f} MiB. "
        f"Errors on pages: {sum(report['faults'].values())}.\n\n{as_markdown(lines)}"
    )
