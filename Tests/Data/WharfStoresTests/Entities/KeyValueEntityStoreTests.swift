import Testing
import WharfCore
import WharfCoreLaws
import WharfStorage
import WharfStores

@Suite struct KeyValueEntityStoreTests {
    private typealias Fault = FaultyKeyValueStore.Fault
    private typealias Fuse = FaultyKeyValueStore.Fuse

    private static func row(_ id: String, _ byte: UInt8, account: Account? = nil) -> EntityRow {
        EntityRow(
            key: EntityKey(account: account, kind: "note", id: id), bytes: [byte], asOf: WallTime(nanoseconds: 1),
            fields: ["n": FieldValue(Int64(byte))])
    }

    private static let before = [row("a", 1), row("b", 1), row("long" + String(repeating: "x", count: 200), 1)]

    /// An operation on a store, and the rows after it.
    struct Deed: Sendable, CustomStringConvertible {
        let description: String
        let after: [EntityRow]
        let run: @Sendable (KeyValueEntityStore) async throws -> Void
    }

    static let deeds = [
        Deed(description: "commit", after: [row("a", 2), row("c", 2), row("d", 2)]) { store in
            try await store.commit([
                .put(row("a", 2)), .remove(before[1].key), .put(row("c", 2)), .remove(before[2].key), .put(row("d", 2)),
            ])
        },
        Deed(description: "commit of one", after: [row("a", 2), before[1], before[2]]) { store in
            try await store.commit([.put(row("a", 2))])
        },
        Deed(description: "removal", after: []) { store in try await store.removeAll(of: nil) },
    ]

    private func filled() async throws -> MemoryKeyValueStore {
        let base = MemoryKeyValueStore()
        try await base.set([9], for: "of somebody else")
        let store = KeyValueEntityStore(base)
        try await store.commit(Self.before.map { .put($0) })
        try await store.commit([.put(Self.row("other", 1, account: Account("me")))])
        return base
    }

    private func rows(_ store: KeyValueEntityStore) async throws -> [EntityRow] {
        try await store.rows(RowQuery(), of: nil, kind: "note")
    }

