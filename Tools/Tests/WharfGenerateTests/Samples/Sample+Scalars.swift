import WharfGenerate

extension Sample {
    static let scalars = [
        Sample("Integers", #"{"a": 1, "b": -9223372036854775808, "c": 0, "d": 9223372036854775807}"#),
        Sample("BeyondInt", #"{"a": 18446744073709551615, "b": 9223372036854775808}"#),
        Sample(
            "BeyondUInt64",
            #"{"a": 184467440737095516160, "b": -9223372036854775809, "c": 340282366920938463463374607431768}"#),
        Sample("Fractions", #"{"a": 0.5, "b": 1e3, "c": -2.5E-3, "d": 65.613616999999977}"#),
        Sample("TurningFractional", #"[{"price": 1}, {"price": 2.5}, {"price": 3}]"#),
        Sample("TurningLarge", #"[{"n": 1}, {"n": 9223372036854775808}]"#),
        Sample("NegativeAndLarge", #"[{"n": -1}, {"n": 9223372036854775808}]"#),
        Sample("ExactDecimals", #"{"amount": 12345678901234567890.125, "rate": 0.1234567890123456789}"#),
        Sample("Texts", #"{"a": "", "b": "\"quoted\" \\ \n\t", "c": "e\u0301 \ud83d\ude00", "d": "\u2028"}"#),
        Sample("Bools", #"{"yes": true, "no": false}"#),
        Sample("Dates", #"{"at": "2026-01-31T12:00:00Z", "leap": "2024-02-29T23:59:59Z"}"#),
        Sample(
            "Milliseconds",
            #"{"at": ["2026-01-31T12:00:00.120Z", "1999-12-31T23:59:59.999Z", "2026-01-31T12:00:00.001Z"]}"#),
        Sample(
            "EveryMillisecond",
            "[{\"at\": ["
                + (0..<1000).map { "\"2026-01-11T12:31:01.\("\(1000 + $0)".dropFirst())Z\"" }.joined(separator: ", ")
                + "]}]"),
        Sample(
            "LongFractions",
            #"{"a": [9007199254740993, 0.5], "b": 12345678901234.567, "c": 9007199254740.993, "d": 1e300}"#),
        Sample(
            "OddURLs",
            #"{"a": "http://a:b/c", "b": "https://a:80:90/", "c": "https://a@b@c/", "d": "https://a.b-c.d:8080?x"}"#),
        Sample("DatesOfTwoForms", #"[{"at": "2026-01-31T12:00:00Z"}, {"at": "2026-01-31T12:00:00.120Z"}]"#),
        Sample("DatesWithOffset", #"{"at": "2026-01-31T12:00:00+02:00"}"#),
        Sample("NearlyDates", #"{"a": "2026-02-30T12:00:00Z", "b": "2026-01-31", "c": "2026-01-31T25:00:00Z"}"#),
        Sample(
            "OptionalDates", #"[{"at": "2026-01-31T12:00:00Z"}, {"at": null}]"#, #"[{"at": "2026-01-31T12:00:00Z"}]"#),
        Sample("DatesByKey", #"{"2026-01-31": "2026-01-31T12:00:00Z", "2026-02-01": "2026-02-01T12:00:00Z"}"#),
        Sample(
            "LowercaseUUIDs",
            #"{"id": "7f3b6c1e-90a1-4b7a-a1a2-0123456789ab", "others": ["00000000-0000-0000-0000-000000000000"]}"#),
        Sample("UppercaseUUIDs", #"{"id": "7F3B6C1E-90A1-4B7A-A1A2-0123456789AB"}"#),
        Sample("MixedCaseUUIDs", #"{"id": ["7F3B6C1E-90a1-4B7A-A1A2-0123456789AB"]}"#),
        Sample("URLs", #"{"html_url": "https://example.com/a/b?q=1&r=%20#top", "home": "http://127.0.0.1:8080"}"#),
        Sample(
            "NearlyURLs", #"{"a": "https://exämple.com/", "b": "https://", "c": "www.example.com", "d": "https://a b"}"#
        ),
        Sample("MixedScalars", #"[{"id": 1}, {"id": "a"}, {"id": true}, {"id": null}]"#),
        Sample("MixedKinds", #"[{"v": 1.5}, {"v": [1, 2]}, {"v": {"a": 1}}, {"v": "x"}]"#),
        Sample("NullsAlone", #"{"a": null, "b": [null, null]}"#),
        Sample("NullOrValue", #"[{"a": null, "b": 1}, {"a": 2, "b": 1}]"#),
        Sample("AbsentOrValue", #"[{"b": 1}, {"a": 2, "b": 1}]"#),
        Sample("NullAbsentOrValue", #"[{"b": 1}, {"a": null, "b": 1}, {"a": 2, "b": 1}]"#, mixesNullAndAbsence: true),
        Sample(
            "ClosedSet",
            #"[{"state": "open"}, {"state": "closed"}, {"state": "open"}, {"state": "open"}, {"state": "in-progress"}, {"state": "closed"}, {"state": "closed"}, {"state": "open"}, {"state": "in-progress"}]"#
        ),
        Sample("TopLevelScalar", "42"),
        Sample("TopLevelNull", "null"),
        Sample("TopLevelDate", #""2026-01-31T12:00:00Z""#),
    ]
}
