"""The programs behind a page under test: an origin, and `wharf serve` in front of it."""
import atexit
import contextlib
import http.client
import http.server
import os
import subprocess
import threading


class Origin:
    """A small HTTP server on a port of its own.

    `answers` has the fields and the body of each path; other paths are 404. A path in `held` is
    answered after its event was set.
    """

    def __init__(self, answers, held=()):
        self.answers = answers
        self.held = {path: threading.Event() for path in held}
        self.arrived = {path: threading.Event() for path in held}
        self.requests = []
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                origin.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler):
        path = handler.path.split("?")[0]
        self.requests.append(handler.path)
        if path in self.held:
            self.arrived[path].set()
            self.held[path].wait()
        fields, body = self.answers.get(path, (None, b"not found"))
        handler.send_response(404 if fields is None else 200)
        for name, value in (fields or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        # The gateway has ended if its test ended before a held path was answered.
        with contextlib.suppress(ConnectionError):
            handler.end_headers()
            handler.wfile.write(body)

    def close(self):
        for event in self.held.values():
            event.set()
        self.server.shutdown()
        self.server.server_close()


class Gateway:
    """`wharf serve` with an admin page, on free ports of loopback."""

    def __init__(self, origin, *options):
        self.lines = []
        self.reader = None
        self.process = subprocess.Popen(
            [os.environ["WHARF"], "serve", "--origin", origin.url, "--listen", "127.0.0.1:0",
             "--admin", "127.0.0.1:0", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # unittest runs no cleanup after an interrupt.
        atexit.register(self.close)
        try:
            # An empty line is the end of a program that could not start.
            self.url = self.process.stdout.readline().strip()
            self.admin = self._admin() if self.url else None
            if not self.admin:
                raise RuntimeError("wharf serve ended:\n" + "".join([*self.lines, *self.process.stderr]))
        except BaseException:
            self.close()
            raise
        # A full pipe would block the gateway.
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def _admin(self):
        for line in self.process.stderr:
            self.lines.append(line)
            if "admin page: " in line:
                return line.split("admin page: ")[1].split(";")[0].strip()
        return None

    def send(self, path):
        """Sends a request, and returns the connection that gets the answer."""
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"))
        connection.request("GET", path)
        return connection

    def get(self, path):
        """Returns the status and the body of the answer."""
        connection = self.send(path)
        try:
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def close(self):
        """Kills the program. A second call does nothing."""
        self.process.kill()
        self.process.wait()
        if self.reader:
            self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
