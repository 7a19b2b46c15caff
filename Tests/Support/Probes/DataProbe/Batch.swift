import WharfCore
import WharfKillHarness
import WharfRandom
import WharfSQLite
import WharfStorage

/// A commit that is determined by its serial, so that a partial commit can be detected.
struct Batch {
    static let account = Account("the owner of the batches")
    static let guest = Account("a guest who is removed again and again")

    let serial: Int64

    /// Rows that every batch rewrites, together with the fields that sort them.
    private static let fixed = (0..<5).map { "fixed-\($0)" }

    /// Puts one row of its own, and removes that of the batch ten serials before.
    var changes: [EntityChange] {
        var changes = Self.fixed.map { EntityChange.put(row($0)) }
        changes.append(.put(row("own-\(serial)")))
        changes.append(.remove(Self.key("own-\(serial - 10)")))
        return changes
    }

    /// Delivered long after the batch is committed.
    var entry: OutboxEntry { entry("entry-\(serial)", of: Self.account, Array("batch \(serial)".utf8)) }

    var guestsEntry: OutboxEntry { entry("guest-\(serial)", of: Self.guest, Array("the guest's bytes".utf8)) }

    private func entry(_ id: String, of account: Account, _ payload: [UInt8]) -> OutboxEntry {
        var entry = OutboxEntry(
            id: OutboxEntry.ID(id), lane: "batches", kind: .init("batch"), payload: payload, targets: .all("api"),
            enqueuedAt: WallTime(nanoseconds: serial))
        entry.account = account
        return entry
    }

    static func serial(_ id: OutboxEntry.ID) -> Int64? { Int64(id.text.dropFirst("entry-".count)) }

    private static func key(_ id: String) -> EntityKey { EntityKey(account: account, kind: "batch", id: id) }

    private func row(_ id: String) -> EntityRow {
        var random = SeededGenerator(seed: UInt64(serial))
        // Some rows fit in a page, and others need overflow pages.
        let size = serial % 3 == 0 ? 9_000 : 200
        let words = (0..<size / 8).map { _ in random.next() }
        return EntityRow(
            key: Self.key(id), schema: Int(serial % 7), bytes: words.withUnsafeBytes(Array.init),
            asOf: WallTime(nanoseconds: serial),
            fields: [
                "serial": FieldValue(serial), "text": FieldValue("batch \(serial)"),
                // A new field name from time to time, which is null in between.
                "name \(serial / 50 % 4)": FieldValue(serial % 3),
            ]
        )
    }

    /// Returns the serial of the batch in a file, or 0 if there is none. Verifies it in all rows
    /// and by all indexes.
    static func check(_ file: SQLiteDataFile) async throws -> Int64 {
        let store = SQLiteEntityStore(file)
        let rows = try await store.rows(RowQuery(), of: account, kind: "batch")
        let entries = try await SQLiteWriteStore(file).records(of: account, after: nil, limit: .max).map(\.entry)
        let serials = entries.compactMap { Self.serial($0.id) }
        guard let serial = rows.map(\.asOf.nanoseconds).max() else {
            guard entries.isEmpty else { throw Torn("\(entries.count) entries without a batch") }
            return 0
        }
        guard serials == serials.sorted(), serials.last == serial else {
            throw Torn("entries \(serials) beside batch \(serial)")
        }
        for entry in entries where entry != Batch(serial: Self.serial(entry.id) ?? 0).entry { throw Torn("\(entry)") }
        ProbeProcess.say("waits \(serials.first ?? 0)")
        let batch = Batch(serial: serial)
        var expected: [EntityKey: EntityRow] = [:]
        for id in fixed { expected[key(id)] = batch.row(id) }
        for own in max(1, serial - 9)...serial { expected[key("own-\(own)")] = Batch(serial: own).row("own-\(own)") }
        for row in rows {
            guard let whole = expected[row.key] ?? older(row) else {
                throw Torn("\(row.key.id) beside batch \(serial)")
            }
            guard row == whole else { throw Torn("\(row.key.id) of \(row.asOf.nanoseconds) in batch \(serial)") }
            expected[row.key] = nil
        }
        // Serials of the run before may be missing, but none of this run.
        let missing = expected.keys.filter { key in fixed.contains(key.id) || key.id == "own-\(serial)" }
        guard missing.isEmpty else { throw Torn("batch \(serial) without \(missing.map(\.id))") }
        for field in ["serial", "text", "name 0", "name 1", "name 2", "name 3"] {
            let query = RowQuery(sort: [SortKey(field)])
            let answer = query.answer(rows, id: { $0.key.id }, fields: { $0.fields })
            guard try await store.rows(query, of: account, kind: "batch") == answer else {
                throw Torn("the order by \(field)")
            }
        }
        return serial
    }

    /// A row of an earlier run that was not removed.
    private static func older(_ row: EntityRow) -> EntityRow? {
        guard row.key.id.hasPrefix("own-"), let serial = Int64(row.key.id.dropFirst(4)) else { return nil }
        return Batch(serial: serial).row(row.key.id)
    }

    struct Torn: Error, CustomStringConvertible {
        let description: String
        init(_ what: String) { description = "torn: \(what)" }
    }
}
