import Dispatch
import Foundation
import Testing
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfSQLite

@Suite struct BodyDamageTests {
    private static let target = "https://a.test/1"
    private static let body = LargeBody.bytes(300_000)
    /// The size of a piece with its checksum.
    private static let piece = 65_544

    private func damage(_ folder: Scratch, _ change: (inout Data) -> Void) throws {
        let file = URL(filePath: folder.path("cache.sqlite-bodies/" + (try #require(try folder.bodies.first))))
        var bytes = try Data(contentsOf: file)
        change(&bytes)
        // In place, as damage of a disk is. A new file would have another owner.
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.truncate(atOffset: UInt64(bytes.count))
        try handle.close()
    }

    private func expectGone(_ store: SQLiteCacheStore, _ folder: Scratch, _ incidents: IncidentLog) async throws {
        #expect(incidents.codes == [.entryDropped])
        #expect(incidents.all.first?.message.contains(Self.target) == true)
        let found = try await store.lookup(CacheKey(target: Self.target)) {
            $0.first.map { CacheSelection(id: $0.id) }
        }
        #expect(found.variants.isEmpty && found.body == nil)
        #expect(incidents.codes == [.entryDropped])
        #expect(try folder.bodies.isEmpty)
        try await store.close()
        #expect(try folder.count("SELECT count(*) FROM response") == 0)
    }

    /// A byte of a piece or of its checksum is damaged.
    @Test(arguments: [0, 65_535, 65_536, 65_543, 65_544, 200_000, 300_039])
    func damagedPieceIsNeverDelivered(offset: Int) async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        try damage(folder) { $0[offset] ^= 1 }
        let index = offset / Self.piece
        // Pieces before the damage are delivered, and parts without it are complete.
        if index > 0 {
            let before = try #require(try await store.part(Self.target, 0...Int64(index * 65_536 - 1)))
            #expect(try await before.collect() == Array(Self.body[..<(index * 65_536)]))
            #expect(incidents.all.isEmpty)
        }
        let stream = try #require(try await store.part(Self.target, nil))
        let (bytes, failure) = await readAll(stream)
        #expect(bytes == Array(Self.body[..<(index * 65_536)]))
        #expect(failure?.code == .connectionLost)
        #expect((failure?.cause as? StoreError)?.code == .corrupt)
        try await expectGone(store, folder, incidents)
    }

    @Test func damagedBodyThrowsAgainAndIsReportedOnce() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        try damage(folder) { $0[0] ^= 1 }
        let stream = try #require(try await store.part(Self.target, nil))
        for _ in 0..<2 {
            let (bytes, failure) = await readAll(stream)
            #expect(bytes.isEmpty && failure?.code == .connectionLost)
        }
        try await expectGone(store, folder, incidents)
    }

    @Test func piecesInAnotherOrderAreDamage() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        try damage(folder) { bytes in
            let (first, second) = (bytes[..<Self.piece], bytes[Self.piece..<2 * Self.piece])
            bytes = second + first + bytes[(2 * Self.piece)...]
        }
        let stream = try #require(try await store.part(Self.target, nil))
        #expect(await readAll(stream).bytes.isEmpty)
        try await expectGone(store, folder, incidents)
    }

    @Test func fileOfAnotherEntryIsDamage() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        let name = folder.path("cache.sqlite-bodies/" + (try #require(try folder.bodies.first)))
        try await store.keepLarge("https://a.test/2", LargeBody.bytes(300_000, seed: 2))
        let other = try #require(
            try folder.bodies.map { folder.path("cache.sqlite-bodies/" + $0) }.first { $0 != name })
        try FileManager.default.removeItem(atPath: name)
        try FileManager.default.copyItem(atPath: other, toPath: name)
        let stream = try #require(try await store.part(Self.target, nil))
        #expect(await readAll(stream).failure?.code == .connectionLost)
        #expect(try await store.body("https://a.test/2") == LargeBody.bytes(300_000, seed: 2))
        try await store.removeAll(under: CacheKey(target: "https://a.test/2"))
        try await expectGone(store, folder, incidents)
    }

    @Test func rowWithAnotherTokenIsDamage() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        try folder.tamper("cache.sqlite", "UPDATE body_file SET token = token + 1")
        #expect(try await store.body(Self.target) == nil)
        #expect(incidents.codes == [.entryDropped])
        try await store.close()
        // The file has no row now.
        try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler).close()
        #expect(try folder.bodies.isEmpty)
        #expect(incidents.codes == [.entryDropped])
    }

    @Test(arguments: [299_999, 300_041, 65_544, 0])
    func fileOfAnotherSizeIsAMiss(size: Int) async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        try damage(folder) { $0 = ($0 + [0]).prefix(size) }
        #expect(try await store.body(Self.target) == nil)
        try await expectGone(store, folder, incidents)
    }

    @Test func fileThatIsCutDuringTheReadThrows() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        let stream = try #require(try await store.part(Self.target, nil))
        try damage(folder) { $0 = $0.prefix(Self.piece) }
        let (bytes, failure) = await readAll(stream)
        #expect(bytes.count == 65_536 && failure?.code == .connectionLost)
        try await expectGone(store, folder, incidents)
    }

    @Test func missingFileIsAMiss() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.body)
        try FileManager.default.removeItem(atPath: folder.path("cache.sqlite-bodies"))
        #expect(try await store.body(Self.target) == nil)
        try await expectGone(store, folder, incidents)
    }

    @Test func entryRemovedSinceTheSnapshotIsNoDamage() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let other = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let key = CacheKey(target: Self.target)
        try await store.keepLarge(Self.target, Self.body)
        // The closure runs after the snapshot was taken, and before the file is opened.
        let mayOpen = DispatchSemaphore(value: 0)
        let isAsked = Gate()
        async let found = store.lookup(key) { variants in
            isAsked.open()
            mayOpen.wait()
            return variants.first.map { CacheSelection(id: $0.id) }
        }
        // The lookup would wait for ever after an error.
        defer { mayOpen.signal() }
        await isAsked.pass()
        try await other.removeAll(under: key)
        mayOpen.signal()
        let lookup = try await found
        #expect(lookup.variants.isEmpty && lookup.body == nil)
        #expect(incidents.all.isEmpty)
        try await store.close()
        try await other.close()
    }
}
