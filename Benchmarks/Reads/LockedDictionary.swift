internal import Fixtures
internal import Synchronization
internal import WharfCore

/// The minimum of a shared in-memory read: an async call through a protocol, a lock, a dictionary.
protocol AnswerSource: Sendable {
    func answer(for key: String) async -> (head: HTTPResponse, body: [UInt8])?
}

final class LockedDictionary: AnswerSource {
    private let entries: Mutex<[String: (head: HTTPResponse, body: [UInt8])]>

    init(_ entries: [String: (head: HTTPResponse, body: [UInt8])]) { self.entries = Mutex(entries) }

    func answer(for key: String) async -> (head: HTTPResponse, body: [UInt8])? { entries.withLock { $0[key] } }
}

struct DictionaryReads: Subject {
    private let entries: Entries
    private let source: any AnswerSource

    init(_ entries: Entries) {
        self.entries = entries
        self.source = Self.erased(entries)
    }

    // Inlining is off, so that the compiler can't see the type behind the protocol.
    @inline(never)
    private static func erased(_ entries: Entries) -> any AnswerSource {
        LockedDictionary(
            Dictionary(
                uniqueKeysWithValues: (0..<entries.count).map {
                    (entries.target($0), (head: entries.head($0), body: entries.body($0)))
                })
        )
    }

    func item(_ index: Int) -> String { entries.target(index) }

    func read(_ items: [String]) async throws -> Int {
        var bytes = 0
        for key in items { bytes += await source.answer(for: key)?.body.count ?? 0 }
        return bytes
    }
}
