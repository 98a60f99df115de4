#!/bin/bash
# Runs a server, and ends it where /health on a port of this machine has not answered for a minute; systemd, or the
# container's host, starts it again. watched.sh PORT COMMAND...
# Where METRICS is the host:port of the service's metrics, it also ends sqld when a database has answered no write for a
# minute: every five minutes at most, and never after 15 minutes, for then a start did not help.
port=$1
shift
"$@" &
server=$!
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

end() {
  echo "$1: it ends" >&2
  kill -KILL $server
  wait $server
  exit
}

answered=$SECONDS
while kill -0 $server 2> /dev/null; do
  sleep 5 &
  wait $!
  if [ -n "$(ask 127.0.0.1 "$port" /health)" ]; then answered=$SECONDS; fi
  if ((SECONDS - answered >= 60)); then
    end "$1 has not answered for a minute"
  elif stalls; then
    end "$1 has answered no write of a database for $stalled seconds"
  fi
done
wait $server
