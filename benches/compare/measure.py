"""Measures every row of the table, and hands the numbers to report.py. Started by `run`."""

import datetime
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import report
import servers
from servers import CALL, LINE, LIST, LISTEN, LONG, LONG_CALL, Server, pace, pinned, wrk

ROOT, TARGET = map(pathlib.Path, sys.argv[1:3])
HERE = ROOT / "benches/compare"
OUT = pathlib.Path(os.environ.get("OUT", HERE))
ROUNDS = int(os.environ.get("ROUNDS", 5))
SECONDS = int(os.environ.get("SECONDS_EACH", 3))
FULL = os.environ.get("FULL") == "1"

OURS = TARGET / "release/load"
LIMIT = TARGET / "release/limit"
RMCP = TARGET / "compare/release/rmcp-load"
PACE = TARGET / "compare/release/pace"
# With `echo`, `add` and `count` these make 4 and 500.
FOUR, MANY = "1", "497"


def main():
    raise_file_limit()
    numbers = {"machine": machine(), "rounds": ROUNDS, "seconds": SECONDS}
    for step in (requests, gates, instructions, standing, weights):
        print(f"{step.__name__} ..", file=sys.stderr, flush=True)
        numbers |= step()
    numbers["machine"]["load_after"] = load()
    (TARGET / "compare/numbers.json").write_text(json.dumps(numbers, indent=1))
    report.write(numbers, OUT)
    print((OUT / "RESULTS.md").read_text())


# --- requests a second, in rounds ---


def requests():
    """Each round runs every case once, so that what disturbs the machine disturbs all of them."""
    with Server(OURS, TOOLS=FOUR) as ours, Server(OURS, TOOLS=MANY) as ours_many:
        page = ours.ask(LIST)
        with (
            Server(LIMIT, LIST=servers.file(page)) as limit,
            Server(RMCP, TOOLS=FOUR) as rmcp,
            Server(RMCP, TOOLS=MANY) as rmcp_many,
        ):
            check(ours, rmcp, ours_many, rmcp_many, limit)
            cases = {
                ("call", "limit"): (limit, CALL),
                ("call", "ours"): (ours, CALL),
                ("call", "rmcp"): (rmcp, CALL),
                ("call_many", "ours"): (ours_many, CALL),
                ("call_many", "rmcp"): (rmcp_many, CALL),
                ("list", "limit"): (limit, LIST),
                ("list", "ours"): (ours, LIST),
                ("list", "rmcp"): (rmcp, LIST),
                ("list_many", "ours"): (ours_many, LIST),
                ("list_many", "rmcp"): (rmcp_many, LIST),
                ("long", "limit"): (limit, LONG_CALL),
                ("long", "ours"): (ours, LONG_CALL),
                ("long", "rmcp"): (rmcp, LONG_CALL),
            }
            cases = {case: (server, server.request(body)) for case, (server, body) in cases.items()}
            events = {
                "ours": (ours, ours.request(servers.count(300_000), "Connection: close\r\n")),
                "rmcp": (rmcp, rmcp.request(servers.count(30_000), "Connection: close\r\n")),
            }
            rounds = []
            for number in range(ROUNDS):
                print(f"  round {number + 1} of {ROUNDS}, load {load()}", file=sys.stderr, flush=True)
                rounds.append(one_round(cases, events))
            sizes = {
                "list": len(page),
                "list_many": len(ours_many.ask(LIST)),
                "list_rmcp": len(rmcp.ask(LIST)),
                "list_many_rmcp": len(rmcp_many.ask(LIST)),
            }
    return {"runs": rounds, "sizes": sizes}


def check(ours, rmcp, ours_many, rmcp_many, limit):
    def says(text):
        return lambda result: result["content"][0]["text"] == text

    for server in (ours, rmcp, ours_many, rmcp_many, limit):
        server.expect(CALL, says("hello"))
        server.expect(LONG_CALL, says(LONG))
    for server in (ours, rmcp, limit):
        server.expect(LIST, lambda result: len(result["tools"]) == 4)
    # Ours gives pages of 100; rmcp has no pages.
    ours_many.expect(LIST, lambda result: len(result["tools"]) == 100 and result["nextCursor"])
    rmcp_many.expect(LIST, lambda result: len(result["tools"]) == 500)


