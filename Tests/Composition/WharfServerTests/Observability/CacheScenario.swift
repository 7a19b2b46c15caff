import Testing
import WharfCache
import WharfCore
import WharfFakes

/// Requests with secrets, which give events of most kinds.
enum CacheScenario {
    /// Sends the requests to a cache with the handler.
    static func run(_ onEvent: @escaping CacheEventHandler) async throws {
        let clock = TestClock()
        let fields: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"1\"", .setCookie: "id=s3cret"]
        let origin = StubTransport(
            clock: clock.wall, timer: clock,
            [
                .ok("text", fields: fields), .failure(.connectionFailed), .respond(.notModified),
                .respond(.created, fields: [.location: "/b?key=s3cret"]), .failure(.offline),
                .ok("text", fields: [.cacheControl: "no-store"]),
            ])
        var configuration = CacheConfiguration.privateClient
        configuration.onEvent = onEvent
        let cache = CachingTransport(
            origin, store: MemoryCacheStore(), configuration: configuration, clock: clock.wall, timer: clock,
            onIncident: { _ in })
        // A miss and a hit, then a stale response in place of a failure, and its confirmation.
        for pause in [0, 1, 20, 1] {
            clock.advance(by: .seconds(pause))
            try await read(.get, cache)
        }
        // An invalidation, a failure and an answer that is not stored.
        try await read(.post, cache)
        await #expect(throws: TransportError.self) { try await read(.get, cache) }
        try await read(.get, cache)
    }

    private static func read(_ method: HTTPRequest.Method, _ cache: CachingTransport) async throws {
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "ann:s3cret@example.com", path: "/a?key=s3cret",
            headerFields: [.authorization: "Bearer s3cret", .cookie: "id=s3cret"])
        let request = TransportRequest(head, account: Account("s3cret"))
        _ = try await cache.send(request).body.collect()
    }
}
