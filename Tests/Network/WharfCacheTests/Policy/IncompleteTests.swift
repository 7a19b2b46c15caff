import Testing
import WharfCache
import WharfCore
import WharfStorage

/// RFC 9111 §3.3.
@Suite struct IncompleteTests {
    private let policy = CachePolicy(.privateClient)
    private static let least = CachePolicy.shortestPart

    private static func part(
        _ bytes: Range<Int64>, of length: Int64 = 10 * least, _ tag: String = "\"1\""
    ) -> StoredHead {
        let fields: HTTPFields = [
            .eTag: tag, .contentRange: ContentRange(bytes, of: length).fieldValue, .contentLength: String(bytes.count),
        ]
        return stored(fields, status: .partialContent)
    }

    private static func whole(_ tag: String = "\"1\"") -> StoredHead {
        stored([.eTag: tag, .contentLength: String(10 * least)])
    }

    private func breakable(
        _ head: StoredHead, _ fields: HTTPFields = [:], _ reason: CacheStatus.Forward = .uriMiss
    ) throws -> BreakableAnswer? {
        policy.breakable(head, head.response, to: try #require(facts(fields)), reason)
    }

    struct Answer: Sendable, CustomStringConvertible {
        var status = 200
        var fields: HTTPFields
        var reason = CacheStatus.Forward.uriMiss
        var place: Range<Int64>?
        var description: String { "\(status) \(fields) \(reason)" }
    }

    @Test(
        arguments: [
            Answer(fields: [.eTag: "\"1\"", .contentLength: "9"], place: 0..<9),
            Answer(fields: [.lastModified: date(-9), .date: date(), .contentLength: "9"], place: 0..<9),
            Answer(
                status: 206, fields: [.eTag: "\"1\"", .contentLength: "9", .contentRange: "bytes 3-11/20"],
                place: 3..<12),
            // No strong validator.
            Answer(fields: [.eTag: "W/\"1\"", .contentLength: "9"]), Answer(fields: [.contentLength: "9"]),
            Answer(fields: [.lastModified: date(-9), .contentLength: "9"]),
            // An unknown length.
            Answer(fields: [.eTag: "\"1\""]), Answer(fields: [.eTag: "\"1\"", .contentLength: "9, 8"]),
            Answer(fields: [.eTag: "\"1\"", .contentLength: "9", .transferEncoding: "chunked"]),
            Answer(fields: [.eTag: "\"1\"", .contentLength: "0"]),
            Answer(status: 206, fields: [.eTag: "\"1\"", .contentLength: "9", .contentRange: "bytes 3-11/*"]),
            Answer(status: 206, fields: [.eTag: "\"1\"", .contentLength: "8", .contentRange: "bytes 3-11/20"]),
            // Another status, and the answer to POST.
            Answer(status: 404, fields: [.eTag: "\"1\"", .contentLength: "9"]),
            Answer(status: 203, fields: [.eTag: "\"1\"", .contentLength: "9"]),
            Answer(fields: [.eTag: "\"1\"", .contentLength: "9"], reason: .method),
        ])
    func answerIsBreakableWithStrongValidatorAndLength(answer: Answer) throws {
        let head = stored(answer.fields, status: .init(code: answer.status))
        #expect(try breakable(head, [:], answer.reason)?.place.bytes == answer.place)
    }

    struct Row: Sendable, CustomStringConvertible {
        /// All numbers are multiples of the fewest bytes; nil if nothing is stored.
        var kept: Range<Int64>?
        var new: Range<Int64>
        var arrived: Int64
        var before: Int64 = 0
        /// The place of the response afterwards; nil if the stored response stays.
        var place: Range<Int64>?
        var after: Int64 = 0
        var description: String { "\(arrived) of \(new) beside \(String(describing: kept))" }
    }

    @Test(
        arguments: [
            Row(kept: nil, new: 0..<10, arrived: 1, place: 0..<1),
            Row(kept: nil, new: 0..<10, arrived: 9, place: 0..<9),
            Row(kept: nil, new: 2..<8, arrived: 3, place: 2..<5),
            // Nothing arrived, all did, or more than all.
            Row(kept: nil, new: 0..<10, arrived: 0), Row(kept: nil, new: 0..<10, arrived: 10),
            Row(kept: nil, new: 2..<8, arrived: 6), Row(kept: nil, new: 2..<8, arrived: 7),
            // The stored part has all of them, or some.
            Row(kept: 0..<4, new: 0..<10, arrived: 4), Row(kept: 0..<4, new: 0..<10, arrived: 5, place: 0..<5),
            Row(kept: 2..<4, new: 0..<10, arrived: 3, place: 0..<4, after: 1),
            Row(kept: 2..<4, new: 0..<10, arrived: 2, place: 0..<4, after: 2),
            Row(kept: 2..<10, new: 0..<10, arrived: 3, place: 0..<10, after: 7),
            Row(kept: 0..<4, new: 4..<8, arrived: 2, before: 4, place: 0..<6),
            Row(kept: 0..<4, new: 2..<8, arrived: 3, before: 2, place: 0..<5),
            Row(kept: 0..<4, new: 2..<8, arrived: 1, before: 2),
            // There is a gap, and the longer part stays.
            Row(kept: 4..<8, new: 0..<4, arrived: 3), Row(kept: 4..<6, new: 0..<4, arrived: 3, place: 0..<3),
            // Another response was stored since the writer was begun.
            Row(kept: 0..<4, new: 4..<8, arrived: 2, before: 0), Row(kept: nil, new: 4..<8, arrived: 2, before: 4),
            Row(kept: 0..<4, new: 4..<8, arrived: 2, before: 3),
        ])
    func arrivedBytesAreStoredBesideOthersOfTheVersion(row: Row) throws {
        func scaled(_ range: Range<Int64>) -> Range<Int64> {
            range.lowerBound * Self.least..<range.upperBound * Self.least
        }
        let new = row.new == 0..<10 ? Self.whole() : Self.part(scaled(row.new))
        let kept = row.kept.map { policy.facts(Self.part(scaled($0))) }
        let part = policy.part(
            row.arrived * Self.least, of: try #require(try breakable(new)), after: row.before * Self.least,
            beside: kept, length: Int64(kept?.contentRange?.bytes.count ?? 0))
        #expect(part?.after == row.place.map { _ in row.after * Self.least })
        guard let part, let place = row.place.map(scaled) else { return #expect(part == nil && row.place == nil) }
        let isWhole = place == 0..<10 * Self.least
        #expect(part.head.response.status == (isWhole ? .ok : .partialContent))
        #expect(part.head.response.contentRange?.bytes == (isWhole ? nil : place))
        #expect(part.head.response.headerFields[.contentLength] == String(place.count))
    }

    @Test func fewerBytesThanAFirstFlightAreNotStored() throws {
        let answer = try #require(try breakable(Self.whole()))
        #expect(policy.part(Self.least - 1, of: answer, after: 0, beside: nil, length: 0) == nil)
        #expect(policy.part(Self.least, of: answer, after: 0, beside: nil, length: 0) != nil)
    }

    @Test(arguments: ["\"1\"", "\"2\""])
    func completeResponseOfAnyVersionStays(tag: String) throws {
        let answer = try #require(try breakable(Self.whole()))
        let kept = policy.facts(Self.whole(tag))
        #expect(policy.part(Self.least, of: answer, after: 0, beside: kept, length: 10 * Self.least) == nil)
    }

    @Test(arguments: [203, 301, 404, 410])
    func completeResponseOfAnyStatusStays(status: Int) throws {
        let answer = try #require(try breakable(Self.whole()))
        let kept = policy.facts(stored([.eTag: "\"2\""], status: .init(code: status)))
        #expect(policy.part(Self.least, of: answer, after: 0, beside: kept, length: 9) == nil)
    }

    @Test(arguments: [0, 1] as [Int64])
    func partOfALaterRequestStays(delay: Int64) throws {
        var head = Self.whole()
        head.requestedAt = noon - .seconds(delay)
        let kept = policy.facts(Self.part(0..<Self.least, "\"2\""))
        let part = policy.part(
            Self.least, of: try #require(try breakable(head)), after: 0, beside: kept, length: Self.least)
        #expect((part == nil) == (delay > 0))
    }

    /// RFC 9110 §13.1.5: the origin ignores the range, and sends a 200 with all fields.
    @Test func wholeAnswerToIfRangeIsStoredAsAPart() throws {
        let fields: HTTPFields = [.range: "bytes=9-", .ifRange: "\"2\""]
        let whole = try #require(try breakable(Self.whole(), fields))
        let part = policy.part(Self.least, of: whole, after: 0, beside: nil, length: 0)
        #expect(part?.head.response.contentRange?.bytes == 0..<Self.least)
        let rest = try #require(try breakable(Self.part(Self.least..<5 * Self.least), fields))
        #expect(policy.part(Self.least, of: rest, after: 0, beside: nil, length: 0) == nil)
    }

    @Test func longPartOfAnotherVersionIsReplaced() throws {
        let answer = try #require(try breakable(Self.whole()))
        let kept = policy.facts(Self.part(0..<5 * Self.least, "\"2\""))
        let part = policy.part(Self.least, of: answer, after: 0, beside: kept, length: 5 * Self.least)
        #expect(part?.head.response.contentRange?.bytes == 0..<Self.least)
        #expect(part?.head.response.headerFields[.eTag] == "\"1\"")
    }
}
