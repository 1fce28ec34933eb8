# Runs before each block. Defines a curl that records statuses, limits the time of streams, and waits for a server that is starting.
set -a
[ -f .environment ] && . ./.environment
curl() {
  local longest=20 retries=20 code
  [[ " $* " == *' -N '* || "$*" == *stream* ]] && longest=2 retries=0
  command curl --silent --max-time $longest --retry $retries --retry-connrefused --retry-delay 1 --write-out '\n%{stderr}@status %{http_code}\n' "$@"
  code=$?
  [ $code = 28 ] || return $code
}
