import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage

@testable import WharfCommand

/// An app's data file, and `wharf outbox` on it.
final class OutboxFile: Sendable {
    let session: Session
    let path: String

    init() throws {
        session = try Session()
        path = session.folder.path("data.sqlite")
    }

    var now: WallTime { session.clock.wall.now() }

    func run(_ arguments: String..., answer: String? = nil, columns: Int? = nil) async -> Session.Result {
        await session.run(["outbox"] + arguments + ["--db", path], "", columns, answer: answer)
    }

    /// Returns the objects that a subcommand prints with `--json`.
    func json(_ arguments: String...) async throws -> [[String: Any]] {
        let result = await session.run(["outbox"] + arguments + ["--db", path, "--json"])
        return try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    /// Acts as the app, on the same file.
    @discardableResult
    func app<Value: Sendable>(_ body: (SQLiteWriteStore) async throws -> Value) async throws -> Value {
        let file = try await SQLiteDataFile.open(at: path)
        do {
            let value = try await body(SQLiteWriteStore(file))
            try await file.close()
            return value
        } catch {
            try await file.close()
            throw error
        }
    }

    func enqueue(_ entries: OutboxEntry...) async throws {
        try await app { try await $0.commit(Commit(enqueued: entries)) }
    }

    func request(
        _ id: String, _ address: String, of account: String? = nil, lane: String? = nil,
        to destinations: String = "api",
        fields: HTTPFields = [:], body: String = "{}", dependingOn others: String...
    ) -> OutboxEntry {
        var entry = OutboxRequest(.post, address, fields: fields, body: Array(body.utf8)).entry(
            .init(id), of: account.map { Account($0) }, lane: lane ?? id, to: destinations, at: now)
        entry.dependencies = Set(others.map { .init($0) })
        return entry
    }

    /// Returns an entry of a kind that only the app knows.
    func own(_ id: String, _ payload: [UInt8] = Array("{\"a\":1}".utf8), lane: String? = nil) -> OutboxEntry {
        OutboxEntry(
            id: .init(id), lane: lane ?? id, kind: .init("note.edit", version: 3), payload: payload,
            targets: .all("notes"),
            enqueuedAt: now)
    }

    /// Settles the first due delivery of each lane to a destination with a verdict.
    func settle(_ destination: String, _ verdict: Settlement.Outcome) async throws {
        try await app { store in
            let filter = LeaseRequest.DestinationFilter(destination, kinds: [OutboxRequest.kind.name, "note.edit"])
            let leased = try await store.lease(LeaseRequest(destinations: [filter], now: now))
            var commit = Commit()
            for lane in leased.lanes {
                let first = try #require(lane.deliveries.first)
                commit.settled.append(
                    Settlement(first.id, under: lane.lease, verdict, attempts: 1, attemptedAt: now))
                commit.released.append(lane.lease)
            }
            try await store.commit(commit)
        }
    }

    func state(_ id: String, _ destination: String = "api") async throws -> OutboxRecord.State? {
        try await app { try await $0.record(of: .init(id))?.states[destination] }
    }

    func contents() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    /// Overwrites bytes in the header of the file.
    func overwrite(at offset: UInt64, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}

extension DeliveryFailure {
    static let refused = DeliveryFailure(.rejected, message: "no such note", status: 422)
}
