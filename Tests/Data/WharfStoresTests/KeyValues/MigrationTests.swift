import Testing
import WharfCore
import WharfStores

@Suite struct MigrationTests {
    private let old = MemoryKeyValueStore()
    private let new = MemoryKeyValueStore()

    private func content(_ store: any KeyValueStore) async throws -> [String: [UInt8]] {
        var content: [String: [UInt8]] = [:]
        for name in try await store.keys(withPrefix: "") { content[name] = try await store.value(for: name) }
        return content
    }

    @Test func valuesAreMovedByPrefix() async throws {
        for name in ["session.token", "session.user", "theme"] { try await old.set(Array(name.utf8), for: name) }
        try await old.set([], for: "session.empty")
        let migration = try await new.migrate(from: old, withPrefix: "session.")
        #expect(migration.moved == 3 && migration.superseded.isEmpty && migration.unreadable.isEmpty)
        #expect(try await content(old) == ["theme": Array("theme".utf8)])
        #expect(
            try await content(new) == [
                "session.token": Array("session.token".utf8), "session.user": Array("session.user".utf8),
                "session.empty": [],
            ])
        #expect(try await new.migrate(from: old, withPrefix: "session.").moved == 0)
    }

    @Test func migrationKeepsValuesOfTheNewStore() async throws {
        try await old.set([1], for: "x")
        try await old.set([1], for: "y")
        try await new.set([2], for: "x")
        let migration = try await new.migrate(from: old)
        #expect(migration.moved == 1 && migration.superseded == ["x"])
        #expect(try await content(new) == ["x": [2], "y": [1]])
        #expect(try await content(old) == [:])
    }

    /// The process is killed before and after every call of both stores.
    @Test func killedMigrationLosesNothingWhenRunAgain() async throws {
        let values: [String: [UInt8]] = ["a": [1], "b": [], "c": [3, 3], "e\u{301}": [4]]
        let newer: [String: [UInt8]] = ["c": [9]]
        let expected = values.merging(newer) { $1 }
        var call = 0
        var ended = false
        while !ended {
            call += 1
            for isAfter in [false, true] {
                let (old, new) = (MemoryKeyValueStore(), MemoryKeyValueStore())
                for (name, value) in values { try await old.set(value, for: name) }
                for (name, value) in newer { try await new.set(value, for: name) }
                let fault = FaultyKeyValueStore.Fault(call: call, isAfter: isAfter)
                let fuse = FaultyKeyValueStore.Fuse(fault)
                do {
                    _ = try await FaultyKeyValueStore(new, fuse).migrate(from: FaultyKeyValueStore(old, fuse))
                    ended = true
                } catch {
                    let merged = try await content(old).merging(try await content(new)) { $1 }
                    #expect(merged == expected, "killed \(fault)")
                }
                _ = try await new.migrate(from: old)
                #expect(try await content(new) == expected, "killed \(fault)")
                #expect(try await content(old) == [:], "killed \(fault)")
            }
        }
        #expect(call > 4 * values.count)
    }

    @Test func migrationSkipsDamagedValues() async throws {
        let scratch = try Scratch()
        let folder = scratch.fresh()
        let files = try await FileKeyValueStore.open(at: folder)
        for name in ["a", "b", "c"] { try await files.set([1], for: name) }
        try scratch.damage("b", in: folder)
        let migration = try await new.migrate(from: files)
        #expect(migration.moved == 2 && migration.unreadable == ["b"])
        #expect(try await content(new) == ["a": [1], "c": [1]])
        #expect(try await files.keys(withPrefix: "") == ["b"])
    }

    @Test func migrationFailsIfTheNewStoreDoesNotKeepTheValue() async throws {
        struct Forgetful: KeyValueStore {
            func value(for key: String) async throws(StoreError) -> [UInt8]? { nil }
            func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {}
            func keys(withPrefix prefix: String) async throws(StoreError) -> [String] { [] }
        }
        try await old.set([1], for: "x")
        await #expect { try await Forgetful().migrate(from: old) } throws: { ($0 as? StoreError)?.code == .failed }
        #expect(try await content(old) == ["x": [1]])
    }

    @Test func aStoreThatIsMigratedToItselfKeepsItsValues() async throws {
        try await old.set([1], for: "x")
        await #expect { try await old.migrate(from: old) } throws: { ($0 as? StoreError)?.code == .failed }
        #expect(try await content(old) == ["x": [1]])
    }
}
