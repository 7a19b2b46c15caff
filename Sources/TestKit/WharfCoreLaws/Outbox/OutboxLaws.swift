public import WharfChecks
internal import WharfCore
internal import WharfRandom
public import WharfStorage

/// The laws of ``Outbox``, over a store that keeps `JournalLaws`.
///
/// ```swift
/// @Test(arguments: OutboxLaws.all)
/// func myOutboxKeeps(law: Law<OutboxLaws.Subject>) async throws {
///     try await law.check(.init("MyOutbox") {
///         let outbox = MyOutbox(store: MemoryWriteStore())
///         return .init(outbox, close: { await outbox.close() })
///     })
/// }
/// ```
public enum OutboxLaws {
    /// An outbox under test, as a closure that makes a new one.
    public typealias Subject = Conformer<Instance>

    /// An outbox over an empty store that delivers only while it drains.
    ///
    /// It has no destination yet.
    public struct Instance: Sendable {
        let outbox: any Outbox
        let delivers: Bool
        let close: @Sendable () async -> Void

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - delivers: false for an outbox that only stores entries, such as a fake. The laws
        ///     about deliveries are then not checked.
        ///   - close: closes the outbox after the law.
        public init(
            _ outbox: any Outbox, delivers: Bool = true, close: @escaping @Sendable () async -> Void = {}
        ) {
            self.outbox = outbox
            self.delivers = delivers
            self.close = close
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = keeping + delivering + outcomes
}

// MARK: What the laws are written in

extension OutboxLaws {
    /// A time long ago, so that no entry waits for its time.
    static let start = WallTime(secondsSince1970: 1_000_000_000)

    static func row(_ id: String, of account: Account?) -> EntityRow {
        EntityRow(key: EntityKey(account: account, kind: "note", id: id), bytes: [1], asOf: start)
    }
}

extension OutboxLaws.Instance {
    /// Returns an entry of the outbox's account, whose payload is its name.
    func entry(_ name: String, lane: String = "lane", to names: String...) -> OutboxEntry {
        entry(name, lane: lane, of: outbox.account, to: names)
    }

    func entry(_ name: String, lane: String = "lane", of account: Account?, to names: [String] = []) -> OutboxEntry {
        var entry = OutboxEntry(
            id: outbox.newID(), lane: lane, kind: .init("note"), payload: Array(name.utf8),
            targets: (names.isEmpty ? ["api"] : names).map { .init($0) }, enqueuedAt: OutboxLaws.start)
        entry.account = account
        return entry
    }

    /// Enqueues entries in one call.
    func enqueue(_ entries: [OutboxEntry]) async throws { try await outbox.enqueue(entries, changing: []) }

    func record(_ entry: OutboxEntry) async throws -> OutboxRecord? { try await outbox.store.record(of: entry.id) }
}

extension Conformer where Contract == OutboxLaws.Instance {
    /// Passes a new instance to `body`, and closes it.
    func use(_ body: (OutboxLaws.Instance) async throws -> Void) async throws {
        let it = try await make()
        do { try await body(it) } catch {
            await it.close()
            throw error
        }
        await it.close()
    }

    /// Passes a new instance to `body` if the outbox delivers, and closes it.
    func useDelivering(_ body: (OutboxLaws.Instance) async throws -> Void) async throws {
        try await use { it in if it.delivers { try await body(it) } }
    }
}

extension OutboxEntry {
    /// The payload as text.
    var payloadText: String { String(decoding: payload, as: UTF8.self) }
}
