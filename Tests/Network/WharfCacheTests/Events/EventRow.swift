import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// One request to a cache, and the events that it gives.
struct EventRow: Sendable, CustomTestStringConvertible {
    let name: String
    /// The answer that is stored before; nil for an empty cache.
    var kept: StubAnswer?
    /// The request whose answer is stored.
    var keeping = get()
    /// The age of the stored answer, in seconds.
    var age: Int64 = 1
    var configuration = CacheConfiguration.privateClient
    var store: @Sendable () -> any CacheStore = { MemoryCacheStore() }
    let request: TransportRequest
    var answers: [StubAnswer] = []
    let events: [String]
    /// Whether the answer has a cache status. Answers of other schemes than http and https have
    /// none.
    var hasStatus = true

    var testDescription: String { name }

    /// Stores the answer, and sends the request.
    ///
    /// - Parameter change: changes each request.
    /// - Returns: the rig, its events without those of the preparation, and the answer.
    func run(
        changing change: @Sendable (TransportRequest) -> TransportRequest = { $0 }
    ) async throws -> (rig: Rig, response: TransportResponse?) {
        let rest = Mutex((kept.map { [$0] } ?? []) + answers)
        let rig = Rig(for: configuration, store: store()) { _ in
            rest.withLock { $0.isEmpty ? .failure(.unexpectedRequest) : $0.removeFirst() }
        }
        if kept != nil {
            _ = try await rig.read(change(keeping))
            rig.clock.advance(by: .seconds(age))
            rig.events.clear()
        }
        do throws(TransportError) {
            let response = try await rig.cache.send(change(request))
            _ = try? await response.body.collect()
            return (rig, response)
        } catch {
            return (rig, nil)
        }
    }
}

