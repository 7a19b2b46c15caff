"""Runs the tests of this folder; scripts/browser-tests calls it."""
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
