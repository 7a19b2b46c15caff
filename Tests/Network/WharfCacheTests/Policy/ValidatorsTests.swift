import Testing
import WharfCache
import WharfCore
import WharfStorage

@Suite struct ValidatorsTests {
    private func validators(_ fields: HTTPFields) -> Validators {
        CachePolicy(.privateClient).facts(stored(fields)).validators
    }

    @Test func conditionalFieldsComeFromTheStoredValidators() {
        #expect(validators([:]).conditionalFields.isEmpty)
        #expect(validators([.eTag: "W/\"1\""]).conditionalFields == [.ifNoneMatch: "W/\"1\""])
        #expect(validators([.eTag: ""]).conditionalFields.isEmpty)
        #expect(validators([.lastModified: date(-5)]).conditionalFields == [.ifModifiedSince: date(-5)])
        #expect(validators([.lastModified: "yesterday"]).conditionalFields.isEmpty)
        #expect(
            validators([.eTag: "\"1\"", .lastModified: date(-5)]).conditionalFields
                == [.ifNoneMatch: "\"1\"", .ifModifiedSince: date(-5)]
        )
    }

    @Test(
        arguments: [
            ("\"1\"", nil, true), ("\"2\"", nil, false), ("W/\"1\"", nil, true), ("*", nil, true),
            ("\"2\", \"1\"", nil, true),
            ("\"2, \\\", \"1\"", nil, true), ("1", nil, false), ("", nil, false),
            ("\"2\"", date(99), false), ("\"1\"", date(-99), true),
            (nil, date(-5), true), (nil, date(-6), false), (nil, date(5), true), (nil, "then", false),
            (nil, nil, false),
        ] as [(String?, String?, Bool)])
    func tellsWhetherTheClientHasThisVersion(ifNoneMatch: String?, ifModifiedSince: String?, isSame: Bool) {
        let kept = validators([.eTag: "\"1\"", .lastModified: date(-5)])
        #expect(kept.satisfy(ifNoneMatch: ifNoneMatch, ifModifiedSince: ifModifiedSince) == isSame)
    }

    @Test func withoutLastModifiedTheDateStandsIn() {
        let kept = validators([.date: date(-5)])
        #expect(kept.satisfy(ifNoneMatch: nil, ifModifiedSince: date(-5)))
        #expect(!kept.satisfy(ifNoneMatch: nil, ifModifiedSince: date(-6)))
        #expect(!kept.satisfy(ifNoneMatch: "\"1\"", ifModifiedSince: nil))
        #expect(kept.satisfy(ifNoneMatch: "*", ifModifiedSince: nil))
    }
}

@Suite struct ConfirmationTests {
    private let policy = CachePolicy(.privateClient)
    private let later = noon + .seconds(60)

    private func outcome(
        _ kept: HTTPFields, _ notModified: HTTPFields, request: HTTPFields = [:], _ policy: CachePolicy? = nil
    ) throws -> CacheOutcome {
        let policy = policy ?? self.policy
        let exchange = CacheExchange(
            mode: .normal, isConditional: true, requestedAt: later - .seconds(1), respondedAt: later
        )
        return policy.outcome(
            try #require(facts(request)), policy.facts(stored(kept)), exchange,
            answer: HTTPResponse(status: .notModified, headerFields: notModified)
        )
    }

    private func confirmed(
        _ kept: HTTPFields, _ notModified: HTTPFields, request: HTTPFields = [:]
    ) throws -> (StoredHead, ConfirmationEffect) {
        guard case .confirmed(let head, let keeping) = try outcome(kept, notModified, request: request) else {
            throw Unexpected()
        }
        return (head, keeping)
    }

    private struct Unexpected: Error {}

    @Test func notModifiedUpdatesAllFieldsButThoseOfTheBody() throws {
        let (head, keeping) = try confirmed(
            [
                .eTag: "\"1\"", .contentLength: "5", .contentEncoding: "x", .contentType: "text/plain", .server: "a",
                .cacheControl: "max-age=1, must-revalidate", .age: "99", .date: date(-9),
            ],
            [
                .eTag: "\"1\"", .contentLength: "0", .contentEncoding: "gzip", .cacheControl: "max-age=9",
                .date: date(60),
                .connection: "X-Hop", .via: "1.1 x",
            ]
        )
        let fields = head.response.headerFields
        #expect(keeping == .updated)
        #expect(head.response.status == .ok)
        #expect(
            fields[.contentLength] == "5" && fields[.contentEncoding] == "x" && fields[.contentType] == "text/plain")
        #expect(fields[.cacheControl] == "max-age=9", "directives that were withdrawn are gone")
        #expect(fields[.age] == nil && fields[.date] == date(60))
        #expect(fields[.via] == "1.1 x" && fields[.server] == "a" && fields[.connection] == nil)
        #expect(head.requestedAt == later - .seconds(1) && head.respondedAt == later)
    }

    @Test func notModifiedWithoutDateExtendsFreshness() throws {
        let (head, _) = try confirmed([.eTag: "\"1\"", .cacheControl: "max-age=30", .date: date()], [:])
        #expect(policy.facts(head).freshness(at: later).isFresh)
        #expect(head.response.headerFields[.date] == date(60))
    }

    @Test func keepsTheAgeThatCameWithThe304() throws {
        let (head, _) = try confirmed([.eTag: "\"1\"", .age: "3"], [.age: "7"])
        #expect(head.response.headerFields[.age] == "7")
    }

    @Test func notModifiedUpdatesVary() throws {
        let (head, keeping) = try confirmed([.eTag: "\"1\""], [.vary: "Accept"], request: [.accept: "b"])
        #expect(keeping == .updated)
        #expect(head.varying == [.accept: "b"])
        #expect(try confirmed([.eTag: "\"1\""], [.vary: "*"]).1 == .removed)
    }

    @Test func notModifiedThatForbidsStoringRemovesTheAnswer() throws {
        #expect(try confirmed([.eTag: "\"1\""], [.cacheControl: "no-store"]).1 == .removed)
        #expect(try confirmed([.eTag: "\"1\""], [:], request: [.cacheControl: "no-store"]).1 == .left)
        guard
            case .confirmed(_, .removed) = try outcome(
                [.eTag: "\"1\""], [.cacheControl: "private"], CachePolicy(.shared)
            )
        else { throw Unexpected() }
    }

    @Test(arguments: [
        ("\"1\"", "\"2\"", false), ("\"1\"", "W/\"1\"", true), ("W/\"1\"", "\"1\"", true), ("\"1\"", "", true),
    ])
    func notModifiedWithAnotherETagAsksAgain(kept: String, theirs: String, agree: Bool) throws {
        let outcome = try outcome([.eTag: kept], [.eTag: theirs])
        switch outcome {
        case .confirmed: #expect(agree)
        case .askAgain: #expect(!agree)
        default: throw Unexpected()
        }
    }
}
