"""Headless Chromium for tests, driven over W3C WebDriver (https://www.w3.org/TR/webdriver2/).

The client needs only the standard library: a command is one HTTP request with JSON. PyPI's selenium
would bring ten packages and a program that downloads browsers.
"""
import atexit
import base64
import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from urllib.parse import urlsplit

NAMES = ["chromium", "chromium-browser", "google-chrome"]

# The key of an element in JSON (WebDriver §12.2).
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
TAB = "\ue004"

# Notes the path of each fetch at its begin; the browser's own list has a request at its end.
NOTE_REQUESTS = """
const send = window.fetch;
window.sentPaths = [];
window.fetch = (...request) => {
  window.sentPaths.push(new URL(request[0].url ?? request[0], location).pathname);
  return send(...request);
};
"""

# Ends with true as soon as the condition holds.
#
# `after` and `shows` are paths. The wait ends with the condition's value when the page has read
# `shows` twice. A page that reads one after the other has then shown the first reading. Readings
# count from the end of the page's request to `after`, if there is one. So a condition that can't
# come true fails at once, and a slow machine fails no test.
WAIT = """
const [after, mark, shows, done] = arguments;
const isMet = () => Boolean(%s);
const observers = [];
const end = value => { for (const observer of observers) observer.disconnect(); done(value); };
const look = () => { if (isMet()) { end(true); return true; } return false; };
if (look()) return;
const changes = new MutationObserver(look);
observers.push(changes);
changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
if (!shows) return;
let from = after ? Infinity : performance.now();
let shown = Infinity;
const readings = new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const path = new URL(entry.name).pathname;
    if (path === after && entry.startTime >= mark) from = Math.min(from, entry.responseEnd);
    if (path !== shows || entry.startTime < from) continue;
    if (entry.startTime >= shown) return end(isMet());
    shown = Math.min(shown, entry.responseEnd);
  }
});
observers.push(readings);
readings.observe({ type: 'resource', buffered: true });
"""


class WebDriverError(Exception):
    """A command that chromedriver refuses, with the error code of WebDriver §6.6."""

    def __init__(self, command, value):
        super().__init__(f"{command}: {value['error']}: {value['message']}")
        self.code = value["error"]


