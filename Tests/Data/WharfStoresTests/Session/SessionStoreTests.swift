import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfStores

@Suite struct SessionStoreTests {
    private let key = StoredKey("session", .text)
    private let gate = Gate()

    @Test(arguments: KeyValueConformer.allCases)
    func aSessionIsThereUntilTheSignOut(conformer: KeyValueConformer) async throws {
        let scratch = try Scratch()
        let store = try await conformer.make(in: scratch)
        let sessions = SessionStore(store, key: key)
        #expect(try await sessions.current == nil)
        try await sessions.signOut()
        try await sessions.signIn("alice")
        try await sessions.signIn("bob")
        #expect(try await sessions.current == "bob")
        #expect(try await SessionStore(store, key: key).current == "bob")
        try await sessions.signOut()
        #expect(try await sessions.current == nil)
        #expect(try await store.keys(withPrefix: "") == [])
    }

    @Test(arguments: KeyValueConformer.allCases)
    func lastOfConcurrentCallsWins(conformer: KeyValueConformer) async throws {
        let scratch = try Scratch()
        let base = try await conformer.make(in: scratch)
        for lastIsSignOut in [true, false] {
            let sessions = SessionStore(base, key: key)
            let calls = (1...20).map { ($0 % 2 == 0) == lastIsSignOut ? nil : "\($0)" }
            try await inOrder(calls, on: sessions, CallersOnOneActor())
            #expect(try await sessions.current == (lastIsSignOut ? nil : "20"))
        }
    }

    @Test func aSignOutAfterASlowSignInWins() async throws {
        let base = MemoryKeyValueStore()
        let sessions = SessionStore(GatedStore(base, gate, holds: { $0 != nil }), key: key)
        let crowd = CallersOnOneActor()
        async let ended: Void = inOrder(["alice", nil], on: sessions, crowd)
        await crowd.inside(2)
        await gate.arrivals()
        gate.open()
        try await ended
        #expect(try await sessions.current == nil)
    }

    @Test func aSignInAfterASlowSignOutWins() async throws {
        let base = MemoryKeyValueStore()
        try await SessionStore(base, key: key).signIn("alice")
        let sessions = SessionStore(GatedStore(base, gate, holds: { $0 == nil }), key: key)
        let crowd = CallersOnOneActor()
        async let ended: Void = inOrder([nil, "bob"], on: sessions, crowd)
        await crowd.inside(2)
        await gate.arrivals()
        gate.open()
        try await ended
        #expect(try await sessions.current == "bob")
    }

    @Test func aCancelledCallerStillSignsOut() async throws {
        let sessions = SessionStore(MemoryKeyValueStore(), key: key)
        try await sessions.signIn("alice")
        let call = Task {
            while !Task.isCancelled { await Task.yield() }
            try await sessions.signOut()
        }
        call.cancel()
        try await call.value
        #expect(try await sessions.current == nil)
    }

    @Test func readerStartsWithCurrentSessionAndGetsTheLatest() async throws {
        let sessions = SessionStore(MemoryKeyValueStore(), key: key)
        try await sessions.signIn("alice")
        var changes = sessions.changes.makeAsyncIterator()
        #expect(try await changes.next(isolation: #isolation) == "alice")
        for step in 1...10 { try await sessions.signIn("\(step)") }
        #expect(try await changes.next(isolation: #isolation) == "10")
        try await sessions.signOut()
        #expect(try await changes.next(isolation: #isolation) == .some(nil))
    }

    @Test func waitingReaderIsWokenBySignIn() async throws {
        let sessions = SessionStore(MemoryKeyValueStore(), key: key)
        let seen = Gate()
        let reader = Task { () -> [String?] in
            var all: [String?] = []
            for try await session in sessions.changes {
                all.append(session)
                if session != nil { break }
                await seen.pass()
            }
            return all
        }
        await seen.arrivals()
        seen.open()
        try await sessions.signIn("alice")
        #expect(try await reader.value == [nil, "alice"])
    }

