"""Joins another sender's session on a Google Cast receiver with pychromecast, and interferes.

    python3 watch.py PORT URL

Waits until URL is paused, plays it, and waits until it is stopped.
"""

import sys

from sender import PATIENCE, Statuses, connection


def main(port, url):
    cast = connection(port)
    statuses = Statuses(cast.media_controller)
    cast.wait(timeout=PATIENCE)
    statuses.wait("joined", lambda s: s.content_id == url and s.player_state == "PAUSED")
    cast.media_controller.play(timeout=PATIENCE)
    statuses.wait("stopped", lambda s: s.player_state == "IDLE" and s.idle_reason == "CANCELLED")
    cast.disconnect(timeout=PATIENCE)
    print("done")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