class Chromium:
    """One headless Chromium with a profile of its own. It reaches no host but 127.0.0.1."""

    def __init__(self):
        self.processes = self.session = self.connection = None
        self.mark = 0
        self.requests = []
        self.folder = tempfile.mkdtemp(prefix="c.")
        # unittest runs no cleanup after an interrupt.
        atexit.register(self.close)
        try:
            self._start_driver()
            self._start_session()
        except BaseException:
            self.close()
            raise

    def _start_driver(self):
        # Chromium also writes into HOME (fonts, certificates), beside its profile.
        environment = {**os.environ, "HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
                       "XDG_CACHE_HOME": self.folder, "TMPDIR": self.folder}
        # A session of its own, so that close() ends all processes of Chromium.
        self.processes = subprocess.Popen(
            ["chromedriver", "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True)
        output = []
        for line in self.processes.stdout:
            output.append(line)
            if "was started successfully" in line:
                if " on port " not in line:
                    raise RuntimeError("chromedriver does not tell its port; install a newer one\n" + line)
                port = int(line.rstrip().rstrip(".").split(" ")[-1])
                break
        else:
            raise RuntimeError("chromedriver ended before it listened:\n" + "".join(output))
        # A full pipe would block chromedriver.
        threading.Thread(target=lambda: list(self.processes.stdout), daemon=True).start()
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def _start_session(self):
        arguments = [
            "--headless", f"--user-data-dir={self.folder}/profile", "--window-size=1280,900",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server",
            "--disable-component-update", "--disable-breakpad", "--disable-gpu",
            # A container has 64 MB of /dev/shm, and a tab that needs more crashes.
            "--disable-dev-shm-usage",
        ]
        if os.geteuid() == 0 or os.environ.get("WHARF_CI"):
            # Chromium refuses to run as root with its sandbox. Containers deny it the name spaces
            # that it needs as another user. The pages are the project's own.
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        binary = next(filter(None, map(shutil.which, NAMES)), None)
        if binary:
            options["binary"] = binary
        value = self.command("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            # scripts/run-tests ends a script that hangs.
            "timeouts": {"script": None},
            "unhandledPromptBehavior": "ignore",
        }}})
        self.session = value["sessionId"]
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=NOTE_REQUESTS)

    def close(self):
        """Ends all processes, and deletes the profile. A second call does nothing."""
        if self.session:
            # Chromium would still write into its profile while that is deleted. After an interrupt
            # the last command has no answer yet, and http.client refuses another one.
            with contextlib.suppress(OSError, http.client.HTTPException, WebDriverError):
                self.command("DELETE", "")
            self.session = None
        if self.connection:
            self.connection.close()
        if self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.processes.pid, signal.SIGKILL)
            self.processes.communicate()
            self.processes = None
        shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: Commands

    def command(self, method, path, body=None):
        """Sends one command, and returns its value."""
        if self.session:
            path = f"/session/{self.session}{path}"
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        value = json.loads(answer.read())["value"]
        if answer.status != 200:
            raise WebDriverError(f"{method} {path}", value)
        return value

    def cdp(self, name, **parameters):
        """Sends a command of the DevTools protocol."""
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, *arguments):
        """Runs the body of a function in the page, and returns its result."""
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def open(self, url):
        """Loads a page, and forgets the log of the last one."""
        # A failed test may have left a dialogue open, in which each command fails.
        with contextlib.suppress(WebDriverError):
            self.command("POST", "/alert/dismiss", {})
        self.command("POST", "/url", {"url": "about:blank"})
        self.console()
        self.requested()
        self.requests.clear()
        self.command("POST", "/url", {"url": url})
        # The default of 250 would drop later readings, on which waits depend.
        self.run("performance.setResourceTimingBufferSize(100000)")

    def wait(self, condition, after=None, shows=None):
        """Waits until an expression in JavaScript is true, and fails as `WAIT` says.

        `after` is a path to which the last click or key has sent a request.
        """
        # The last line of a run that hangs names the condition.
        print(f"\n  waits until {condition}", end=" ", flush=True)
        if not self._await(condition, after, shows):
            text = self.run("return document.body.innerText")
            raise AssertionError(f"the page does not show that {condition}; it shows:\n{text}")

    def settle(self, path):
        """Waits until the page has shown a reading of a path that begins after this call."""
        self._await("false", None, path)

    def _await(self, condition, after, shows):
        body = {"script": WAIT % condition, "args": [after, self.mark, shows]}
        return self.command("POST", "/execute/async", body)

    # MARK: Elements

    def all(self, css):
        """Returns the elements of a selector, hidden elements included."""
        found = self.command("POST", "/elements", {"using": "css selector", "value": css})
        return [element[ELEMENT] for element in found]

    def one(self, css):
        """Returns the only element of a selector."""
        found = self.all(css)
        if len(found) != 1:
            raise AssertionError(f"expected one element {css}, found {len(found)}")
        return found[0]

    def text(self, css):
        """Returns the shown text of the only element of a selector."""
        texts = self.run("return [...document.querySelectorAll(arguments[0])].map(it => it.innerText)", css)
        if len(texts) != 1:
            raise AssertionError(f"expected one element {css}, found {len(texts)}")
        return texts[0]

    def steady(self, action):
        """Calls a function, again each time the page has replaced an element that it uses."""
        while True:
            try:
                return action()
            except WebDriverError as error:
                if error.code != "stale element reference":
                    raise

    def click(self, css, sends=None):
        """Clicks the only element of a selector, at its centre.

        `sends` is the path of a request that the click sends before it returns. Without that check
        a wait for the answer of a dead control would hang.
        """
        self.steady(lambda: self._act(
            f"the click on {css}", sends, f"/element/{self.one(css)}/click", {}))

    def press(self, key, sends=None):
        """Presses a key, wherever the focus is."""
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keyboard", "actions": keys}]
        self._act(f"the key {key!r}", sends, "/actions", {"actions": actions})

    def _act(self, act, sends, path, body):
        self.mark = self.run("window.sentPaths = []; return performance.now()")
        self.command("POST", path, body)
        if sends:
            sent = self.run("return window.sentPaths")
            if sends not in sent:
                raise AssertionError(f"expected a request to {sends} by {act}, found {sent}")

    def name(self, element):
        """Returns the accessible name, as a screen reader says it."""
        return self.command("GET", f"/element/{element}/computedlabel")

    def role(self, element):
        return self.command("GET", f"/element/{element}/computedrole")

    # MARK: Emulation

    def emulate(self, width, theme):
        """Sets the width of the page in CSS pixels, and `light` or `dark`."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=width < 600)
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": theme}])

    def reset_emulation(self):
        self.cdp("Emulation.clearDeviceMetricsOverride")
        self.cdp("Emulation.setEmulatedMedia", features=[])

    def picture(self, path):
        """Saves the whole page as a PNG."""
        image = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    # MARK: Logs

    def console(self):
        """Returns the warnings and errors since the last call: of scripts, loads and the policy."""
        entries = self.command("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("WARNING", "SEVERE")]

    def requested(self):
        """Returns the URLs of all requests since the page was opened."""
        for entry in self.command("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        return list(self.requests)

    def foreign_requests(self, url):
        """Returns the URLs of requests to other hosts than that of a URL."""
        own = urlsplit(url).netloc
        return [each for each in self.requested() if urlsplit(each).netloc not in ("", own)]