def one_round(cases, events):
    numbers = {}
    for (what, who), (server, request) in cases.items():
        by_clock, by_processor = wrk(HERE, server, request, SECONDS)
        numbers |= {f"{what}/{who}": by_clock, f"{what}_busy/{who}": by_processor}
    for who in ("limit", "ours", "rmcp"):
        server, request = cases["call", who]
        rate = 0.7 * numbers[f"call/{who}"]
        half, most, _ = pace(PACE, "rate", server.port, request, rate, SECONDS)
        numbers |= {f"p50/{who}": half, f"p99/{who}": most}
    for who, (server, request) in events.items():
        numbers[f"events/{who}"], count = pace(PACE, "events", server.port, request)
        if count != (300_000 if who == "ours" else 30_000):
            raise SystemExit(f"{who} sent {count:.0f} events")
    line = servers.file(LINE)
    # What pipes alone can do: `cat` says each line back.
    for who, program in (("limit", ["cat"]), ("ours", [OURS, "--stdio"]), ("rmcp", [RMCP, "--stdio"])):
        program = pinned(servers.SERVER_CPU, *program)
        for at_once in (1, 16):
            (numbers[f"stdio_{at_once}/{who}"],) = pace(PACE, "stdio", line, SECONDS, at_once, *program)
    return numbers


# --- without HTTP ---


def gates():
    """Microseconds of each line of the bench of the gates, the median of its samples."""
    bench = ["cargo", "bench", "--locked", "-p", "tollgate-benches", "--bench", "gates"]
    out = subprocess.run(pinned(servers.SERVER_CPU, *bench), cwd=ROOT, check=True, capture_output=True, text=True).stdout
    units = {"ns": 1e-3, "µs": 1, "ms": 1e3}
    rows = re.findall(r"─ \w_(\w+) .*?│.*?│ ([\d.]+) (ns|µs|ms)", out)
    return {"gates": {name: float(number) * units[unit] for name, number, unit in rows}}


# --- instructions a request ---


def instructions():
    with Server(OURS, TOOLS=FOUR) as ours:
        page = servers.file(ours.ask(LIST))
    programs = {"limit": (LIMIT, {"LIST": page}), "ours": (OURS, {"TOOLS": FOUR}), "rmcp": (RMCP, {"TOOLS": FOUR})}
    counts = {}
    for who, (program, env) in programs.items():
        for what, body in (("call", CALL), ("list", LIST)):
            counts[f"{what}/{who}"] = instructions_each(program, env, body)
    counts["call_many/ours"] = instructions_each(OURS, {"TOOLS": MANY}, CALL)
    return {"instructions": counts}


def instructions_each(program, env, body):
    """The start of the program falls out of the difference."""
    few, many = 1000, 3000
    return (instructions_of(program, env, body, many) - instructions_of(program, env, body, few)) / (many - few)


