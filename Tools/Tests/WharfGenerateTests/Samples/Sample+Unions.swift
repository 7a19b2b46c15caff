import WharfGenerate

extension Sample {
    static let unions = [
        Sample(
            "Feed",
            #"{"shapes": [{"type": "square", "attributes": {"length": 200}}, {"type": "rectangle", "attributes": {"width": 200, "height": 300}}]}"#
        ),
        Sample(
            "InternalTag",
            #"[{"type": "circle", "radius": 1}, {"type": "square", "side": 2}, {"type": "circle", "radius": 2.5}]"#),
        Sample("TagAlone", #"[{"type": "ping"}, {"type": "text", "body": "hello"}, {"type": "ping"}]"#),
        Sample("ContentOrNot", #"[{"kind": "open"}, {"kind": "move", "data": {"x": 1}}, {"kind": "open"}]"#),
        Sample(
            "Expression",
            #"{"type": "add", "left": {"type": "number", "value": 1}, "right": {"type": "add", "left": {"type": "number", "value": 2}, "right": {"type": "negate", "operand": {"type": "number", "value": 3}}}}"#
        ),
        Sample(
            "SameKeysOtherKinds",
            #"[{"type": "count", "value": 1}, {"type": "label", "value": "a"}, {"type": "count", "value": 2}]"#),
        Sample(
            "NestedEvidence",
            #"{"data": [{"type": "people", "id": "1", "attributes": {"name": "a"}}, {"type": "articles", "id": "2", "attributes": {"title": "b", "words": 3}}]}"#
        ),
        Sample(
            "UnusualTag",
            #"[{"shade": "dark", "ink": 1}, {"shade": "light", "paper": 2}, {"shade": "dark", "ink": 3}, {"shade": "light", "paper": 4}]"#
        ),
        Sample("NamedTag", #"[{"shade": "dark", "ink": 1}, {"shade": "light", "paper": 2}]"#) {
            $0.discriminator = "shade"
        },
        Sample("OneOptional", #"[{"type": "home", "street": "x", "zip": "1"}, {"type": "work", "street": "y"}]"#),
        Sample("NoUnions", #"[{"type": "circle", "radius": 1}, {"type": "square", "side": 2}]"#) {
            $0.findsUnions = false
        },
        Sample(
            "NoEvidence",
            #"[{"type": "a", "title": "x"}, {"type": "b", "title": "y", "note": "z"}, {"type": "a", "title": "x", "note": "w"}]"#
        ),
        Sample(
            "UnionOfArticles",
            #"{"events": [{"event": "user.created", "user": {"id": 1, "born": "2026-01-31T12:00:00Z"}}, {"event": "user.deleted", "id": 1}, {"event": "user.created", "user": {"id": 2, "born": "2026-01-31T12:00:00Z"}}]}"#
        ),
    ]
}
