import WharfGenerate

extension Sample {
    static let names = [
        Sample(
            "Keywords",
            #"{"class": 1, "default": 2, "in": 3, "protocol": 4, "self": 5, "init": 6, "Type": 7, "Self": 8, "nil": 9, "where": 10, "hashValue": 11, "encode": 12, "container": 13, "encoder": null, "decoder": 14, "throws": 15, "Any": 16}"#
        ),
        Sample("NotASCII", #"{"größe": 1, "名前": "a", "naïve": true, "🚀": 1, "ключ_значения": {"й": 2}}"#),
        Sample("Hashes", #"{"hash": 1, "hash_value": 2, "none": 3, "some": 4, "unknown": 5}"#),
        Sample("NoCapitals", #"{"3d_model": {"a": 1}, "名前": {"b": 1}, "n": null}"#),
        Sample("TagsWithoutCapitals", #"[{"type": "円", "x0": 0}, {"type": "2d", "x1": 1}]"#),
        Sample(
            "KindsOfJSON",
            #"[{"type": "kind", "x0": 0}, {"type": "json", "x1": 1}, {"type": "unknown_element", "x2": 1}]"#),
        Sample(
            "LocalNames",
            #"{"json": 1, "json_value": 2, "fields": 3, "fields_value": 4, "decoding_error": {"at": "2026-01-31T12:00:00Z"}}"#
        ),
        Sample("URL", #"["https://a.b/"]"#),
        Sample("self", #"[1]"#),
        Sample("Date", #"[{"at": "2026-01-31T12:00:00Z"}]"#),
        Sample("Digits", #"{"2x": 1, "3d_model": {"1st": 2}, "x2": 3}"#),
        Sample("Clashes", #"{"user_id": 1, "userId": 2, "userID": 3, "USER-ID": 4}"#),
        Sample("Cases", #"{"id": 1, "ID": 2, "Id": 3, "iD": 4}"#),
        Sample(
            "Signs", #"{"": 1, "@": 2, "@id": 3, "$ref": 4, "a b": 5, "a.b": 6, "--": 7, "\"": 8, "\\": 9, "\n": 10}"#),
        Sample(
            "TakenTypes",
            #"{"data": {"a": 1}, "type": {"b": 1}, "codable": {"c": 1}, "coding_keys": {"d": 1}, "error": {"e": 1}, "string": {"f": 1}, "result": {"g": 1}, "any_json": {"h": [null]}, "url": {"i": 1}, "date": {"j": "2026-01-31T12:00:00Z"}}"#
        ),
        Sample(
            "Plurals",
            #"{"categories": [{"a": 1}], "addresses": [{"b": 1}], "people": [{"c": 1}], "news": [{"d": 1}], "boxes": [{"e": 1}], "status": [{"f": 1}], "houses": [{"g": 1}]}"#
        ),
        Sample("SameNameElsewhere", #"{"a": {"item": {"x": 1}}, "b": {"item": {"y": 1}}, "c": {"item": {"z": 1}}}"#),
        Sample("CasesOfASet", #"["a b", "a-b", "class", "none", "self", "2x", "unknown"]"#),
        Sample(
            "SetOfKeywords",
            #"[{"s": "class"}, {"s": "none"}, {"s": "unknown"}, {"s": "self"}, {"s": "class"}, {"s": "none"}, {"s": "unknown"}, {"s": "self"}, {"s": "class"}, {"s": "none"}, {"s": "unknown"}, {"s": "self"}]"#
        ),
        Sample("lower case name", #"{"a": {"b": 1}}"#),
    ]

    /// Samples for the way in which types are written.
    static let written = [
        Sample(
            "PublicTypes",
            #"{"id": 1, "tags": ["a"], "at": "2026-01-31T12:00:00Z", "note": null, "shape": [{"type": "a", "x": 1}, {"type": "b", "y": 2}]}"#
        ) {
            $0.access = .public
        },
        Sample("PublicKeywords", #"{"class": 1, "let": 2, "inout": 3, "self": 4, "json": 5, "fields": 6}"#) {
            $0.access = .public
        },
        Sample("PackageTypes", #"{"id": 1, "next": {"id": 2, "next": null}}"#) { $0.access = .package },
        Sample("Classes", #"{"id": 1, "tags": [{"a": 1}], "at": "2026-01-31T12:00:00Z"}"#) { $0.usesClasses = true },
        Sample("MutableTypes", #"{"id": 1, "at": "2026-01-31T12:00:00Z", "note": null}"#) { $0.isMutable = true },
        Sample("MutableClasses", #"{"id": 1, "inner": {"a": null}}"#) {
            ($0.usesClasses, $0.isMutable, $0.isSendable) = (true, true, false)
        },
        Sample("MutableChain", #"{"t": 1, "next": {"t": 2, "next": {"t": 3, "next": null}}}"#) { $0.isMutable = true },
        Sample("PrefixedTypes", #"{"id": 1, "data": {"any": null}}"#) { $0.prefix = "ACME" },
        Sample("Acronyms", #"{"api_url": "a", "user_ids": [1], "gpsPosition": 1}"#) { $0.acronyms = ["gps"] },
    ]
}
