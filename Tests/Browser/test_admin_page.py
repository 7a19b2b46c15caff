"""The gateway's admin page (`wharf serve --admin`) in headless Chromium."""
import os
import unittest

import checks
from chromium import Chromium, WebDriverError
from programs import Gateway, Origin

# Ages of more than a day, so that the shown ones depend on no pause of the machine.
USER = ({"Cache-Control": "max-age=31536000", "Age": "100000"}, b"ada")
NEWS = ({"Cache-Control": "max-age=60", "Age": "100000", "ETag": '"1"'}, b"news")
# A line can be broken nowhere in it.
LONG = "/" + "path" * 40
STATUS = "document.getElementById('status').textContent"
ENTRIES = "document.querySelectorAll('#entries li').length"


class AdminPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.origin = Origin(
            {"/users/1": USER, "/users/2": USER, "/news": NEWS, LONG: USER, "/slow": USER}, held=["/slow"])
        self.addCleanup(self.origin.close)

    def start(self, *options):
        self.gateway = Gateway(self.origin, *options)
        self.addCleanup(self.gateway.close)

    def open(self, status="Online"):
        """Opens the page, and waits until it has shown its first reading."""
        self.browser.open(self.gateway.admin)
        self.addCleanup(self.browser.open, "about:blank")
        self.browser.wait(f"{STATUS} === '{status}'", shows="/state.json")

    def switch(self, control, path, status):
        self.browser.click(control, sends=path)
        self.browser.wait(f"{STATUS} === '{status}'", after=path, shows="/state.json")

    def is_on(self, control):
        return self.browser.run("return document.querySelector(arguments[0]).ariaChecked", control) == "true"

    def check_quiet(self):
        """No error, no warning, and no request to another host."""
        self.assertEqual(self.browser.console(), [])
        self.assertEqual(self.browser.foreign_requests(self.gateway.admin), [])

    # MARK: Use

    def test_page_loads_without_errors_and_foreign_requests(self):
        self.start()
        self.open()
        self.browser.wait(f"{ENTRIES} === 0 && !document.getElementById('entries-empty').hidden", shows="/state.json")
        self.assertEqual(self.browser.text("#origin"), self.origin.url)
        self.assertEqual(self.browser.text("#url"), self.gateway.url)
        self.assertEqual(checks.structure(self.browser), [])
        self.check_quiet()
        # The check of hosts saw the requests of the page.
        self.assertIn(f"{self.gateway.admin}/state.json", self.browser.requested())

    def test_kept_answers_are_listed_with_age_and_reason(self):
        self.start()
        self.assertEqual(self.gateway.get("/users/1?key=secret"), (200, b"ada"))
        self.assertEqual(self.gateway.get("/news"), (200, b"news"))
        self.open()
        self.browser.wait(f"{ENTRIES} === 2", shows="/state.json")
        news, user = self.browser.run("return [...document.querySelectorAll('#entries li')].map(it => it.innerText)")
        self.assertRegex(user, r"GET /users/1\s*with a query")
        self.assertRegex(user, r"fresh for 363 d( \d+ h)?; answers until it is stale \(max-age\)")
        self.assertRegex(user, r"status 200, \d.*B, 1 d( \d+ h)? old")
        self.assertNotIn("secret", user)
        self.assertIn("GET /news", news)
        self.assertRegex(news, r"stale for 1 d( \d+ h)?; kept to be revalidated")
        self.assertRegex(self.browser.text("#store"), r"^2 answers, \d.* of 256 MB$")
        self.check_quiet()

    def test_long_list_comes_in_pages_and_is_reloaded(self):
        self.start()
        for number in range(60):
            self.gateway.get(f"/users/1?{number}")
        self.open()
        self.browser.wait(f"{ENTRIES} === 50", shows="/state.json")
        self.browser.click("#more", sends="/entries.json")
        self.browser.wait(f"{ENTRIES} === 60")
        self.assertEqual(self.browser.run("return document.getElementById('more').hidden"), True)
        # The page does not reload a list by itself of which the reader has asked for more.
        self.gateway.get("/news")
        self.browser.click("#reload", sends="/entries.json")
        self.browser.wait(f"{ENTRIES} === 50")
        self.assertIn("GET /news", self.browser.run("return document.querySelector('#entries li').innerText"))
        self.check_quiet()

    def test_removed_answer_is_gone_and_the_focus_stays(self):
        self.start()
        self.gateway.get("/users/1")
        self.gateway.get("/users/2")
        self.open()
        self.browser.wait(f"{ENTRIES} === 2", shows="/state.json")
        self.browser.click("[aria-label='Remove GET /users/2']", sends="/entries/remove")
        self.browser.wait(f"{ENTRIES} === 1", after="/entries/remove", shows="/state.json")
        self.assertEqual(self.browser.run("return document.activeElement.ariaLabel"), "Remove GET /users/1")
        self.gateway.get("/users/1")
        self.assertEqual(self.origin.requests, ["/users/1", "/users/2"])
        self.gateway.get("/users/2")
        self.assertEqual(self.origin.requests[2:], ["/users/2"])
        self.check_quiet()

    def test_refresh_of_the_list_leaves_the_focus_in_it(self):
        self.start()
        self.gateway.get("/users/1")
        self.open()
        self.browser.wait(f"{ENTRIES} === 1", shows="/state.json")
        # The answer waits in the page until the focus is in the list.
        self.browser.run("""
            const send = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await send(path, options);
              if (path === '/entries.json') {
                document.body.dataset.held = '';
                await new Promise(resolve => { window.release = resolve; });
              }
              return answer;
            };
            """)
        self.gateway.get("/users/2")
        # The page loads the list each five seconds.
        self.browser.wait("'held' in document.body.dataset")
        self.browser.run("document.querySelector('#entries button').focus(); window.release()")
        self.browser.settle("/state.json")
        self.assertEqual(self.browser.run("return document.activeElement.ariaLabel"), "Remove GET /users/1")

    def test_offline_switch_leaves_the_cache_alone_to_answer(self):
        self.start()
        self.assertEqual(self.gateway.get("/users/1"), (200, b"ada"))
        self.open()
        self.assertFalse(self.is_on("#offline"))
        self.switch("#offline", "/offline", "Offline")
        self.assertTrue(self.is_on("#offline"))
        self.assertEqual(self.gateway.get("/users/1"), (200, b"ada"))
        self.assertEqual(self.gateway.get("/users/2")[0], 504)
        self.assertEqual(self.origin.requests, ["/users/1"])
        self.assertRegex(self.browser.run("return document.title"), r"^Offline – 127\.0\.0\.1:\d+$")
        self.switch("#offline", "/online", "Online")
        self.assertFalse(self.is_on("#offline"))
        self.assertEqual(self.gateway.get("/users/2"), (200, b"ada"))
        self.check_quiet()

    def test_removal_while_offline_asks_first(self):
        self.start()
        self.gateway.get("/users/1")
        self.open()
        self.browser.wait(f"{ENTRIES} === 1", shows="/state.json")
        self.switch("#offline", "/offline", "Offline")
        self.browser.click("#entries button")
        self.assertIn("can't be loaded again", self.browser.command("GET", "/alert/text"))
        self.browser.command("POST", "/alert/dismiss", {})
        self.assertEqual(self.gateway.get("/users/1"), (200, b"ada"))
        self.assertRaises(WebDriverError, self.browser.command, "GET", "/alert/text")

    def test_fault_switch_reaches_the_next_request(self):
        self.start("--fault", "refused")
        self.open("Online, with faults")
        self.assertTrue(self.is_on("#faults"))
        self.assertEqual(self.gateway.get("/users/1")[0], 502)
        self.switch("#faults", "/faults/off", "Online")
        self.assertFalse(self.is_on("#faults"))
        self.assertEqual(self.gateway.get("/users/1"), (200, b"ada"))
        self.switch("#faults", "/faults/on", "Online, with faults")
        self.assertEqual(self.gateway.get("/users/2")[0], 502)
        self.check_quiet()

    def test_live_request_is_shown_while_it_hangs(self):
        self.start()
        self.open()
        connection = self.gateway.send("/slow?token=secret")
        self.addCleanup(connection.close)
        self.origin.arrived["/slow"].wait()
        self.browser.wait("document.querySelectorAll('#live li').length === 1", shows="/state.json")
        self.assertRegex(self.browser.text("#live li"), r"(?s)^GET /slow\s.*no answer yet; 0 B sent$")
        self.assertEqual(self.browser.text("#live-count"), "1")
        self.origin.held["/slow"].set()
        self.assertEqual(connection.getresponse().read(), b"ada")
        # The gateway ends the request after its last byte, which has arrived before.
        self.browser.wait("document.querySelectorAll('#live li').length === 0")
        self.assertEqual(self.browser.text("#live-empty"), "No request is in flight.")
        self.assertRegex(self.browser.text("#answers"), r"^Origin nothing usable was kept\s+1$")
        self.check_quiet()

    def test_ended_gateway_is_reported_beside_the_last_numbers(self):
        self.start()
        self.gateway.get("/users/1")
        self.open()
        self.gateway.close()
        self.browser.wait(f"{STATUS} === 'No connection'")
        self.assertIn("does not answer", self.browser.text("#notice"))
        self.assertEqual(self.browser.role(self.browser.one("#notice")), "alert")
        self.assertIn("1", self.browser.text("#answers"))
        for theme in ("light", "dark"):
            self.look(1280, theme)

    # MARK: Looks

    def fill(self):
        """Shows each kind of content: kept answers, a live request, both switches."""
        self.start("--fault", "latency=1ms")
        for path in ("/users/1?a=1", "/news", LONG, "/missing"):
            self.gateway.get(path)
        connection = self.gateway.send("/slow")
        self.addCleanup(connection.close)
        self.origin.arrived["/slow"].wait()
        self.open("Online, with faults")
        self.browser.wait(f"{ENTRIES} >= 3", shows="/state.json")

    def look(self, width, theme):
        with self.subTest(width=width, theme=theme):
            self.browser.emulate(width, theme)
            self.addCleanup(self.browser.reset_emulation)
            self.assertEqual(checks.contrast(self.browser), [])
            self.assertEqual(checks.overflow(self.browser), [])

    def test_contrast_and_width_suffice_in_light_and_dark(self):
        self.fill()
        folder = os.environ.get("WHARF_SCREENSHOTS")
        for width in (1280, 390):
            for theme in ("light", "dark"):
                self.look(width, theme)
                if folder:
                    self.browser.picture(os.path.join(folder, f"admin-{width}-{theme}.png"))
        self.switch("#offline", "/offline", "Offline")
        self.switch("#faults", "/faults/off", "Offline")
        for theme in ("light", "dark"):
            self.look(390, theme)
        self.switch("#offline", "/online", "Online")
        for theme in ("light", "dark"):
            self.look(1280, theme)
        self.check_quiet()

    def test_controls_have_names_and_tab_reaches_them(self):
        self.fill()
        found = checks.controls(self.browser)
        self.assertEqual(found[:3], [("switch", "Offline"), ("switch", "Faults"), ("button", "Reload the list")])
        self.assertIn(("button", "Remove GET /users/1"), found)
        self.assertEqual(checks.names(self.browser), [])
        self.assertEqual(self.browser.name(self.browser.one("#fill")), "Used part of the limit")
        self.assertEqual(checks.structure(self.browser), [])
        self.assertEqual(checks.keyboard(self.browser), [])

    def test_space_switches_by_keyboard(self):
        self.start()
        self.open()
        self.browser.run("document.getElementById('offline').focus()")
        self.browser.press(" ", sends="/offline")
        self.browser.wait(f"{STATUS} === 'Offline'", after="/offline", shows="/state.json")
        self.assertTrue(self.is_on("#offline"))
