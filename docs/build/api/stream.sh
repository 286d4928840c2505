# The first event is `ready`. Without --max-time, the stream stays open.
curl -K api.curl --retry 0 --no-buffer --max-time 2 "$API/stream?topics=changes,sessions" || true
