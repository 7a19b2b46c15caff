"""Controls a Google Cast receiver with pychromecast, and checks each status.

    python3 check.py PORT URL BROKEN_URL

Connects to 127.0.0.1:PORT, launches the default media receiver, loads URL, pauses, seeks, plays and
stops. Then it fails to load BROKEN_URL, and quits. URL lasts 1,000,000 s, so that a slow machine
does not reach its end. Each step waits for its answer, and checks pychromecast's status. Prints a
line for each step. If a status violates the protocol, it prints the step and exits with 1.
"""

import sys
import threading

import pychromecast
from pychromecast.response_handler import WaitResponse
from sender import PATIENCE, Statuses, connection

DURATION = 1_000_000


def expect(step, condition, found):
    if not condition:
        sys.exit(f"{step}: found {found}")


def main(port, url, broken):
    cast = connection(port)
    cast.wait(timeout=PATIENCE)
    expect("connect", cast.app_id is None, cast.status)
    print("connect", cast.status.volume_level)

    cast.start_app(pychromecast.APP_MEDIA_RECEIVER, timeout=PATIENCE)
    expect("launch", cast.app_id == pychromecast.APP_MEDIA_RECEIVER, cast.status)
    expect("launch", cast.status.namespaces == ["urn:x-cast:com.google.cast.media"], cast.status)
    print("launch", cast.app_display_name)

    media = cast.media_controller
    statuses = Statuses(media)
    loaded = WaitResponse(PATIENCE, "load")
    media.play_media(
        url, "video/mp4", title="Film", current_time=42.5, autoplay=True, stream_type="BUFFERED",
        media_info={"duration": DURATION, "customData": {"itemID": "film"}}, callback_function=loaded.callback,
    )
    loaded.wait_response()
    expect("load", loaded.response["type"] == "MEDIA_STATUS", loaded.response)
    statuses.wait("load", lambda s: s.player_state == "PLAYING" and s.current_time >= 42.5)
    expect("load", media.status.content_id == url and media.status.duration == DURATION, media.status)
    expect("load", media.status.title == "Film" and media.status.supports_seek, media.status)

    media.pause(timeout=PATIENCE)
    statuses.wait("pause", lambda s: s.player_state == "PAUSED" and s.current_time >= 42.5)
    media.seek(10.25, timeout=PATIENCE)
    statuses.wait("seek", lambda s: s.player_state == "PLAYING" and 10.25 <= s.current_time < 42.5)
    media.pause(timeout=PATIENCE)
    media.play(timeout=PATIENCE)
    statuses.wait("play", lambda s: s.player_state == "PLAYING")

    # Near the end, and polled until the end.
    media.seek(DURATION - 0.1, timeout=PATIENCE)
    while True:
        asked = WaitResponse(PATIENCE, "status")
        media.update_status(callback_function=asked.callback)
        asked.wait_response()
        if media.status.player_state == "IDLE":
            break
        threading.Event().wait(0.01)
    statuses.wait("end", lambda s: s.player_state == "IDLE" and s.idle_reason == "FINISHED")

    refused = WaitResponse(PATIENCE, "pause")
    media.send_message(
        {"type": "PAUSE", "mediaSessionId": media.status.media_session_id}, callback_function=refused.callback
    )
    refused.wait_response()
    expect("pause after the end", refused.response["type"] == "INVALID_PLAYER_STATE", refused.response)
    print("pause after the end", refused.response["type"])

    failed = WaitResponse(PATIENCE, "load of nothing")
    media.play_media(broken, "video/mp4", callback_function=failed.callback)
    failed.wait_response()
    expect("load of nothing", failed.response["type"] == "LOAD_FAILED", failed.response)
    print("load of nothing", failed.response["type"])

    media.play_media(url, "video/mp4", autoplay=False, stream_type="BUFFERED")
    statuses.wait("load paused", lambda s: s.player_state == "PAUSED" and s.current_time == 0)
    media.stop(timeout=PATIENCE)
    statuses.wait("stop", lambda s: s.player_state == "IDLE" and s.idle_reason == "CANCELLED")

    cast.quit_app(timeout=PATIENCE)
    expect("quit", cast.app_id is None, cast.status)
    cast.disconnect(timeout=PATIENCE)
    print("done")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
