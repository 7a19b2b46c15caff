"""Code of both scripts: a pychromecast connection to a loopback receiver, and a wait for a status."""

import ssl
import sys
import threading
import uuid

import pychromecast
from pychromecast.const import CAST_TYPE_CHROMECAST
from pychromecast.controllers.media import MediaStatusListener
from pychromecast.models import CastInfo, HostServiceInfo

# A day, as a busy machine may take long to answer. scripts/run-tests ends a run that hangs.
PATIENCE = 86_400.0


class OneAtATime(ssl.SSLSocket):
    """A TLS socket with a lock.

    pychromecast writes on its caller's thread, and reads and writes on its own thread. OpenSSL
    requires one call at a time, and a Python of 2023 has no lock for that. Without it, TLS records
    get mixed, and a receiver can't decrypt them.
    """

    turn = threading.RLock()

    def send(self, *arguments):
        with self.turn:
            return super().send(*arguments)

    def recv(self, *arguments):
        with self.turn:
            return super().recv(*arguments)


ssl.SSLContext.sslsocket_class = OneAtATime


def connection(port):
    # With type and model given, pychromecast sends no HTTP request.
    info = CastInfo(
        {HostServiceInfo("127.0.0.1", port)}, uuid.uuid4(), "Chromecast", "Receiver", "127.0.0.1", port,
        CAST_TYPE_CHROMECAST, "Google Inc.",
    )
    return pychromecast.Chromecast(info, tries=1, timeout=PATIENCE)


class Statuses(MediaStatusListener):
    """Keeps the newest status, and lets callers wait for one."""

    def __init__(self, controller):
        self.changed = threading.Condition()
        self.controller = controller
        controller.register_status_listener(self)

    def new_media_status(self, status):
        with self.changed:
            self.changed.notify_all()

    def load_media_failed(self, queue_item_id, error_code):
        pass

    def wait(self, step, condition):
        with self.changed:
            if not self.changed.wait_for(lambda: condition(self.controller.status), PATIENCE):
                sys.exit(f"{step}: not in {PATIENCE} s; the last status is {self.controller.status}")
        print(step, self.controller.status.player_state, self.controller.status.current_time)
