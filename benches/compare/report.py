"""Writes the table and the chart from the numbers of measure.py."""

import statistics

# Instructions a call, from one run in which limit took 24 700.
PEERS = {"turbomcp": 234_000 / 24_700, "tower-mcp": 356_000 / 24_700}


def write(numbers, folder):
    rows = table(numbers)
    text = "\n".join([HEAD, *facts(numbers), "", *lines(rows), "", *raw(numbers), "", TAIL])
    (folder / "RESULTS.md").write_text(text)
    (folder / "results.svg").write_text(chart(numbers))


HEAD = """\
# Results

Written by `benches/compare/run`; run it to have your own. `limit` is a bare hyper server (`benches/limit.rs`): it
reads the body, parses the envelope and answers, and checks nothing. rmcp is set up as an expert would for speed: no
sessions, JSON answers, one router for all requests, `TCP_NODELAY`. Tollgate has its defaults and every gate on, but
for the rate of notifications, which has no limit. Each server has one core and the load another. Ratios are taken
inside each round, and the median of the rounds is shown; absolute numbers are this machine's alone. Other work on the
machine disturbs what is taken by the clock; a server's processor seconds and its instructions show what it costs even
then.
"""

TAIL = """\
Figures of turbomcp and tower-mcp come from an earlier count, against
a bare server that took 24,700 instructions, and are not rerun by the script.
"""


def facts(numbers):
    it = numbers["machine"]
    return [
        f"- {it['date']}, {it['cpu']}, {int(it['memory']) // (1 << 20)} GiB, {it['kernel']}",
        f"- load averages before: {it['load_before']}; after, with the measurement's own: {it['load_after']}; nice {it['nice']}",
        f"- Tollgate at {it['tollgate']}, rmcp {it['rmcp']}, {it['rustc']}, {it['wrk']}, {it['valgrind']}",
        f"- {numbers['rounds']} rounds of {numbers['seconds']} s for each case; no run with an error in it counts",
    ]


# --- the table of bars ---


