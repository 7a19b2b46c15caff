import Testing
import WharfCache
import WharfCore
import WharfFakes

@Suite struct OvertakingTests {
    private static let fields: HTTPFields = [.cacheControl: "max-age=60"]

    @Test func anOlderAnswerThatEndsLateDoesNotReplaceANewerOne() async throws {
        let rig = Rig(.ok("older", fields: Self.fields), .ok("newer", fields: Self.fields))
        // Its head has arrived. Its body is read after the other request has begun and ended.
        let slow = try await rig.cache.send(get())
        #expect(try await rig.text() == "newer")
        #expect(try await slow.body.collect() == Array("older".utf8))
        #expect(try await rig.kept() == "newer")
    }

    @Test func anotherAccountIsNotOvertaken() async throws {
        let rig = Rig(.ok("ada", fields: Self.fields), .ok("bob", fields: Self.fields))
        let slow = try await rig.cache.send(get(account: Account("ada")))
        _ = try await rig.read(get(account: Account("bob")))
        _ = try await slow.body.collect()
        #expect(try await rig.kept(get(account: Account("ada"))) == "ada")
    }

    /// A store that does nothing for a cancelled task, as a store on disk may.
    private struct Squeamish: CacheStore {
        let base = MemoryCacheStore()

        private func requireLife() throws(StoreError) {
            if Task.isCancelled { throw StoreError(.cancelled, message: "cancelled") }
        }

        func lookup(
            _ key: CacheKey, select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
        ) async throws(StoreError) -> CacheLookup { try await base.lookup(key, select: select) }

        func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
            try await base.begin(key, head)
        }

        func update(
            _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
        ) async throws(StoreError) { try await base.update(id, under: key, to: head) }

        func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
            try requireLife()
            try await base.remove(id, under: key)
        }

        func removeAll(under key: CacheKey) async throws(StoreError) {
            try requireLife()
            try await base.removeAll(under: key)
        }

        func removeAll(of account: Account?) async throws(StoreError) {
            try requireLife()
            try await base.removeAll(of: account)
        }
    }

    @Test func invalidationHappensEvenIfTheCallerIsCancelled() async throws {
        let rig = Rig(store: Squeamish()) { request in
            if request.head.method == .post { withUnsafeCurrentTask { $0?.cancel() } }
            return .ok("x", fields: Self.fields)
        }
        try await rig.read()
        // StubTransport ends a cancelled request. This transport answers it all the same, as may
        // happen in a race.
        let stubborn = CachingTransport(
            Stubborn(), store: rig.store, clock: rig.clock.wall, onIncident: rig.incidents.handler)
        let caller = Task { try await stubborn.send(get(method: .post)).head.status }
        #expect(try await caller.value == .noContent)
        #expect(try await rig.kept() == nil)
        #expect(rig.incidents.codes.isEmpty)
    }

    private struct Stubborn: Transport {
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            withUnsafeCurrentTask { $0?.cancel() }
            return TransportResponse(
                head: HTTPResponse(status: .noContent), body: .empty,
                provenance: Provenance(source: .network, asOf: noon)
            )
        }
    }
}

@Suite struct CredentialTests {
    private static let token = "Bearer secret"

    private static func rig(_ vary: String) -> Rig {
        Rig { request in
            .ok(
                request.head.headerFields[.authorization] ?? "nobody",
                fields: [.cacheControl: "max-age=60", .vary: vary]
            )
        }
    }

    @Test func answerIsKeyedByAccountAndNeverByItsCredentials() async throws {
        let rig = Self.rig("Accept, Authorization, Cookie")
        let request = get([.authorization: Self.token], account: Account("ada"))
        try await rig.read(request)
        #expect(try await rig.kept(request) == Self.token)
        let renewed = get([.authorization: "Bearer renewed"], account: Account("ada"))
        #expect(try await rig.kept(renewed) == Self.token)
        let key = CacheKey(account: Account("ada"), target: "https://example.com/a")
        let variants = try await rig.store.lookup(key) { _ in nil }.variants
        #expect(variants.count == 1 && variants.allSatisfy { !$0.head.varying.contains(.authorization) })
    }

    @Test func anAnswerThatDependsOnACookieOfTheRequestIsNotKept() async throws {
        let rig = Self.rig("Cookie")
        let request = get([.cookie: "session=1"], account: Account("ada"))
        try await rig.read(request)
        #expect(try await rig.kept(request) == nil)
        // Without a cookie nothing varies, and a request with a later cookie is a different one.
        try await rig.read(get(account: Account("ada")))
        #expect(try await rig.kept(get(account: Account("ada"))) != nil)
        #expect(try await rig.kept(request) == nil)
    }
}
