import Foundation
import Testing
import WharfCore
import WharfFakes
import WharfRandom
import WharfSQLite
import WharfStorage

/// Entries that depend on entries lost in a damaged file.
@Suite struct JournalSalvageTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Otherwise it would be sent as if the lost entry had arrived.
    @Test func dependentOfALostEntryIsADeadLetter() async throws {
        let path = folder.path("data.sqlite")
        let file = try await SQLiteDataFile.open(at: path)
        let firsts = (0..<40).map { OutboxEntry.sample("first \($0)", 600, lane: "first \($0)") }
        let seconds = firsts.enumerated().map { index, first in
            var second = OutboxEntry.sample("second \(index)", lane: "second \(index)")
            second.dependencies = [first.id]
            return second
        }
        try await SQLiteWriteStore(file).commit(Commit(enqueued: firsts + seconds))
        try await file.close()
        let whole = try folder.contents("data.sqlite")
        var (dead, sent) = (0, 0)
        for page in 1..<whole.count / 4096 {
            try whole.write(to: URL(fileURLWithPath: folder.path("damaged")))
            try folder.overwrite("damaged", at: page * 4096, with: [UInt8](repeating: 0xAA, count: 4096))
            let salvaged = try await SQLiteDataFile.salvage(
                from: folder.path("damaged"), to: folder.path("new-\(page)"))
            let new = try await SQLiteDataFile.open(at: folder.path("new-\(page)"))
            let store = SQLiteWriteStore(new)
            let due = try await store.lease(.sample(lanes: .max)).lanes.flatMap(\.deliveries)
            sent += due.count { !$0.entry.dependencies.isEmpty }
            let letters = try await store.deadLetters(of: nil, after: nil, limit: .max)
            #expect(
                letters.allSatisfy { $0.failure.code == .dependencyForgotten && $0.entry.id.text.hasPrefix("second") })
            #expect(letters.isEmpty || salvaged.rowsLost > 0)
            dead += letters.count
            try await new.close()
        }
        #expect(dead > 20)
        #expect(sent == 0)
    }

    /// Otherwise a dependent entry would be sent without the lost entry's ids.
    @Test func lostSettlementCountsAsForgotten() async throws {
        let path = folder.path("data.sqlite")
        let file = try await SQLiteDataFile.open(at: path)
        let store = SQLiteWriteStore(file)
        let entries = (0..<120).map { index in
            var random = SeededGenerator(seed: UInt64(index))
            var entry = OutboxEntry.sample("\(index)", lane: "\(index)")
            entry.id = OutboxEntry.ID(at: WallTime(secondsSince1970: Int64(index)), using: &random)
            return entry
        }
        try await store.commit(Commit(enqueued: entries))
        var commit = Commit()
        for lane in try await store.lease(.sample(lanes: .max)).lanes {
            let id = try #require(lane.deliveries.first).id
            commit.settled.append(Settlement(id, under: lane.lease, .delivered, attempts: 1, attemptedAt: .distantPast))
            commit.assigned.append(IDAssignment(id.entry, ids: ["t-\(id.entry)": "1"], dependents: []))
            commit.released.append(lane.lease)
        }
        #expect(commit.settled.count == 120)
        try await store.commit(commit)
        try await file.close()
        let whole = try folder.contents("data.sqlite")
        var forgotten = 0
        for page in 1..<whole.count / 4096 {
            try whole.write(to: URL(fileURLWithPath: folder.path("damaged")))
            try folder.overwrite("damaged", at: page * 4096, with: [UInt8](repeating: 0xAA, count: 4096))
            let salvaged = try await SQLiteDataFile.salvage(
                from: folder.path("damaged"), to: folder.path("new-\(page)"),
                clock: TestClock(start: WallTime(secondsSince1970: 1_000)).wall)
            #expect(salvaged.mayHaveLostMore || !salvaged.mayHaveForgotten)
            let new = try await SQLiteDataFile.open(at: folder.path("new-\(page)"))
            let again = SQLiteWriteStore(new)
            let late = entries.enumerated().map { index, entry in
                var late = OutboxEntry.sample("late \(index)", lane: "late \(index)")
                late.dependencies = [entry.id]
                return late
            }
            var later = OutboxEntry.sample("later", lane: "later")
            var random = SeededGenerator(seed: 1)
            later.dependencies = [OutboxEntry.ID(at: WallTime(secondsSince1970: 1_001), using: &random)]
            try await again.commit(Commit(enqueued: late + [later]))
            let due = try await again.lease(.sample(lanes: .max)).lanes.flatMap(\.deliveries)
            #expect(due.contains { $0.entry.id == later.id })
            #expect(due.allSatisfy { $0.entry.id == later.id || !$0.owed.isEmpty }, "page \(page)")
            let letters = try await again.deadLetters(of: nil, after: nil, limit: .max)
            #expect(letters.allSatisfy { $0.failure.code == .dependencyForgotten })
            #expect(due.count + letters.count == 121)
            #expect(letters.isEmpty || salvaged.mayHaveForgotten, "page \(page)")
            forgotten += letters.isEmpty ? 0 : 1
            try await new.close()
        }
        #expect(forgotten > 2)
    }
}