extension EventRow {
    private static let fields: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"1\""]
    private static let kept = StubAnswer.ok("old", fields: fields)
    private static let new = StubAnswer.ok("new", fields: fields)
    private static let gone = StubAnswer.respond(.notFound, fields: [.cacheControl: "no-store"], "gone")

    private static func answer(_ control: String, _ fields: HTTPFields = [:], status: Int = 200) -> StubAnswer {
        var fields = fields
        fields[.cacheControl] = control
        return .respond(.init(code: status), fields: fields, "new")
    }

    static let all = stored + origin + refused + outside

    /// Requests that are answered from the store, or without the network.
    static let stored: [EventRow] = [
        EventRow(name: "fresh", kept: kept, request: get(), events: ["hit"]),
        EventRow(name: "HEAD", kept: kept, request: get(method: .head), events: ["hit"]),
        EventRow(name: "client's version", kept: kept, request: get([.ifNoneMatch: "\"1\""]), events: ["hit"]),
        EventRow(name: "range", kept: kept, request: get([.range: "bytes=0-1"]), events: ["hit"]),
        EventRow(name: "stored only, fresh", kept: kept, request: get(cache: .storedOnly), events: ["hit"]),
        EventRow(
            name: "stored only, stale", kept: kept, age: 20, request: get(cache: .storedOnly),
            events: ["stale permitted"]),
        EventRow(
            name: "max-stale", kept: kept, age: 20, request: get([.cacheControl: "max-stale=60"]),
            events: ["stale permitted"]),
        EventRow(name: "stored only, empty", request: get(cache: .storedOnly), events: ["failed nothingKept"]),
        EventRow(
            name: "only-if-cached, empty", request: get([.cacheControl: "only-if-cached"]),
            events: ["failed nothingKept"]),
        EventRow(
            name: "only-if-cached, stale", kept: kept, age: 20, request: get([.cacheControl: "only-if-cached"]),
            events: ["failed nothingKept"]),
    ]

    /// Requests that go to the origin.
    static let origin: [EventRow] = [
        EventRow(
            name: "part, completed",
            kept: .respond(
                .partialContent,
                fields: [
                    .cacheControl: "max-age=10", .eTag: "\"1\"", .contentLength: "2", .contentRange: "bytes 0-1/3",
                ], "ol"),
            keeping: get([.range: "bytes=0-1"]), request: get(),
            answers: [
                .respond(
                    .partialContent,
                    fields: [
                        .cacheControl: "max-age=10", .eTag: "\"1\"", .contentLength: "1", .contentRange: "bytes 2-2/3",
                    ], "d")
            ], events: ["miss partial", "stored"]),
        EventRow(
            name: "part of another version",
            kept: .respond(
                .partialContent,
                fields: [
                    .cacheControl: "max-age=10", .eTag: "\"1\"", .contentLength: "2", .contentRange: "bytes 0-1/3",
                ], "ol"),
            keeping: get([.range: "bytes=0-1"]), request: get(),
            answers: [
                .respond(
                    .partialContent,
                    fields: [
                        .cacheControl: "max-age=10", .eTag: "\"2\"", .contentLength: "1", .contentRange: "bytes 2-2/3",
                    ], "w"), new,
            ], events: ["removed superseded", "miss partial", "stored"]),
        EventRow(name: "empty", request: get(), answers: [new], events: ["miss uri-miss", "stored"]),
        EventRow(
            name: "other variant", kept: .ok("old", fields: [.cacheControl: "max-age=10", .vary: "Accept-Language"]),
            request: get([.acceptLanguage: "de"]), answers: [new], events: ["miss vary-miss", "stored"]),
        EventRow(
            name: "bypass", kept: kept, request: get(cache: .bypass), answers: [new],
            events: ["miss bypass", "stored"]),
        // The body is buffered, because the stored response would replace a failure.
        EventRow(
            name: "changed", kept: kept, age: 20, request: get(), answers: [new], events: ["stored", "miss stale"]),
        EventRow(
            name: "confirmed", kept: kept, age: 20, request: get(), answers: [.respond(.notModified)],
            events: ["revalidated stale"]),
        EventRow(
            name: "reload", kept: kept, request: get(cache: .reload), answers: [.respond(.notModified)],
            events: ["revalidated request"]),
        EventRow(
            name: "confirmed, and no longer storable", kept: kept, age: 20, request: get(),
            answers: [.respond(.notModified, fields: [.cacheControl: "no-store"])],
            events: ["removed unstorable", "revalidated stale"]),
        EventRow(
            name: "confirmed, and not written", kept: kept, age: 20, store: { UpdateRefusing() }, request: get(),
            answers: [.respond(.notModified)], events: ["notStored storeFailed", "revalidated stale"]),
        EventRow(
            name: "confirmed, and the request says no-store", kept: kept, age: 20,
            request: get([.cacheControl: "no-store"]), answers: [.respond(.notModified)],
            events: ["revalidated stale"]),
        EventRow(
            name: "another version confirmed", kept: kept, age: 20, request: get(),
            answers: [.respond(.notModified, fields: [.eTag: "\"2\""]), new], events: ["stored", "miss stale"]),
        EventRow(
            name: "gone", kept: kept, age: 20, request: get(), answers: [gone],
            events: ["removed superseded", "notStored noStore", "miss stale"]),
        EventRow(
            name: "unreachable", kept: kept, age: 20, request: get(), answers: [.failure(.connectionFailed)],
            events: ["stale failure connectionFailed"]),
        EventRow(
            name: "offline", kept: kept, age: 20, request: get(), answers: [.failure(.offline)],
            events: ["stale failure offline"]),
        EventRow(
            name: "unavailable", kept: kept, age: 20, request: get(), answers: [.respond(.serviceUnavailable)],
            events: ["stale failure serverFailed"]),
        EventRow(
            name: "unavailable, empty", request: get(), answers: [.respond(.serviceUnavailable)],
            events: ["notStored serverFailure", "miss uri-miss"]),
        EventRow(
            name: "unavailable, and stale use forbidden",
            kept: .ok("old", fields: [.cacheControl: "max-age=10, must-revalidate"]), age: 20, request: get(),
            answers: [.respond(.serviceUnavailable)], events: ["notStored serverFailure", "miss stale"]),
        EventRow(
            name: "broken", kept: kept, age: 20, request: get(), answers: [.broken([[1]], fields: fields)],
            events: ["stale failure connectionLost"]),
        EventRow(
            name: "unreachable, and stale use forbidden",
            kept: .ok("old", fields: [.cacheControl: "max-age=10, must-revalidate"]), age: 20, request: get(),
            answers: [.failure(.connectionFailed)], events: ["failed connectionFailed"]),
        EventRow(
            name: "cancelled by the transport", kept: kept, age: 20, request: get(),
            answers: [.failure(TransportError.Code.cancelled)],
            events: ["failed cancelled"]),
        EventRow(
            name: "offline, empty", request: get(), answers: [.failure(.offline)], events: ["failed offline"]),
        EventRow(
            name: "broken, empty", request: get(), answers: [.broken([[1]], fields: fields)],
            events: ["miss uri-miss", "notStored incomplete connectionLost"]),
        EventRow(
            name: "unreadable store", store: { LookupRefusing() }, request: get(), answers: [new],
            events: ["miss uri-miss", "stored"]),
        EventRow(
            name: "unreadable store, stored only", store: { LookupRefusing() }, request: get(cache: .storedOnly),
            events: ["failed nothingKept"]),
    ]

    /// Answers that are not stored.
    static let refused: [EventRow] = [
        refused("head", get(method: .head), new),
        refused("status", get([.ifNoneMatch: "\"1\""]), .respond(.notModified)),
        refused(
            "part", get([.range: "bytes=0-1"]),
            .respond(
                .partialContent,
                fields: [.cacheControl: "max-age=10", .contentLength: "2", .contentRange: "bytes 0-1/3"], "ne")),
        EventRow(
            name: "redundant", kept: kept, request: get([.range: "bytes=0-1"], cache: .bypass),
            answers: [
                .respond(
                    .partialContent,
                    fields: [
                        .cacheControl: "max-age=10", .eTag: "\"1\"", .contentLength: "2", .contentRange: "bytes 0-1/3",
                    ], "ol")
            ], events: ["notStored redundant", "miss bypass"]),
        refused("requestNoStore", get([.cacheControl: "no-store"]), new),
        refused("noStore", get(), answer("no-store")),
        refused("private", get(), answer("private"), .shared),
        refused("authorization", get([.authorization: "x"]), new, .shared),
        refused("notUnderstood", get(), answer("must-understand, max-age=10", status: 599)),
        refused("varyAny", get(), answer("max-age=10", [.vary: "*"])),
        refused(
            "varyCredentials", get([.authorization: "x"]), answer("public, max-age=10", [.vary: "Authorization"]),
            .shared),
        refused("noLifetime", get(), .respond(.found)),
        refused("serverFailure", get(cache: .bypass), answer("max-age=10", status: 503), "bypass"),
        EventRow(
            name: "tooLarge", store: { MemoryCacheStore(byteLimit: 10) }, request: get(), answers: [new],
            events: ["miss uri-miss", "notStored tooLarge"]),
        EventRow(
            name: "store that begins nothing", store: { BeginRefusing() }, request: get(), answers: [new],
            events: ["notStored storeFailed", "miss uri-miss"]),
    ]

    private static func refused(
        _ reason: String, _ request: TransportRequest, _ answer: StubAnswer,
        _ configuration: CacheConfiguration = .privateClient, _ forward: String = "uri-miss"
    ) -> EventRow {
        EventRow(
            name: reason, configuration: configuration, request: request, answers: [answer],
            events: ["notStored \(reason)", "miss \(forward)"])
    }

    private static func refused(
        _ reason: String, _ request: TransportRequest, _ answer: StubAnswer, _ forward: String
    ) -> EventRow { refused(reason, request, answer, .privateClient, forward) }

    /// Requests that the cache passes on.
    static let outside: [EventRow] = [
        EventRow(
            name: "unsafe", kept: kept, request: get(method: .post),
            answers: [.respond(.created, fields: [.location: "/b?key=s3cret"])],
            events: ["removed invalidated", "removed invalidated", "passedOn method"]),
        EventRow(
            name: "unsafe, refused", kept: kept, request: get(method: .post), answers: [.respond(.forbidden)],
            events: ["passedOn method"]),
        EventRow(
            name: "unsafe, failed", kept: kept, request: get(method: .post), answers: [.failure(.connectionLost)],
            events: ["failed connectionLost"]),
        EventRow(
            name: "unsafe, not removed", store: { RemovalRefusing() }, request: get(method: .post),
            answers: [.respond(.noContent)], events: ["passedOn method"]),
        EventRow(
            name: "POST whose answer is stored", request: get(method: .post),
            answers: [answer("max-age=10", [.contentLocation: "/a"])],
            events: ["removed invalidated", "passedOn method", "stored"]),
        EventRow(name: "OPTIONS", request: get(method: .options), answers: [new], events: ["passedOn method"]),
        EventRow(name: "Cookie", request: get([.cookie: "x"]), answers: [new], events: ["passedOn bypass"]),
        EventRow(
            name: "several ranges", request: get([.range: "bytes=0-1,3-4"]), answers: [new],
            events: ["passedOn request"]),
        EventRow(
            name: "stored only, Cookie", request: get([.cookie: "x"], cache: .storedOnly),
            events: ["failed nothingKept"]),
        EventRow(
            name: "only-if-cached, Cookie", request: get([.cookie: "x", .cacheControl: "only-if-cached"]),
            events: ["failed nothingKept"]),
        EventRow(
            name: "another scheme",
            request: TransportRequest(
                HTTPRequest(method: .get, scheme: "file", authority: nil, path: "/tmp/x?key=s3cret#s3cret")),
            answers: [new], events: ["passedOn"], hasStatus: false),
    ]
}

/// Stores that refuse one operation.
private struct UpdateRefusing: RefusingStore {
    func update(
        _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
    ) async throws(StoreError) { throw .refused }

    let base = MemoryCacheStore()
}

private struct LookupRefusing: RefusingStore {
    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup { throw .refused }

    let base = MemoryCacheStore()
}

private struct BeginRefusing: RefusingStore {
    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter { throw .refused }

    let base = MemoryCacheStore()
}

private struct RemovalRefusing: RefusingStore {
    func removeAll(under key: CacheKey) async throws(StoreError) { throw .refused }

    let base = MemoryCacheStore()
}
