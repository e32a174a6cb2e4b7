#!/usr/bin/env bash
# The story of a loan and its return, told with curl on a live gateway. It starts its own gateway
# on a free port and ends it again. Needs curl and a built binary (FAIRGATE, default
# target/release/fairgate).
set -euo pipefail
cd "$(dirname "$0")/.."

fairgate=${FAIRGATE:-target/release/fairgate}
log=$(mktemp)
"$fairgate" serve --ceiling 100 --fairness-unit cost --tenant a=1 --tenant b=1 \
    --reclaim-horizon-ms 1000 --idle-after-ms 2500 --listen 127.0.0.1:0 2>"$log" &
gateway=$!
trap 'kill "$gateway" 2>/dev/null; wait "$gateway" 2>/dev/null || true; rm -f "$log"' EXIT

url=
for _ in $(seq 100); do
    url=$(grep -oE '127\.0\.0\.1:[0-9]+' "$log" | head -n 1) && break
    sleep 0.05
done
[ -n "$url" ] || { echo "the gateway did not start:" >&2; cat "$log" >&2; exit 1; }

say() { printf '\n# %s\n' "$*"; }
acquire() { # tenant cost holdMs
    curl -s "$url/acquire" -H 'content-type: application/json' \
        -d "{\"tenant\":\"$1\",\"cost\":$2,\"holdMs\":$3}"
    echo
}
release() { curl -s -X DELETE "$url/leases/$1"; echo; }
id_of() { grep -oE '"id":"[0-9a-f]{32}"' <<<"$1" | cut -d'"' -f4; }

say "a and b share 100 units evenly. a has been quiet for long enough to lend."
sleep 2.6

say "b takes its own 50 for 20 seconds, and asks for a's 50 for 20 seconds as well."
acquire b 50 20000
acquire b 50 20000

say "For no longer than the horizon (1 second) it may borrow them."
loan=$(acquire b 50 1000)
echo "$loan"

say "a comes back. Its units are out on loan: it is told by whom they are held and when to ask."
acquire a 50 500

say "b gives the loan back at its deadline, and moves first: it tries to take the units again."
sleep 0.9
release "$(id_of "$loan")"
acquire b 50 1000

say "It cannot, because a asked. a is served, within the horizon, and makes a second call."
served=$(acquire a 50 500)
echo "$served"
release "$(id_of "$served")"
acquire a 50 500

say "By every average this was fair: two calls of 50 each."
curl -s "$url/fairness"; echo

say "The deficit and the worst reclaim show what a went through."
curl -s "$url/stats"; echo
