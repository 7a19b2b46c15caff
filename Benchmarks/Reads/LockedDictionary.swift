internal import Fixtures
internal import Synchronization

/// The minimum of a shared in-memory read: an async call through a protocol, a lock, a dictionary.
protocol ByteSource: Sendable {
    func bytes(for key: String) async -> [UInt8]?
}

final class LockedDictionary: ByteSource {
    private let entries: Mutex<[String: [UInt8]]>

    init(_ entries: [String: [UInt8]]) { self.entries = Mutex(entries) }

    func bytes(for key: String) async -> [UInt8]? { entries.withLock { $0[key] } }
}

struct DictionaryReads: Subject {
    private let entries: Entries
    private let source: any ByteSource

    init(_ entries: Entries) {
        self.entries = entries
        self.source = Self.erased(entries)
    }

    // Inlining is off, so that the compiler can't see the type behind the protocol.
    @inline(never)
    private static func erased(_ entries: Entries) -> any ByteSource {
        LockedDictionary(
            Dictionary(uniqueKeysWithValues: (0..<entries.count).map { (entries.target($0), entries.body($0)) })
        )
    }

    func item(_ index: Int) -> String { entries.target(index) }

    func read(_ items: [String]) async throws -> Int {
        var bytes = 0
        for key in items { bytes += await source.bytes(for: key)?.count ?? 0 }
        return bytes
    }
}
