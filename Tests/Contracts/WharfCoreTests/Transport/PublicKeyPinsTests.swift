import Testing

@testable import WharfCore

@Suite struct PublicKeyPinsTests {
    private static let first = "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="
    private static let second = "E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g="
    private static let third = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="

    @Test(arguments: [
        ("api.example.com", "api.example.com"), ("API.Example.com", "api.example.com"),
        ("api.example.com.", "api.example.com"), ("deep.api.example.com", "*.example.com"),
        ("a.b.example.com", "*.example.com"), ("x.cdn.example.com", "*.cdn.example.com"),
        ("cdn.example.com", "*.example.com"), ("m.example.com", "m.example.com"), ("example.com", nil),
        ("notexample.com", nil), ("example.com.evil", nil),
        ("api.example.com.evil", nil), ("192.0.2.1", "192.0.2.1"), ("::1", "::1"), ("[::1]", "::1"), ("", nil),
        ("192.513", "192.0.2.1"), ("192.0.513", "192.0.2.1"), ("0300.0.2.1", "192.0.2.1"), ("192.0.2.1.", "192.0.2.1"),
        ("0xC0000201", "192.0.2.1"), ("3221225985", "192.0.2.1"), ("192.0.2.257", nil), ("192.0.2.1.0", nil),
        ("4294967297", nil), ("192.0.-2.1", nil), ("192..2.1", nil), ("0x", nil), ("08.0.2.1", nil),
    ])
    func pinsOfTheLongestMatchingNameAreUsed(host: String, expected: String?) throws {
        let pins: Set = [Self.first, Self.second]
        let all = try PublicKeyPins([
            "*.example.com": pins, "m.example.com": pins, "api.example.com": pins, "*.CDN.example.com.": pins,
            "192.0.2.1": pins,
            "[::1]": pins,
        ])
        #expect(all.entry(for: host)?.host == expected)
        #expect(PublicKeyPins.none.entry(for: host) == nil)
    }

    @Test(
        arguments: [
            (["h.example": [Self.first]], "backup"), (["h.example": []], "backup"),
            (["": [Self.first, Self.second]], "host"),
            (["*": [Self.first, Self.second]], "host"), (["*.": [Self.first, Self.second]], "host"),
            (["a.*.example": [Self.first, Self.second]], "host"), (["https://h": [Self.first, Self.second]], "host"),
            (["h.example/": [Self.first, Self.second]], "host"),
            (["bücher.example": [Self.first, Self.second]], "host"),
            (["h.example": [Self.first, "sha256/\(Self.second)"]], "sha256/"),
            (["h.example": [Self.first, String(Self.second.dropLast())]], "44"),
            (["h.example": [Self.first, "E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1h="]], "44"),
            (["h.example": [Self.first, "E9CZ9INDbd-2eRQozYqqbQ2yXLVKB9_xcprMF-44U1g="]], "44"),
            (["h.example": [Self.first, Self.second], "H.EXAMPLE.": [Self.first, Self.third]], "once"),
        ] as [([String: Set<String>], String)])
    func invalidPinsAreRefusedWithAReason(pins: [String: Set<String>], reported: String) {
        let error = #expect(throws: TransportError.self) { try PublicKeyPins(pins) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(reported) == true, "\(error?.message ?? "")")
    }

    @Test func mismatchNamesExpectedAndFoundKeys() throws {
        let entry = try #require(
            PublicKeyPins(["h.example": [Self.first, Self.second]]).entry(for: "h.example"))
        try entry.check(Self.first)
        try entry.check(Self.second)
        let error = #expect(throws: TransportError.self) { try entry.check(Self.third) }
        #expect(error?.code == .pinningFailed)
        let mismatch = try #require(error?.cause as? PublicKeyMismatch)
        #expect(mismatch.expected == [Self.first, Self.second])
        #expect(mismatch.found == Self.third)
        #expect(error?.message.contains("the key \(Self.third) of h.example") == true)
        #expect(error?.message.contains("(\(Self.second), \(Self.first))") == true)
    }
}