    @Test func aReaderIsNotWokenBeforeTheSetIsDone() async throws {
        let sessions = SessionStore(GatedStore(MemoryKeyValueStore(), gate, holds: { $0 != nil }), key: key)
        let crowd = CallersOnOneActor()
        let reader = Task {
            await crowd.call { () async -> Result<String??, StoreError> in
                do throws(StoreError) {
                    var changes = sessions.changes.makeAsyncIterator()
                    _ = try await changes.next(isolation: #isolation)
                    return .success(try await changes.next(isolation: #isolation))
                } catch {
                    return .failure(error)
                }
            }
        }
        await crowd.inside(1)
        let call = Task { try await sessions.signIn("alice") }
        await gate.arrivals()
        // If it had been woken, it would have read by now.
        await crowd.inside(1)
        gate.open()
        try await call.value
        #expect(try await reader.value.get() == "alice")
    }

    @Test func aChangeDuringTheReadOfAReaderIsNotMissed() async throws {
        let base = MemoryKeyValueStore()
        let held = GatedStore(base, gate, holds: { _ in false }, holdsReads: true)
        let sessions = SessionStore(held, key: key)
        let reader = Task { () -> [String?] in
            var all: [String?] = []
            for try await session in sessions.changes {
                all.append(session)
                if session == "alice" { break }
            }
            return all
        }
        // The reader has read the signed-out state, and has not processed it yet.
        await gate.arrivals()
        try await sessions.signIn("alice")
        gate.open()
        #expect(try await reader.value == [nil, "alice"])
    }

    @Test func cancelledReaderEnds() async throws {
        let sessions = SessionStore(MemoryKeyValueStore(), key: key)
        let seen = Gate()
        let reader = Task { () -> Int in
            var count = 0
            for try await _ in sessions.changes {
                count += 1
                await seen.pass()
            }
            return count
        }
        await seen.arrivals()
        reader.cancel()
        #expect(try await reader.value == 1)
    }

    @Test func readerSeesSignInThatThrewAfterItsWrite() async throws {
        let base = MemoryKeyValueStore()
        let fuse = FaultyKeyValueStore.Fuse(.init(call: 1, isAfter: true))
        let sessions = SessionStore(FaultyKeyValueStore(base, fuse, countsReads: false), key: key)
        var changes = sessions.changes.makeAsyncIterator()
        #expect(try await changes.next(isolation: #isolation) == .some(nil))
        await #expect(throws: StoreError.self) { try await sessions.signIn("alice") }
        #expect(try await changes.next(isolation: #isolation) == "alice")
    }

    @Test func undecodableSessionThrowsUntilTheNextSignIn() async throws {
        let store = MemoryKeyValueStore()
        try await store.set([1], for: "session")
        let sessions = SessionStore(store, key: key)
        await #expect { try await sessions.current } throws: { ($0 as? StoreError)?.code == .undecodable }
        var changes = sessions.changes.makeAsyncIterator()
        do {
            _ = try await changes.next(isolation: #isolation)
            Issue.record("no error")
        } catch {
            #expect(error.code == .undecodable)
        }
        try await sessions.signIn("alice")
        #expect(try await changes.next(isolation: #isolation) == "alice")
    }

    /// Calls sign-in for each name and sign-out for each nil, without waiting for the call before
    /// to end.
    private func inOrder(_ calls: [String?], on sessions: SessionStore<String>, _ crowd: CallersOnOneActor) async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, name) in calls.enumerated() {
                group.addTask {
                    try await crowd.call { () async -> Result<Void, StoreError> in
                        do throws(StoreError) {
                            if let name { try await sessions.signIn(name) } else { try await sessions.signOut() }
                            return .success(())
                        } catch {
                            return .failure(error)
                        }
                    }.get()
                }
                await crowd.inside(index + 1)
            }
            try await group.waitForAll()
        }
    }
}

/// Holds writes, or finished reads, at a gate.
private struct GatedStore: KeyValueStore {
    let base: MemoryKeyValueStore
    let gate: Gate
    let holds: @Sendable ([UInt8]?) -> Bool
    let holdsReads: Bool

    init(
        _ base: MemoryKeyValueStore, _ gate: Gate, holds: @escaping @Sendable ([UInt8]?) -> Bool,
        holdsReads: Bool = false
    ) {
        self.base = base
        self.gate = gate
        self.holds = holds
        self.holdsReads = holdsReads
    }

    func value(for key: String) async throws(StoreError) -> [UInt8]? {
        let value = try await base.value(for: key)
        if holdsReads { await gate.pass() }
        return value
    }

    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        if holds(value) { await gate.pass() }
        try await base.set(value, for: key)
    }

    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await base.keys(withPrefix: prefix)
    }
}
