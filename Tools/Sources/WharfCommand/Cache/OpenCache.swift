import Synchronization
import Wharf
import WharfSQLite
import WharfStorage

/// The open cache file during a subcommand.
struct OpenCache: Sendable {
    /// The path as given, for messages.
    let path: String
    let store: SQLiteCacheStore
    /// The damaged answers that the store has found.
    let damage: DamageLog
    let surroundings: Surroundings

    private static let page = 200

    var now: WallTime { surroundings.clock.now() }

    /// Reads the answers page by page, the most recently used first.
    ///
    /// - Parameter body: returns false to stop.
    func pages(_ body: ([CacheEntry]) async throws -> Bool) async throws {
        var last: Int64?
        while true {
            try Task.checkCancellation()
            let page = try await store.entries(usedBefore: last, limit: Self.page)
            guard !page.isEmpty, try await body(page) else { return }
            last = page.last?.lastUse
        }
    }

    /// Returns the answers that a selector means, the most recently used first.
    func entries(_ selector: CacheSelector) async throws -> [CacheEntry] {
        var found: [CacheEntry] = []
        try await pages { page in
            found += page.filter { selector.takes($0) }
            // An id is unique.
            if case .id = selector { return found.isEmpty }
            return true
        }
        return found
    }

    func write(_ bytes: [UInt8]) throws { try surroundings.writeOutput(bytes) }

    func write(line: String) throws { try write(Array((line + "\n").utf8)) }

    func say(_ line: String) { surroundings.writeError(Plain.shown(line) + "\n") }
}

extension CacheSelector {
    func takes(_ entry: CacheEntry) -> Bool {
        switch self {
        case .id(let id): entry.id == id
        case .target(let target): entry.key.target == target
        }
    }
}

/// The messages of the store about damaged answers.
final class DamageLog: Sendable {
    private let messages = Mutex<[String]>([])

    func add(_ message: String) { messages.withLock { $0.append(message) } }

    var isEmpty: Bool { messages.withLock(\.isEmpty) }

    /// Returns the messages since the last call.
    func take() -> [String] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
