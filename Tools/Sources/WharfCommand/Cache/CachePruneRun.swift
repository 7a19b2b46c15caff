import Wharf
import WharfCache
import WharfStorage

/// One `wharf cache prune`.
struct CachePruneRun {
    enum Rule: Sendable {
        case stale
        /// The time since the answer arrived or was last confirmed.
        case olderThan(Duration)
        /// The bytes of keys, heads and bodies to keep at most.
        case toBytes(Int64)
    }

    let cache: OpenCache
    let rule: Rule
    let configuration: CacheConfiguration
    let isDryRun: Bool
    let isJSON: Bool

    func run() async throws -> ProcessStatus {
        let entries = try await condemned()
        guard !entries.isEmpty else {
            cache.say("nothing to remove from \(cache.path)")
            return .delivered
        }
        guard isDryRun else {
            try await CacheRemoval(cache: cache, isJSON: isJSON).remove(entries)
            return .delivered
        }
        for entry in entries {
            let url = Plain.shown(Target.shown(stored: entry.key.target))
            try isJSON ? cache.write(entry.removedLine) : cache.write(line: url)
        }
        let bytes = entries.reduce(0) { $0 + $1.byteCount }
        cache.say("\(Plain.answers(entries.count)), \(Plain.bytes(bytes)), would be removed")
        return .delivered
    }

    /// Returns the answers to remove, the least recently used first.
    private func condemned() async throws -> [CacheEntry] {
        let now = cache.now
        var found: [CacheEntry] = []
        // The bytes of the answers so far, the most recently used first.
        var total: Int64 = 0
        try await cache.pages { page in
            for entry in page {
                total += entry.byteCount
                let isCondemned =
                    switch rule {
                    case .stale: !CacheAssessment(entry.head, by: configuration, at: now).freshness.isFresh
                    case .olderThan(let duration): now - entry.head.respondedAt > duration
                    // The store evicts in this order too: all answers after the first one that
                    // does not fit.
                    case .toBytes(let limit): total > limit
                    }
                if isCondemned { found.append(entry) }
            }
            return true
        }
        return found.reversed()
    }
}
