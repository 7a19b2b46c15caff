import Testing
import WharfCache
import WharfCore
import WharfPrimitives
import WharfRandom
import WharfStorage

/// No input crashes the parsers, and every parsed value is in its range.
@Suite struct ParserFuzzTests {
    private static let pieces = [
        "max-age", "=", "\"", "\\", ",", " ", "\t", "private", "no-cache", "0", "99999999999999999999", "-", ";", "*",
        "W/", "bytes", "/", "1",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Nov", "94", ":", "GMT", "\u{e9}", "\u{1F600}", "//", "..", "?", "#", "http",
        "\u{301}",
    ]

    @Test(arguments: 0..<8 as Range<UInt64>)
    func parsersAcceptAnyInput(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a/b?c")
        for _ in 0..<250 {
            let text: String
            if Bool.random(using: &random) {
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                text = String(decoding: bytes, as: UTF8.self)
            } else {
                text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    Self.pieces.randomElement(using: &random) ?? ""
                }.joined()
            }
            let control = CacheControl(text)
            for seconds in [control.maxAge, control.maxStale, control.minFresh, control.staleIfError] {
                #expect((0...(1 << 31)).contains(seconds ?? 0))
            }
            _ = WallTime(httpDate: text)
            for value in [text, "bytes " + text] {
                guard let place = ContentRange(value) else { continue }
                #expect(place.bytes.lowerBound >= 0 && !place.bytes.isEmpty && place.bytes.upperBound <= place.length)
            }
            if let target = TargetURI.of(base)?.resolve(text) {
                #expect(target.path.hasPrefix("/"))
                #expect(target.origin.hasPrefix("http"))
            }
            read(HTTPField(name: .cacheControl, lenientValue: Array(text.utf8)).value)
        }
    }

    /// Parses all fields that the policy reads, each with the same text.
    private func read(_ text: String) {
        var fields = HTTPFields()
        for name in [
            HTTPField.Name.cacheControl, .expires, .date, .age, .lastModified, .eTag, .vary, .connection,
            .contentLength, .contentRange,
        ] { fields.append(HTTPField(name: name, value: text)) }
        let head = StoredHead(
            response: HTTPResponse(status: .ok, headerFields: fields), requestedAt: .distantPast,
            respondedAt: .distantFuture
        )
        let request = TransportRequest(
            HTTPRequest(
                method: .get, scheme: "https", authority: "example.com", path: text,
                headerFields: [.ifNoneMatch: text, .ifModifiedSince: text, .cacheControl: text, .pragma: text]
            )
        )
        for configuration in [CacheConfiguration.privateClient, .shared] {
            let facts = CachePolicy(configuration).facts(head)
            for now in [WallTime.distantPast, WallTime(nanoseconds: 0), .distantFuture] {
                let freshness = facts.freshness(at: now)
                #expect(freshness.currentAge >= .zero)
                #expect(freshness.freshnessLifetime >= .zero)
                _ = facts.served(at: now)
            }
            guard case .cacheable(let asked) = RequestScope.of(request, configuration) else { continue }
            let exchange = CacheExchange(
                mode: .normal, isConditional: true, requestedAt: .distantFuture, respondedAt: .distantPast
            )
            for status in [HTTPResponse.Status.ok, .partialContent, .notModified, .serviceUnavailable] {
                _ = CachePolicy(configuration).outcome(
                    asked, facts, exchange, answer: HTTPResponse(status: status, headerFields: fields)
                )
            }
        }
    }
}

extension HTTPField.Name {
    static let pragma = HTTPField.Name("Pragma")!
}
