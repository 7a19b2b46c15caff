import Testing
import WharfCore
import WharfRandom
import WharfStorage

@testable import WharfSQLite

@Suite struct DuePlanTests {
    /// No sort is needed for any number of lanes, except for lanes attempted later than now.
    @Test func lanesAreFoundInTheOrderOfAnIndex() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let plans = try await file.read("look at plans") { db in
            try (JournalReader.inTime + JournalReader.tooEarly).map { sql in
                try db.uncachedQuery("EXPLAIN QUERY PLAN " + sql) { row in
                    var lines: [String] = []
                    while try row.step() { lines.append(row.text(3)) }
                    return lines
                }
            }
        }
        #expect(plans.map { $0.contains { $0.contains("TEMP B-TREE") } } == [false, false, false, true], "\(plans)")
        #expect(plans.allSatisfy { $0.first?.hasPrefix("SEARCH outbox_lane USING INDEX outbox_") == true }, "\(plans)")
        try await file.close()
    }

    /// Rows of other accounts are not visited.
    @Test func pagesAreFoundByAnIndexOfTheAccount() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let plan = try await file.read("look at a plan") { db in
            try db.uncachedQuery("EXPLAIN QUERY PLAN " + EntryPositions.next) { row in
                var lines: [String] = []
                while try row.step() { lines.append(row.text(3)) }
                return lines
            }
        }
        #expect(
            plan == ["SEARCH outbox_entry USING COVERING INDEX outbox_kind (kind=? AND account=? AND seq>?)"], "\(plan)"
        )
        try await file.close()
    }

    /// If the next entry of the account is far away, a binary search finds the position.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func pageAfterARemovedEntryStartsAtItsPlace(
        seed: UInt64
    ) async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        var random = SeededGenerator(seed: seed)
        let ids = (0..<60).map { OutboxEntry.ID("\(1_000 + $0)") }
        var (expected, before): ([Int64], [Account?: Int64]) = ([], [:])
        for id in ids {
            var entry = OutboxEntry.sample(id.text, of: [nil, Account("me")][Int(random.next() % 5 / 4)])
            entry.kind.name = ["a", "b", "c"][Int(random.next() % 3)]
            entry.payload = []
            try await SQLiteWriteStore(file).commit(Commit(enqueued: [entry]))
            // The position is that of the account's last entry before the one that is gone.
            before[entry.account] = Int64(expected.count + 1)
            expected.append(before[Account("me")] ?? 0)
        }
        let found = try await file.read("look for places") { db in
            try [0, 1, 5, 1_000].map { reach in
                let places = EntryPositions(db: db, account: RowKey.account(Account("me")), reach: reach)
                return try ids.map { try places.place(of: OutboxEntry.ID($0.text + "-gone")) }
            }
        }
        for places in found { #expect(places == expected) }
        try await file.close()
    }

    /// After the clock was set back, due entries come first. The oldest of the others follow,
    /// however many there are.
    @Test func dueLanesComeFirstAfterTheClockIsSetBack() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let store = SQLiteWriteStore(file)
        // Later times come first, as if the clock had been set back before.
        for index in 0..<20 {
            var entry = OutboxEntry.sample("\(index)", lane: "\(index)")
            entry.enqueuedAt = WallTime(secondsSince1970: index.isMultiple(of: 5) ? 100 : 1_000 - Int64(index))
            try await store.commit(Commit(enqueued: [entry]))
        }
        var found: [String] = []
        for (lanes, seconds) in [(3, 100), (2, 101), (3, 101), (40, 101)] as [(Int, Int64)] {
            var request = LeaseRequest.sample(lanes: lanes)
            request.now = WallTime(secondsSince1970: seconds)
            found += try await store.lease(request).lanes.map(\.lease.lane.name) + ["-"]
        }
        let expected = "0 1 2 - 5 10 - 15 3 4 - 6 7 8 9 11 12 13 14 16 17 18 19 -"
        #expect(found == expected.split(separator: " ").map(String.init))
        try await file.close()
    }
}