def table(numbers):
    """Rows of: what, bar, is met, value, and what the peers do."""
    runs, sizes, counts = numbers["runs"], numbers["sizes"], numbers["instructions"]

    def ratio(above, below):
        return statistics.median(run[above] / run[below] for run in runs)

    def median(name):
        return statistics.median(run[name] for run in runs)

    def rate(what):
        return ratio(f"{what}/ours", f"{what}/limit"), ratio(f"{what}/rmcp", f"{what}/limit")

    def instructions(what):
        limit = counts[f"{what}/limit"]
        return counts[f"{what}/ours"] / limit, counts[f"{what}/rmcp"] / limit

    def per_byte(who, suffix):
        sent = sizes[f"list{suffix}"] / sizes[f"list_many{suffix}"]
        return sent / ratio(f"list_many_busy/{who}", f"list_busy/{who}")

    def of_half(who):
        return statistics.median(run[f"p99/{who}"] / run[f"p50/{who}"] for run in runs)

    call, list_, long = rate("call"), rate("list"), rate("long")
    call_busy, list_busy, long_busy = rate("call_busy"), rate("list_busy"), rate("long_busy")
    call_instructions, list_instructions = instructions("call"), instructions("list")
    many = ratio("call_busy/ours", "call_many_busy/ours"), ratio("call_busy/rmcp", "call_many_busy/rmcp")
    peers = "; ".join(f"{name} {it:.1f} ×" for name, it in PEERS.items())
    rows = [
        at_least("tools/call, 32 connections, requests/s against limit", 0.75, call[0], f"rmcp {call[1]:.2f}"),
        at_least("the same, requests a processor second", 0.75, call_busy[0], f"rmcp {call_busy[1]:.2f}"),
        at_most(
            "tools/call, instructions a request against limit",
            1.5,
            call_instructions[0],
            f"rmcp {call_instructions[1]:.1f} ×; {peers}",
            " ×",
        ),
        at_least(
            "tools/list, 4 tools, requests/s against limit with the same bytes",
            0.85,
            list_[0],
            f"rmcp {list_[1]:.2f}",
        ),
        at_least("the same, requests a processor second", 0.85, list_busy[0], f"rmcp {list_busy[1]:.2f}"),
        at_most(
            "tools/list, instructions a request against limit",
            None,
            list_instructions[0],
            f"rmcp {list_instructions[1]:.1f} ×",
            " ×",
        ),
        at_most(
            "tools/list, 500 tools (a page of 100): processor time a byte against 4",
            1.1,
            per_byte("ours", ""),
            f"rmcp {per_byte('rmcp', '_rmcp'):.2f} × (500 on one page)",
            " ×",
        ),
        at_most("tools/call, 500 tools registered against 4: processor time", 1.03, many[0], f"rmcp {many[1]:.2f} ×", " ×"),
        at_most("the same, instructions", 1.03, counts["call_many/ours"] / counts["call/ours"], "", " ×"),
        at_most(
            "p99 at 70 % of peak against p50",
            3,
            of_half("ours"),
            f"rmcp {of_half('rmcp'):.1f} ×; limit {of_half('limit'):.1f} ×",
            " ×",
        ),
        at_least("100 KiB string argument, requests/s against limit", 0.60, long[0], f"rmcp {long[1]:.2f}"),
        at_least("the same, requests a processor second", 0.60, long_busy[0], f"rmcp {long_busy[1]:.2f}"),
        at_least(
            "progress notifications on one stream, events/s",
            200_000,
            median("events/ours"),
            f"rmcp {median('events/rmcp'):,.0f}",
        ),
        *(
            at_least(
                f"stdio echo, {at_once} at once, round trips/s against rmcp",
                3,
                ratio(f"stdio_{at_once}/ours", f"stdio_{at_once}/rmcp"),
                f"`cat` {ratio(f'stdio_{at_once}/limit', f'stdio_{at_once}/rmcp'):.1f} ×",
                " ×",
            )
            for at_once in (1, 16)
        ),
        at_most(
            "a call through all gates, in memory, µs",
            2,
            numbers["gates"]["all_gates"],
            f"with the tool and its answer {numbers['gates']['tools_call']:.2f}",
        ),
        at_most("idle listener at 10 000, RSS in KiB each", 12, numbers["listener_kib/ours"], ""),
        at_most(
            "idle connection at 10 000, RSS in KiB each",
            None,
            numbers["connection_kib/ours"],
            "; ".join(f"{who} {shown(numbers[f'connection_kib/{who}'])}" for who in ("limit", "rmcp")),
        ),
        at_most(
            "idle server, RSS in MiB",
            6,
            numbers["idle_kib/ours"] / 1024,
            f"rmcp {numbers['idle_kib/rmcp'] / 1024:.1f}",
        ),
        at_most("start to first answer, ms", 15, numbers["start_ms/ours"], f"rmcp {numbers['start_ms/rmcp']:.1f}"),
        at_most("hello server: crates compiled", 100, numbers["crates/ours"], f"rmcp {numbers['crates/rmcp']}"),
        building(numbers),
        at_most(
            "hello server: stripped release binary, MiB",
            3.5,
            mib(numbers["binary/ours"]),
            f"rmcp {mib(numbers['binary/rmcp']):.2f}" if "binary/rmcp" in numbers else "rmcp: needs `FULL=1`",
        ),
    ]
    return rows


def building(numbers):
    what = "hello server: clean debug build, processor time against rmcp's"
    if "build_s/ours" not in numbers:
        return what, "≤ 0.9 ×", None, "needs `FULL=1`", ""
    ours, rmcp = numbers["build_s/ours"], numbers["build_s/rmcp"]
    return at_most(what, 0.9, ours / rmcp, f"rmcp {rmcp:.0f} s, Tollgate {ours:.0f} s", " ×")


def mib(size):
    return size / (1 << 20)


def at_least(what, bar, value, peers, unit=""):
    return what, f"≥ {bar:,}{unit}", value >= bar, shown(value) + unit, peers


def at_most(what, bar, value, peers, unit=""):
    if bar is None:
        return what, "", None, shown(value) + unit, peers
    is_met = None if value is None else value <= bar
    return what, f"≤ {bar:,}{unit}", is_met, shown(value) + unit, peers


