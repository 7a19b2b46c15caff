import WharfGenerate

extension Sample {
    static let objects = [
        Sample("BlogPostsRequest", #"{"posts": [{"title": "Some post", "tags": [{"value": "cool"}]}]}"#),
        Sample("Empty", "{}"),
        Sample("EmptyArray", #"{"tags": []}"#),
        Sample("TopLevelArray", #"[{"id": 1}, {"id": 2}]"#),
        Sample("TopLevelEmptyArray", "[]"),
        Sample("Matrix", #"{"rows": [[1, 2], [3.5], []]}"#),
        Sample(
            "SeveralSamples", #"{"id": 1, "name": "a"}"#, #"{"id": 2, "email": "b@example.com"}"#,
            #"{"id": 3, "name": null}"#, mixesNullAndAbsence: true),
        Sample(
            "Shared",
            #"{"author": {"id": 1, "login": "a"}, "reviewers": [{"id": 2, "login": "b"}], "by_day": {"2026-01-31": {"id": 3, "login": "c"}}}"#
        ),
        Sample(
            "Tree",
            #"{"name": "a", "children": [{"name": "b", "children": [{"name": "c", "children": []}, {"name": "d"}]}]}"#),
        Sample("Chain", #"{"t": 1, "next": {"t": 2, "next": {"t": 3, "next": null}}}"#),
        Sample(
            "Alternating",
            #"{"folder": {"name": "a", "files": [{"size": 1, "folder": {"name": "b", "files": [{"size": 2}]}}]}}"#),
        Sample("Wrapper", #"{"data": {"data": {"x": 1}}}"#),
        Sample("WrappedPlace", #"{"location": {"location": {"lat": 1, "lng": 2}, "name": "x"}, "name": "y"}"#),
        Sample(
            "ManyOptionals",
            #"[{}, {}, {}, {"street": "a", "zip": "b", "city": "c", "country": "d", "state": "e", "name": "f"}]"#),
        Sample("ParentAlike", #"{"id": 1, "name": "post", "owner": {"id": 2, "name": "a"}}"#),
        Sample("MapByNumber", #"{"users": {"1": {"name": "a"}, "27": {"name": "b"}}}"#),
        Sample("MapByUUID", #"{"7f3b6c1e-90a1-4b7a-a1a2-0123456789ab": 1, "7f3b6c1e-90a1-4b7a-a1a2-0123456789ac": 2}"#),
        Sample(
            "MapByName",
            #"{"currencies": {"eur": {"rate": 1}, "usd": {"rate": 1.1}, "gbp": {"rate": 0.8}, "jpy": {"rate": 160}, "chf": {"rate": 0.9}, "sek": {"rate": 11}, "nok": {"rate": 11}, "dkk": {"rate": 7}, "pln": {"rate": 4}, "czk": {"rate": 25}}}"#
        ),
        Sample("MapOfMaps", #"{"1": {"2": [3]}, "4": {}}"#),
        Sample("DeepNulls", #"{"a": [{"b": {"c": null}}, {"b": null}]}"#),
        Sample(
            "ManyFields",
            "{" + (0..<130).map { "\"field\($0)\": \($0 % 3 == 0 ? "\"x\"" : "\($0)")" }.joined(separator: ", ") + "}"),
        Sample("RepeatedKeys", #"{"list": [{"a": 1, "b": 2}, {"b": 3, "a": 4}]}"#),
        Sample("ArraysOfEither", #"{"items": [[1], ["a"], [{"x": 1}], null]}"#),
    ]
}