    private func isKilled(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return true
        }
    }

    @Test(arguments: deeds)
    func killedCommitIsWholeOrAbsent(deed: Deed) async throws {
        var call = 0
        var ended = false
        while !ended {
            call += 1
            for isAfter in [false, true] {
                let fault = Fault(call: call, isAfter: isAfter)
                let base = try await filled()
                let fuse = Fuse(fault)
                let store = KeyValueEntityStore(FaultyKeyValueStore(base, fuse, countsReads: false))
                if await !isKilled({ try await deed.run(store) }) { ended = true }
                // The store as another process would open it, before the same process continues.
                let reopened = try await rows(KeyValueEntityStore(base))
                #expect(reopened == deed.after || (!ended && reopened == Self.before), "\(deed), killed \(fault)")
                fuse.mend()
                #expect(try await rows(store) == reopened, "\(deed), killed \(fault)")
                #expect(try await store.row(Self.row("other", 1, account: Account("me")).key) != nil)
                #expect(try await base.value(for: "of somebody else") == [9])
                #expect(try await base.keys(withPrefix: "entities/intent").isEmpty, "\(deed), killed \(fault)")
            }
        }
    }

    @Test(arguments: deeds)
    func storeFinishesFailedCommitBeforeARead(deed: Deed) async throws {
        for call in 1...8 {
            for isAfter in [false, true] {
                let fault = Fault(call: call, isAfter: isAfter)
                let fuse = Fuse(fault)
                let store = KeyValueEntityStore(FaultyKeyValueStore(try await filled(), fuse, countsReads: false))
                let threw = await isKilled { try await deed.run(store) }
                fuse.mend()
                let found = try await rows(store)
                #expect(found == deed.after || (threw && found == Self.before), "\(deed), failed \(fault)")
            }
        }
    }

    @Test func killedRecoveryIsFinishedByTheNextStore() async throws {
        let deed = Self.deeds[0]
        for call in 1...7 {
            for second in 1...7 {
                for isAfter in [false, true] {
                    let base = try await filled()
                    let first = Fuse(Fault(call: call, isAfter: true))
                    let dying = KeyValueEntityStore(FaultyKeyValueStore(base, first, countsReads: false))
                    #expect(await isKilled { try await deed.run(dying) })
                    let fuse = Fuse(Fault(call: second, isAfter: isAfter))
                    let next = KeyValueEntityStore(FaultyKeyValueStore(base, fuse, countsReads: false))
                    let isFinished = await !isKilled { _ = try await rows(next) }
                    if isFinished { #expect(fuse.calls < second) }
                    #expect(
                        try await rows(KeyValueEntityStore(base)) == deed.after, "killed at \(call), then \(second)")
                }
            }
        }
    }

    @Test func commitFinishedLaterIsReportedToSubscribers() async throws {
        let fuse = Fuse(Fault(call: 3, isAfter: false))
        let store = KeyValueEntityStore(FaultyKeyValueStore(try await filled(), fuse, countsReads: false))
        let feed = store.changes(of: nil, kind: "note", since: nil)
        var changes = store.changes(of: nil, kind: "note", since: nil).makeAsyncIterator()
        await #expect { try await Self.deeds[0].run(store) } throws: {
            ($0 as? StoreError)?.code == .unavailable && "\($0)".contains("will be finished")
        }
        // Before the commit throws, and before its outcome is known.
        #expect(EntityStoreLaws.reported(feed) == .all)
        fuse.mend()
        #expect(try await rows(store) == Self.deeds[0].after)
        #expect(EntityStoreLaws.reported(feed) == .all)
        #expect(await changes.next(isolation: #isolation)?.reported == .all)
    }

    @Test func undecodableRowIsReportedForItsKeyOnly() async throws {
        let base = try await filled()
        let name = try #require(try await base.keys(withPrefix: "entities/row/-4:notea").first)
        let whole = try #require(try await base.value(for: name))
        for count in whole.indices {
            try await base.set(Array(whole.prefix(count)), for: name)
            await #expect { try await KeyValueEntityStore(base).row(Self.before[0].key) } throws: {
                ($0 as? StoreError)?.code == .undecodable
            }
        }
        #expect(try await KeyValueEntityStore(base).row(Self.before[1].key) == Self.before[1])
        try await base.set(whole + [0], for: name)
        await #expect { try await KeyValueEntityStore(base).row(Self.before[0].key) } throws: {
            ($0 as? StoreError)?.code == .undecodable
        }
    }

    @Test func aRowKeepsTheVersionThatItsRequestKnew() async throws {
        let base = try await filled()
        for basis in [StoreVersion(7), nil, StoreVersion(.max)] {
            var row = Self.before[0]
            row.basis = basis
            try await KeyValueEntityStore(base).commit([.put(row)])
            #expect(try await KeyValueEntityStore(base).row(row.key)?.basis == basis)
        }
    }

    @Test func rowsWithoutAVersionHaveTheFirstOne() async throws {
        let base = try await filled()
        for name in try await base.keys(withPrefix: "entities/row/-") {
            let whole = try #require(try await base.value(for: name))
            // Removes the format, the version, and the basis with its flag.
            try await base.set([1] + whole.dropFirst(18), for: name)
        }
        let store = KeyValueEntityStore(base)
        #expect(try await rows(store) == Self.before)
        let (a, none) = (Self.before[0].key, EntityKey(kind: "note", id: "none"))
        let states = try await store.states(of: [a, none])
        #expect(states.versions == [nil: StoreVersion(1)])
        #expect(states[a] == EntityState(row: Self.before[0], version: StoreVersion(1)))
        #expect(states[none] == EntityState(row: nil, version: .none))
        let outcome = try await store.commit([.put(Self.row("a", 2))], expecting: states.expectations)
        #expect(outcome == .committed([nil: StoreVersion(2)]))
        let again = KeyValueEntityStore(base)
        #expect(try await again.state(of: a) == EntityState(row: Self.row("a", 2), version: StoreVersion(2)))
    }

    @Test func feedReportsACommitThatIsFinishedLater() async throws {
        let fuse = Fuse(Fault(call: 3, isAfter: false))
        let store = KeyValueEntityStore(FaultyKeyValueStore(try await filled(), fuse, countsReads: false))
        let start = try await store.states(of: [Self.before[0].key]).versions[nil] ?? .none
        let feed = store.changes(of: nil, since: start)
        #expect(await isKilled { try await Self.deeds[0].run(store) })
        fuse.mend()
        guard case .changes(let changes, start.next)? = await EntityStoreLaws.next(feed) else {
            Issue.record("the feed did not tell the commit")
            return
        }
        #expect(Set(changes.keys) == Set((Self.before + Self.deeds[0].after).map(\.key)))
        #expect(try await rows(store) == Self.deeds[0].after)
    }

    @Test func storesWithDifferentPrefixesAreSeparate() async throws {
        let base = MemoryKeyValueStore()
        let (one, two) = (KeyValueEntityStore(base, prefix: "1/"), KeyValueEntityStore(base, prefix: "2/"))
        try await one.commit(Self.before.map { .put($0) })
        try await two.commit([.put(Self.row("a", 9))])
        try await one.removeAll(of: nil)
        #expect(try await rows(two) == [Self.row("a", 9)])
        #expect(try await rows(one).isEmpty)
    }
}
