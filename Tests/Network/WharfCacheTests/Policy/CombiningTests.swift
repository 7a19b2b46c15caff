import Testing
import WharfCache
import WharfCore
import WharfStorage

/// RFC 9111 §3.3, §3.4.
@Suite struct CombiningTests {
    private let policy = CachePolicy(.privateClient)

    private static func part(
        _ bytes: Range<Int64>, of length: Int64 = 10, _ fields: HTTPFields = [.eTag: "\"1\""]
    ) -> StoredHead {
        var fields = fields
        fields[.contentRange] = ContentRange(bytes, of: length).fieldValue
        fields[.contentLength] = String(bytes.upperBound - bytes.lowerBound)
        return stored(fields, status: .partialContent)
    }

    private static func whole(_ fields: HTTPFields = [.eTag: "\"1\""]) -> StoredHead {
        var fields = fields
        fields[.contentLength] = "10"
        return stored(fields)
    }

    private func combination(
        _ part: StoredHead, with stored: StoredHead?, length: Int64 = 10, request: HTTPFields = [:]
    ) throws -> Combination {
        var fields: HTTPFields = [.range: "bytes=0-1"]
        for field in request { fields.append(field) }
        let kept = stored.map(policy.facts)
        return policy.combination(
            part, for: try #require(facts(fields)), with: kept,
            length: kept?.contentRange.map { Int64($0.bytes.count) } ?? length)
    }

    struct Row: Sendable, CustomStringConvertible {
        enum Result: Sendable, Hashable { case discard, store, update, combine }

        var kept: Range<Int64>
        var new: Range<Int64>
        var result: Result
        /// The place of the stored response afterwards; nil for a complete one.
        var place: Range<Int64>?
        var bytes: [Int64] = []
        var description: String { "\(kept) and \(new)" }
    }