def shown(value):
    if value is None:
        return "skipped: too few file descriptors"
    if isinstance(value, int) or value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def lines(rows):
    words = {True: "yes", False: "**no**", None: "–"}
    yield "| what | bar | value | met | peers |"
    yield "|---|---|---|---|---|"
    for what, bar, met, value, peers in rows:
        yield f"| {what} | {bar} | {value} | {words[met]} | {peers} |"


# --- what the ratios come from ---


def raw(numbers):
    yield "## Numbers behind the ratios"
    yield ""
    yield "| median (least – most of the rounds) | limit | Tollgate | rmcp |"
    yield "|---|---|---|---|"
    names = {
        "call": "tools/call, requests/s",
        "call_busy": "tools/call, requests a processor second",
        "call_many": "tools/call, 500 tools, requests/s",
        "list": "tools/list, 4 tools, requests/s",
        "list_busy": "tools/list, 4 tools, requests a processor second",
        "list_many": "tools/list, 500 tools, requests/s",
        "long": "tools/call, 100 KiB, requests/s",
        "p50": "p50 at 70 % of own peak, µs",
        "p99": "p99 at 70 % of own peak, µs",
        "events": "progress, events/s",
        "stdio_1": "stdio, 1 at once, round trips/s (`cat` for limit)",
        "stdio_16": "stdio, 16 at once, round trips/s (`cat` for limit)",
    }
    for name, what in names.items():
        yield f"| {what} | " + " | ".join(spread(numbers["runs"], f"{name}/{who}") for who in WHO) + " |"
    for what in ("call", "list"):
        values = (f"{numbers['instructions'][f'{what}/{who}']:,.0f}" for who in WHO)
        yield f"| tools/{what}, instructions a request | " + " | ".join(values) + " |"
    sizes = numbers["sizes"]
    yield f"| tools/list, 4 tools, bytes | {sizes['list']:,} | {sizes['list']:,} | {sizes['list_rmcp']:,} |"
    yield f"| tools/list, 500 tools, bytes | | {sizes['list_many']:,} | {sizes['list_many_rmcp']:,} |"


WHO = ("limit", "ours", "rmcp")


def spread(runs, name):
    values = [run[name] for run in runs if name in run]
    if not values:
        return ""
    return f"{statistics.median(values):,.0f} ({min(values):,.0f} – {max(values):,.0f})"


# --- the chart ---


def chart(numbers):
    names = {"limit": "bare hyper", "ours": "Tollgate", "rmcp": f"rmcp {numbers['machine']['rmcp']}"}
    values = {
        (what, who): statistics.median(run[f"{what}/{who}"] for run in numbers["runs"])
        for what in ("call", "list")
        for who in WHO
    }
    scale = 420 / max(values.values())
    parts, y = [], 34
    for what, title in (("call", "tools/call, echo"), ("list", "tools/list, 4 tools")):
        parts.append(f'<text class="title" x="16" y="{y}">{title}</text>')
        y += 12
        for who in WHO:
            value = values[what, who]
            end = 120 + value * scale
            parts.append(f'<text x="110" y="{y + 15}" text-anchor="end">{names[who]}</text>')
            parts.append(f'<rect class="{who}" x="120" y="{y}" width="{value * scale:.1f}" height="20" rx="2"/>')
            parts.append(f'<text x="{end + 8:.1f}" y="{y + 15}">{value:,.0f}</text>')
            y += 26
        y += 26
    it = numbers["machine"]
    parts.append(f'<text class="note" x="16" y="{y}">requests/s on one core, 32 connections; more is better</text>')
    parts.append(f'<text class="note" x="16" y="{y + 16}">{it["cpu"]}, {it["date"][:10]}</text>')
    body = "\n".join(parts)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{y + 30}" viewBox="0 0 640 {y + 30}" role="img">
<title>Requests a second of a bare hyper server, Tollgate and rmcp</title>
<style>
text {{ font: 13px system-ui, sans-serif; fill: #1f2328 }}
.title {{ font-weight: 600 }}
.note {{ font-size: 11px; fill: #59636e }}
.limit {{ fill: #8c959f }}
.ours {{ fill: #1a7f5a }}
.rmcp {{ fill: #c2703d }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3 }}
.note {{ fill: #9198a1 }}
.ours {{ fill: #3fb68b }}
.rmcp {{ fill: #e08e58 }}
}}
</style>
{body}
</svg>
"""
