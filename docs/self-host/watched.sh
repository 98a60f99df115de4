#!/bin/bash
# Runs a server, and ends it where /health on a port of this machine has not answered 200 for WATCHDOG_SECONDS (60; 0:
# never); systemd, or the container's host, starts it again. watched.sh PORT COMMAND...
# Where METRICS is the host:port of the service's metrics, it also ends sqld when a database has answered no write for a
# minute: every five minutes at most, and never after 15 minutes, for then a start did not help.
port=$1
shift
patience=${WATCHDOG_SECONDS:-60}
if [[ ! $patience =~ ^(0|[1-9][0-9]{0,8})$ ]]; then
  echo "WATCHDOG_SECONDS is no whole number of seconds" >&2
  exit 1
fi
# In a process group of its own, so that what it has started ends with it.
set -m
"$@" &
server=$!
set +m
trap 'kill -TERM $server' TERM INT

# Prints what a port answers to a GET: ask HOST PORT PATH
ask() {
  timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1" && printf "GET %s HTTP/1.0\r\n\r\n" "$2" >&3 && cat <&3' "$@" 2> /dev/null
}

# Whether a start may help a database that answers no write.
stalls() {
  [ -n "$METRICS" ] && ((SECONDS >= ${RESTART_SECONDS:-300})) || return
  stalled=$(ask "${METRICS%:*}" "${METRICS##*:}" /metrics | sed -n 's/^company_operations_writes_stalled_seconds //p')
  ((${stalled:-0} >= ${STALLED_SECONDS:-60} && ${stalled:-0} < 900))
}

# Ends what is left of the server and of what it has started, which may be stopped or hang.
leave() {
  wait $server
  code=$?
  kill -KILL -- -$server 2> /dev/null
  exit $code
}

end() {
  echo "$1: it ends" >&2
  kill -KILL -- -$server
  leave
}

answered=$SECONDS
while kill -0 $server 2> /dev/null; do
  sleep 5 &
  wait -n $server $!
  if [[ $(ask 127.0.0.1 "$port" /health) =~ ^HTTP/1\.[01]\ 200 ]]; then answered=$SECONDS; fi
  if ((patience > 0 && SECONDS - answered >= patience)); then
    end "$1 has not answered for $patience seconds"
  elif stalls; then
    end "$1 has answered no write of a database for $stalled seconds"
  fi
done
leave