    @Test(
        arguments: [
            // They touch.
            Row(kept: 0..<4, new: 4..<8, result: .combine, place: 0..<8, bytes: [4, 0, 0]),
            Row(kept: 4..<8, new: 1..<4, result: .combine, place: 1..<8, bytes: [0, 0, 4]),
            // They overlap.
            Row(kept: 0..<4, new: 2..<8, result: .combine, place: 0..<8, bytes: [2, 2, 0]),
            Row(kept: 4..<8, new: 1..<6, result: .combine, place: 1..<8, bytes: [0, 2, 2]),
            // All bytes are there.
            Row(kept: 0..<5, new: 5..<10, result: .combine, place: nil, bytes: [5, 0, 0]),
            Row(kept: 3..<10, new: 0..<4, result: .combine, place: nil, bytes: [0, 1, 6]),
            Row(kept: 3..<5, new: 0..<10, result: .store, place: nil),
            // One has all bytes of the other.
            Row(kept: 3..<5, new: 2..<8, result: .store, place: 2..<8),
            Row(kept: 2..<8, new: 3..<5, result: .update, place: 2..<8),
            Row(kept: 2..<8, new: 2..<8, result: .update, place: 2..<8),
            // There is a gap.
            Row(kept: 0..<4, new: 5..<8, result: .store, place: 5..<8),
            Row(kept: 5..<8, new: 0..<4, result: .store, place: 0..<4),
        ])
    func partsOfOneVersionAreCombined(row: Row) throws {
        let combination = try combination(Self.part(row.new), with: Self.part(row.kept))
        let head: StoredHead
        switch combination {
        case .discard:
            Issue.record("the part is discarded")
            return
        case .store(let stored): (head, _) = (stored, #expect(row.result == .store))
        case .update(let stored): (head, _) = (stored, #expect(row.result == .update))
        case .combine(let stored, let bytes):
            head = stored
            #expect(row.result == .combine)
            #expect([bytes.before, bytes.overlap, bytes.after] == row.bytes)
        }
        let fields = head.response.headerFields
        #expect(head.response.status == (row.place == nil ? .ok : .partialContent))
        #expect(head.response.contentRange?.bytes == row.place)
        #expect(fields[.contentRange].flatMap(ContentRange.init)?.bytes == row.place)
        #expect(fields[.contentLength] == String(row.place?.count ?? 10))
    }

    @Test(
        arguments: [
            ([.eTag: "\"1\""], [.eTag: "\"1\""], true),
            ([.eTag: "\"1\""], [.eTag: "\"2\""], false),
            ([.eTag: "W/\"1\""], [.eTag: "W/\"1\""], false),
            ([.eTag: "\"1\""], [.eTag: "W/\"1\""], false),
            ([:], [:], false),
            ([.lastModified: date(-9), .date: date()], [.lastModified: date(-9), .date: date(5)], true),
            ([.lastModified: date(-9), .date: date()], [.lastModified: date(-8), .date: date()], false),
            ([.lastModified: date(), .date: date()], [.lastModified: date(), .date: date()], false),
            ([.eTag: "\"1\"", .lastModified: date(-9)], [.lastModified: date(-9)], false),
            ([.eTag: "W/\"1\"", .lastModified: date(-9)], [.eTag: "W/\"1\"", .lastModified: date(-9)], false),
            ([.eTag: "\"1\""], [.eTag: "\"1\"", .contentEncoding: "gzip"], false),
        ] as [(HTTPFields, HTTPFields, Bool)])
    func onlyAnEqualStrongValidatorCombines(kept: HTTPFields, new: HTTPFields, isCombined: Bool) throws {
        switch try combination(Self.part(5..<10, new), with: Self.part(0..<5, kept)) {
        case .combine: #expect(isCombined)
        case .store(let head):
            #expect(!isCombined)
            #expect(head.response.contentRange?.bytes == 5..<10)
        case .discard, .update: Issue.record("the part is not stored")
        }
    }

    @Test func anotherCompleteLengthIsAnotherVersion() throws {
        guard case .store = try combination(Self.part(5..<10, of: 11), with: Self.part(0..<5)) else {
            Issue.record("the parts are combined")
            return
        }
    }

    @Test func newFieldsReplaceTheStoredOnes() throws {
        var kept = Self.part(
            0..<5, [.eTag: "\"1\"", .server: "a", .via: "a", .age: "9", .cacheControl: "max-age=1", .date: date(-9)])
        kept.respondedAt = noon - .seconds(9)
        let new = Self.part(5..<10, [.eTag: "\"1\"", .server: "b", .cacheControl: "max-age=5", .date: date()])
        guard case .combine(let head, _) = try combination(new, with: kept) else {
            Issue.record("the parts are not combined")
            return
        }
        let fields = head.response.headerFields
        #expect(fields[.server] == "b" && fields[.via] == "a" && fields[.cacheControl] == "max-age=5")
        #expect(fields[.age] == nil && fields[.date] == date())
        #expect(head.respondedAt == noon)
    }

    @Test func partOfACompleteResponseUpdatesItsHead() throws {
        guard
            case .update(let head) = try combination(
                Self.part(5..<10, [.eTag: "\"1\"", .server: "b"]), with: Self.whole())
        else {
            Issue.record("the head is not updated")
            return
        }
        #expect(head.response.status == .ok && head.response.headerFields[.server] == "b")
        #expect(head.response.headerFields[.contentLength] == "10" && head.response.headerFields[.contentRange] == nil)
    }

    @Test func partOfAnotherVersionDoesNotReplaceACompleteResponse() throws {
        #expect(try combination(Self.part(0..<5), with: Self.whole([.eTag: "\"2\""])) == .discard)
        // A body of another length is of another version.
        #expect(try combination(Self.part(0..<5), with: Self.whole(), length: 11) == .discard)
        guard case .store = try combination(Self.part(0..<5), with: stored([:], status: .notFound)) else {
            Issue.record("the part does not replace the 404")
            return
        }
    }

    /// RFC 9110 §15.3.7: it may omit fields that its client has.
    @Test func answerToIfRangeIsStoredOnlyBesideItsVersion() throws {
        let asked: HTTPFields = [.ifRange: "\"1\""]
        #expect(try combination(Self.part(5..<10), with: nil, request: asked) == .discard)
        #expect(
            try combination(Self.part(5..<10), with: Self.part(0..<5, [.eTag: "\"2\""]), request: asked) == .discard)
        guard case .combine = try combination(Self.part(5..<10), with: Self.part(0..<5), request: asked),
            case .store = try combination(Self.part(7..<10), with: Self.part(0..<5), request: asked)
        else {
            Issue.record("the part is not stored with the fields of its version")
            return
        }
    }

    @Test func aLargeStoredPartIsNotCopied() throws {
        let limit = CachePolicy.combiningLimit
        for (count, isCombined) in [(limit, true), (limit + 1, false)] {
            let kept = Self.part(0..<count, of: 2 * limit)
            switch try combination(Self.part(count..<count + 1, of: 2 * limit), with: kept) {
            case .combine: #expect(isCombined)
            case .store(let head):
                #expect(!isCombined)
                #expect(head.response.contentRange?.bytes == count..<count + 1)
            case .discard, .update: Issue.record("the part is not stored")
            }
        }
    }

    @Test func partWithoutAPlaceIsNotStored() throws {
        let part = stored(
            [.eTag: "\"1\"", .contentRange: "bytes 4-9/10", .contentLength: "5"], status: .partialContent)
        #expect(try combination(part, with: nil) == .discard)
        // A stored one is of no version, and is replaced.
        guard case .store = try combination(Self.part(0..<5), with: part) else {
            Issue.record("the part does not replace the other one")
            return
        }
    }

    @Test(
        arguments: [
            ([:], false), ([.range: "bytes=2-7"], true), ([.range: "bytes=3-4"], true), ([.range: "bytes=1-4"], false),
            ([.range: "bytes=5-8"], false), ([.range: "bytes=5-"], false), ([.range: "bytes=-8"], false),
            ([.range: "bytes=10-"], false),
            ([.range: "bytes=3-4", .ifRange: "\"1\""], true), ([.range: "bytes=3-4", .ifRange: "\"2\""], false),
        ] as [(HTTPFields, Bool)])
    func partAnswersARangeThatItHas(request: HTTPFields, isAnswer: Bool) throws {
        let kept = policy.facts(Self.part(2..<8))
        #expect(kept.answers(try #require(facts(request))) == isAnswer)
        #expect(!kept.answers(try #require(facts(request, method: .head))))
    }

    @Test func encodedPartAnswersOnlyRequestsWithAcceptEncoding() throws {
        let kept = policy.facts(Self.part(2..<8, [.eTag: "\"1\"", .contentEncoding: "gzip"]))
        #expect(!kept.answers(try #require(facts([.range: "bytes=3-4"]))))
        #expect(!kept.answers(try #require(facts([.range: "bytes=3-4", .acceptEncoding: "Identity"]))))
        #expect(kept.answers(try #require(facts([.range: "bytes=3-4", .acceptEncoding: "gzip"]))))
    }

    @Test(
        arguments: [
            (200, "\"1\"", false), (200, "\"2\"", true), (200, "W/\"1\"", true), (200, nil, true), (206, "\"2\"", true),
            (404, "\"1\"", true), (410, nil, true), (304, nil, false), (503, nil, false), (416, nil, false),
        ] as [(Int, String?, Bool)])
    func answerOfAnotherVersionMakesAPartOutdated(status: Int, tag: String?, isOutdated: Bool) {
        var fields = HTTPFields()
        fields[.eTag] = tag
        let answer = HTTPResponse(status: .init(code: status), headerFields: fields)
        #expect(policy.isOutdated(policy.facts(Self.part(2..<8)), by: answer, at: noon) == isOutdated)
    }
}
