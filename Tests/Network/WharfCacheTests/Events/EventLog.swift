import Synchronization
import WharfCache
import WharfCore

/// The events of a cache in the order of their arrival.
final class EventLog: Sendable {
    private let seen = Mutex<[CacheEvent]>([])

    var handler: CacheEventHandler { { event in self.seen.withLock { $0.append(event) } } }

    var all: [CacheEvent] { seen.withLock { $0 } }

    /// Each event as its kind, its reason and the code of its failure.
    var lines: [String] { all.map(\.line) }

    func clear() { seen.withLock { $0 = [] } }
}

extension CacheEvent {
    var line: String {
        [kind.name, reason, failure?.name].compactMap(\.self).joined(separator: " ")
    }
}
