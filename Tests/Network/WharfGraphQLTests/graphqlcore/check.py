"""Compares WharfGraphQL's results for documents with those of graphql-core.

    python3 check.py CASES

CASES is a file of JSON: an array of objects with `source`. An object also has `tree`, `pretty` and
`compact` if WharfGraphQL reads the document, or `place` (line and column) if it refuses it. Prints
a line for each difference, and then the numbers of accepted and refused documents. Exits with 1 if
there was a difference.
"""

import json
import sys

import graphql.language.block_string
import graphql.language.printer
from graphql import GraphQLSyntaxError, parse, print_ast, strip_ignored_characters


def units(value):
    """The length in UTF-16 code units, as in JavaScript, by which graphql-js wraps lines."""
    return len(value.encode("utf-16-le")) // 2 if isinstance(value, str) else len(value)


graphql.language.printer.len = units
graphql.language.block_string.len = units


def string(node):
    return node and {"text": node.value, "block": bool(node.block)}


def name(node):
    return node and node.value


def arguments(nodes):
    return [[node.name.value, value(node.value)] for node in nodes or ()]


def directives(node):
    return [{"name": each.name.value, "arguments": arguments(each.arguments)} for each in node.directives or ()]


def value(node):
    match node.kind:
        case "null_value":
            return {"null": True}
        case "boolean_value":
            return {"bool": node.value}
        case "int_value" | "float_value":
            return {"number": node.value}
        case "string_value":
            return {"string": string(node)}
        case "enum_value":
            return {"enum": node.value}
        case "variable":
            return {"variable": node.name.value}
        case "list_value":
            return {"list": [value(each) for each in node.values]}
        case "object_value":
            return {"object": arguments(node.fields)}


def variable(node):
    return {
        "name": node.variable.name.value,
        "type": print_ast(node.type),
        "default": node.default_value and value(node.default_value),
        "directives": directives(node),
        "description": string(node.description),
    }


def selections(node):
    return [selection(each) for each in node.selections] if node else []


def selection(node):
    common = {"kind": node.kind, "directives": directives(node)}
    match node.kind:
        case "field":
            return common | {
                "alias": name(node.alias),
                "name": node.name.value,
                "arguments": arguments(node.arguments),
                "selections": selections(node.selection_set),
            }
        case "fragment_spread":
            return common | {"name": node.name.value}
        case "inline_fragment":
            condition = node.type_condition
            return common | {"on": condition and condition.name.value, "selections": selections(node.selection_set)}


def definition(node):
    common = {
        "name": name(node.name),
        "directives": directives(node),
        "selections": selections(node.selection_set),
        "description": string(node.description),
    }
    if node.kind == "fragment_definition":
        return common | {"on": node.type_condition.name.value}
    return common | {
        "operation": node.operation.value,
        "variables": [variable(each) for each in node.variable_definitions or ()],
    }


def tree(source):
    document = parse(source, allow_empty_selection_sets=False)
    definitions = [each for each in document.definitions]
    if any(each.kind not in ("operation_definition", "fragment_definition") for each in definitions):
        return None
    return [definition(each) for each in definitions]


def apart(theirs, ours):
    """Returns both texts, from a little before the first difference."""
    theirs, ours = (text if isinstance(text, str) else json.dumps(text) for text in (theirs, ours))
    same = next((i for i, (a, b) in enumerate(zip(theirs, ours)) if a != b), min(len(theirs), len(ours)))
    return tuple(text[max(0, same - 40) : same + 40] for text in (theirs, ours))


def differences(case):
    source = case["source"]
    try:
        found = tree(source)
    except GraphQLSyntaxError as error:
        place = [error.locations[0].line, error.locations[0].column]
        if "place" not in case:
            yield "refused", error.message
        # graphql-core reports that error at the description. WharfGraphQL reports it at the wrong
        # token after the description.
        elif case["place"] != place and "Unexpected description" not in error.message:
            yield "place", (case["place"], place, case["message"], error.message)
        return
    if "place" in case:
        if found is not None:
            yield "accepted", (case["place"], case["message"])
        return
    if found != case["tree"]:
        yield "tree", apart(found, case["tree"])
    if print_ast(parse(source)) != case["pretty"]:
        yield "pretty", apart(print_ast(parse(source)), case["pretty"])
    if strip_ignored_characters(source) != case["compact"]:
        yield "compact", apart(strip_ignored_characters(source), case["compact"])
    if tree(case["compact"]) != found:
        yield "compact tree", apart(found, tree(case["compact"]))


def main(path):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    count = 0
    for case in cases:
        for kind, details in differences(case):
            count += 1
            if count <= 10:
                print(f"{kind}: {details!r} in {case['source'][:200]!r}")
    refused = sum("place" in case for case in cases)
    print(f"{len(cases) - refused} accepted, {refused} refused, {count} differences")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main(sys.argv[1])
