import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfStorage

@Suite struct OvertakingTests {
    private static let fields: HTTPFields = [.cacheControl: "max-age=60"]
    private static let tagged: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"2\""]

    @Test func anOlderAnswerThatEndsLateDoesNotReplaceANewerOne() async throws {
        let rig = Rig(.ok("older", fields: Self.fields), .ok("newer", fields: Self.fields))
        // Its head has arrived. Its body is read after the other request has begun and ended.
        let slow = try await rig.cache.send(get())
        #expect(try await rig.text() == "newer")
        #expect(try await slow.body.collect() == Array("older".utf8))
        #expect(try await rig.kept() == "newer")
    }

    @Test func anOlderAnswerDoesNotReplaceANewerOneThatCommits() async throws {
        let (hasCommitted, mayReturn) = (Promise<Void>(), Promise<Void>())
        let store = Committing { commit throws(StoreError) in
            let id = try await commit()
            // The newer response is in the store, and its commit has not returned.
            hasCommitted.fulfil(())
            await mayReturn.wait()
            return id
        }
        let rig = Rig(store: store, .ok("older", fields: Self.fields), .ok("newer", fields: Self.tagged))
        let slow = try await rig.cache.send(get())
        let newer = Task { try await rig.text() }
        await hasCommitted.wait()
        #expect(try await slow.body.collect() == Array("older".utf8))
        mayReturn.fulfil(())
        #expect(try await newer.value == "newer")
        #expect(try await rig.kept() == "newer")
    }

    @Test func anOlderAnswerIsNotStoredIfANewerOneCommitsInIt() async throws {
        let (hasBegun, mayCommit) = (Promise<Void>(), Promise<Void>())
        let store = Committing { commit throws(StoreError) in
            hasBegun.fulfil(())
            await mayCommit.wait()
            return try await commit()
        }
        // Here it is the older answer that the store delays.
        let rig = Rig(store: store, .ok("older", fields: Self.tagged), .ok("newer", fields: Self.fields))
        let slow = try await rig.cache.send(get())
        let older = Task { try await slow.body.collect() }
        await hasBegun.wait()
        #expect(try await rig.text() == "newer")
        mayCommit.fulfil(())
        #expect(try await older.value == Array("older".utf8))
        // The older response replaced the newer one for a moment, so both are gone.
        #expect(try await rig.kept() == nil)
    }

    @Test func commitWithAnErrorRemovesNoAnswerOfAnotherSite() async throws {
        let (hasBegun, mayCommit) = (Promise<Void>(), Promise<Void>())
        let store = Committing { commit throws(StoreError) in
            hasBegun.fulfil(())
            await mayCommit.wait()
            // It is done, under an id that the cache does not get.
            _ = try await commit()
            throw StoreError(.cancelled, message: "scripted")
        }
        let rig = Rig(
            store: store, .ok("of b", fields: Self.fields), .ok("older", fields: Self.tagged),
            .ok("newer", fields: Self.fields))
        try await rig.read(get(from: "https://b.test"))
        let slow = try await rig.cache.send(get())
        let older = Task { try await slow.body.collect() }
        await hasBegun.wait()
        #expect(try await rig.text() == "newer")
        mayCommit.fulfil(())
        _ = try await older.value
        #expect(try await rig.kept() == nil)
        #expect(try await rig.kept(get(from: "https://b.test")) == "of b")
    }

    @Test func anOlderAnswerIsNotStoredAfterANewerOneFailsToBe() async throws {
        let store = Committing { _ throws(StoreError) in throw StoreError(.full, message: "scripted") }
        let rig = Rig(store: store, .ok("older", fields: Self.fields), .ok("newer", fields: Self.tagged))
        let slow = try await rig.cache.send(get())
        #expect(try await rig.text() == "newer")
        _ = try await slow.body.collect()
        // The reader has seen the newer answer, and must not see the older one after it.
        #expect(try await rig.kept() == nil)
        #expect(rig.incidents.codes == [.storeFailed])
    }

    /// A store that passes the commits of responses with an entity tag to a closure.
    private struct Committing: CacheStore {
        typealias Commit = @Sendable () async throws(StoreError) -> StoredResponse.ID

        let base = MemoryCacheStore()
        let around: @Sendable (Commit) async throws(StoreError) -> StoredResponse.ID

        private struct Writer: CacheWriter {
            let base: any CacheWriter
            let around: @Sendable (Commit) async throws(StoreError) -> StoredResponse.ID

            func append(_ bytes: [UInt8]) async throws(StoreError) { try await base.append(bytes) }

            func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
                try await around { () throws(StoreError) in try await base.commit(as: head) }
            }

            func abandon() { base.abandon() }
        }

        func lookup(
            _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
        ) async throws(StoreError) -> CacheLookup { try await base.lookup(key, select: select) }

        func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
            let writer = try await base.begin(key, head)
            return head.response.headerFields[.eTag] == nil ? writer : Writer(base: writer, around: around)
        }

        func update(
            _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
        ) async throws(StoreError) { try await base.update(id, under: key, to: head) }

        func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
            try await base.remove(id, under: key)
        }

        func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }

        func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
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
            _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
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
