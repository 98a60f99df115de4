#!/bin/bash
# Runs a server and ends it where /health on a port of this machine has not answered for a minute: systemd, or the
# container's host, starts it again. watched.sh PORT COMMAND...
port=$1
shift
"$@" &
server=$!
trap 'kill -TERM $server' TERM INT

answers() {
  timeout 5 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port && printf 'GET /health HTTP/1.0\r\n\r\n' >&3 && read -r _ <&3" 2> /dev/null
}

answered=$SECONDS
while kill -0 $server 2> /dev/null; do
  sleep 5 &
  wait $!
  if answers; then answered=$SECONDS; fi
  if ((SECONDS - answered >= 60)); then
    echo "$1 has not answered for a minute: it ends" >&2
    kill -KILL $server
  fi
done
wait $server
