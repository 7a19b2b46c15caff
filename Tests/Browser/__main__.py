"""Runs the tests of this folder, the files test_….py; scripts/browser-tests calls it.

- chromium.py: a headless Chromium, with waits for conditions in the page
- checks.py: checks for any page: structure, names, keyboard, contrast (contrast.js), width
- programs.py: an origin, and `wharf serve` in front of it

A test neither sleeps nor has a time limit. It waits for a condition, and scripts/run-tests ends a
run that hangs.
"""
import os
import signal
import sys
import unittest


def interrupt(*_):
    raise KeyboardInterrupt


# The default action ends Python at once, and Chromium would go on.
signal.signal(signal.SIGTERM, interrupt)
folder = os.path.dirname(os.path.abspath(__file__))
arguments = [sys.argv[0], "discover", "-v", "-s", folder, *sys.argv[1:]]
result = unittest.main(module=None, argv=arguments, exit=False).result
if not result.testsRun:
    sys.exit("browser-tests: no test ran; check the names after -k")
sys.exit(not result.wasSuccessful())