def instructions_of(program, env, body, times):
    out = servers.file("")
    with Server("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, **env) as server:
        pace(PACE, "once", server.port, server.request(body), times)
    return int(re.search(r"^(?:totals|summary): (\d+)", pathlib.Path(out).read_text(), re.M).group(1))


# --- what a server takes while it stands ---


def standing():
    numbers = {}
    for who, program in (("ours", OURS), ("rmcp", RMCP)):
        with Server(program, TOOLS=FOUR) as server:
            server.ask(CALL)
            time.sleep(1)
            numbers[f"idle_kib/{who}"] = server.rss()
        port = servers.free_port()
        request = servers.file(servers.http(port, CALL))
        # `pace` starts the program, which inherits these.
        os.environ |= {"PORT": str(port), "TOOLS": FOUR}
        starts = [
            pace(PACE, "start", port, request, *pinned(servers.SERVER_CPU, program))[0]
            for _ in range(2 * ROUNDS + 1)
        ]
        del os.environ["PORT"], os.environ["TOOLS"]
        numbers[f"start_ms/{who}"] = statistics.median(starts)
    # Long enough for the first keep-alive of each.
    numbers["listener_kib/ours"] = held(OURS, LISTEN, 20)
    for who, program in (("limit", LIMIT), ("ours", OURS), ("rmcp", RMCP)):
        numbers[f"connection_kib/{who}"] = held(program, CALL, 1)
    return numbers


def held(program, body, seconds):
    """What a server takes for each of 10 000 open connections, in KiB; the most that is seen."""
    many = 10_000
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < many + 100:
        print(f"  skipped: {many} connections need `ulimit -n {many + 100}`", file=sys.stderr)
        return None
    with Server(program, TOOLS=FOUR) as server:
        server.ask(CALL)
        before = server.rss()
        command = pinned(servers.LOAD_CPU, PACE, "hold", server.port, server.request(body), many)
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if holder.stdout.readline().strip() != str(many).encode():
            raise SystemExit("the connections could not be held")
        most = server.rss()
        time.sleep(seconds)
        most = max(most, server.rss())
        holder.communicate()
    return (most - before) / many


# --- what it takes to build ---


def weights():
    numbers = {
        "crates/ours": crates(ROOT, "-p", "tollgate-examples"),
        "crates/rmcp": crates(HERE, *RMCP_HELLO),
        "binary/ours": stripped(TARGET / "release/hello"),
    }
    if FULL:
        env = {**os.environ, "CARGO_TARGET_DIR": str(TARGET / "compare")}
        jobs = os.environ.get("JOBS", str(os.cpu_count()))
        build = ["cargo", "build", "--release", "--locked", "-j", jobs, *RMCP_HELLO, "--bin", "rmcp-hello"]
        subprocess.run(build, cwd=HERE, env=env, check=True)
        numbers["binary/rmcp"] = stripped(TARGET / "compare/release/rmcp-hello")
        numbers["build_s/ours"] = build_time(ROOT, "-p", "tollgate-examples", "--bin", "hello")
        numbers["build_s/rmcp"] = build_time(HERE, *RMCP_HELLO, "--bin", "rmcp-hello")
    return numbers


RMCP_HELLO = ("-p", "rmcp-load", "--no-default-features", "--features", "hello")


def crates(folder, *package):
    tree = ["cargo", "tree", "--locked", "-e", "normal,build", "--prefix", "none", "--no-dedupe", *package]
    out = subprocess.run(tree, cwd=folder, check=True, capture_output=True, text=True).stdout
    return len({tuple(line.split()[:2]) for line in out.splitlines() if line.strip()})


def stripped(program):
    copy = servers.file("")
    shutil.copy(program, copy)
    subprocess.run(["strip", copy], check=True)
    return os.path.getsize(copy)


def build_time(folder, *package):
    """Processor seconds, which other work on the machine disturbs less than the clock."""
    with tempfile.TemporaryDirectory(prefix="compare-build-", dir=TARGET) as target:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        build = ["cargo", "build", "--locked", "-j1", "--target-dir", target, *package]
        subprocess.run(build, cwd=folder, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# --- where it was measured ---


def machine():
    def said(*command):
        out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
        return out.splitlines()[0].strip() if out else "unknown"

    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    lock = (HERE / "Cargo.lock").read_text()
    return {
        "cpu": f"{cpu.group(1) if cpu else 'unknown'}, {os.cpu_count()} cores",
        "memory": re.search(r"MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1),
        "kernel": " ".join(os.uname()[i] for i in (0, 2, 4)),
        "rustc": said("rustc", "--version"),
        "wrk": " ".join(said("wrk", "-v").split()[:2]),
        "valgrind": said("valgrind", "--version"),
        "tollgate": said("git", "describe", "--always", "--dirty"),
        "rmcp": re.search(r'name = "rmcp"\nversion = "(.*?)"', lock).group(1),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "load_before": load(),
        "nice": os.nice(0),
    }


def load():
    return " ".join(f"{it:.1f}" for it in os.getloadavg())


def raise_file_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


main()
