public import WharfChecks
internal import WharfCore
public import WharfStorage

/// The laws of ``EntityStore``, in memory, on disk, or over a store of the app.
///
/// ```swift
/// @Test(arguments: EntityStoreLaws.all)
/// func mineKeeps(law: Law<EntityStoreLaws.Subject>) async throws {
///     try await law.check(.init("MyStore") { MyStore() })
/// }
/// ```
public enum EntityStoreLaws {
    /// A kind of store, as a closure that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable () async throws -> any EntityStore
        let reopen: (@Sendable (any EntityStore) async throws -> any EntityStore)?
        let tombstones: Int?

        /// Creates a kind of store.
        ///
        /// - Parameters:
        ///   - name: the name in the message of a violation.
        ///   - reopen: closes a store and opens the same data again; nil for a store that is not
        ///     durable.
        ///   - tombstones: a number that exceeds the store's tombstones per account; nil for a
        ///     store that keeps all. A law removes as many keys.
        ///   - make: makes an empty store. It is called at least once per law.
        public init(
            _ name: String = "the store",
            reopen: (@Sendable (any EntityStore) async throws -> any EntityStore)? = nil,
            tombstones: Int? = nil, _ make: @escaping @Sendable () async throws -> any EntityStore
        ) {
            description = name
            self.reopen = reopen
            self.tombstones = tombstones
            self.make = make
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = rows + queries + changes + versions + feeds
}

// MARK: What the laws are written in

extension EntityStoreLaws {
    static func row(
        _ id: String, _ bytes: [UInt8] = [1], account: Account? = nil, kind: String = "note",
        fields: [String: FieldValue] = [:]
    ) -> EntityRow {
        EntityRow(
            key: EntityKey(account: account, kind: kind, id: id), bytes: bytes,
            asOf: WallTime(nanoseconds: 1_000_000_007), fields: fields
        )
    }

    static func ids(_ store: any EntityStore, account: Account? = nil, kind: String = "note") async throws -> [String] {
        try await store.rows(RowQuery(), of: account, kind: kind).map(\.key.id)
    }

    /// Keys that a careless store confuses.
    static let differentKeys: [EntityKey] = [
        EntityKey(kind: "note", id: "1"), EntityKey(kind: "note", id: "01"), EntityKey(kind: "note", id: ""),
        EntityKey(kind: "Note", id: "1"), EntityKey(kind: "", id: "1"), EntityKey(kind: "note1", id: ""),
        EntityKey(account: Account(""), kind: "note", id: "1"), EntityKey(account: Account("1"), kind: "note", id: "1"),
        EntityKey(kind: "note", id: "1/note"), EntityKey(kind: "note", id: "a\0b"), EntityKey(kind: "note", id: "a"),
        // Canonically equivalent, with different bytes.
        EntityKey(kind: "note", id: "\u{E9}"), EntityKey(kind: "note", id: "e\u{301}"),
        EntityKey(kind: "note", id: "%"), EntityKey(kind: "note", id: "' OR 1=1 --"),
    ]
}
