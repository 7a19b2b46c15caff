import Wharf
import WharfCache
import WharfStorage

/// One `wharf cache ls`.
struct CacheListRun {
    let cache: OpenCache
    let pattern: URLPattern?
    let isStaleOnly: Bool
    /// The maximum number of answers; nil for all.
    let limit: Int?
    let configuration: CacheConfiguration
    let reveals: Bool
    let isWithoutPager: Bool
    let isJSON: Bool

    /// The state of the list so far.
    private struct Progress {
        /// The number of answers examined.
        var seen = 0
        var listed = 0
        var stale = 0
        /// Whether the limit cut the list.
        var isCut = false
    }

    private var isTable: Bool { !isJSON && cache.surroundings.outputIsTerminal }

    func run() async throws -> ProcessStatus {
        let progress: Progress
        let pager = cache.surroundings.pager
        if isTable, !isWithoutPager, let write = try pager.begin() {
            do {
                progress = try await list(write)
            } catch {
                try await pager.end()
                throw error
            }
            // Standard error is the same terminal, which belongs to the pager until the user leaves
            // it.
            try await pager.end()
        } else {
            progress = try await list(cache.write)
        }
        say(progress)
        return .delivered
    }

    private func list(_ write: ([UInt8]) throws -> Void) async throws -> Progress {
        var table = TextTable()
        var progress = Progress()
        let now = cache.now
        try await cache.pages { page in
            let isFirst = progress.listed == 0
            let shown = meant(page, at: now, &progress)
            if isJSON {
                try write(shown.flatMap(\.json.line))
            } else if !shown.isEmpty {
                let heading = isFirst ? [ShownCacheEntry.heading] : []
                let lines = isTable ? table.lines(heading + shown.map(\.row)) : shown.map(\.line)
                try write(lines.flatMap { Array(($0 + "\n").utf8) })
            }
            return !progress.isCut
        }
        return progress
    }

    /// Returns the answers of a page to list.
    private func meant(_ page: [CacheEntry], at now: WallTime, _ progress: inout Progress) -> [ShownCacheEntry] {
        var shown: [ShownCacheEntry] = []
        for entry in page {
            let each = ShownCacheEntry(entry, by: configuration, at: now, reveals: reveals)
            progress.seen += 1
            guard pattern?.matches(entry.key.target) ?? true, !isStaleOnly || !each.freshness.isFresh else { continue }
            if progress.listed == limit {
                progress.isCut = true
                break
            }
            progress.listed += 1
            if !each.freshness.isFresh { progress.stale += 1 }
            shown.append(each)
        }
        return shown
    }

    private func say(_ progress: Progress) {
        if progress.seen == 0 {
            cache.say("\(cache.path) is empty")
        } else if progress.listed == 0 {
            cache.say("none of the \(Plain.answers(progress.seen)) in \(cache.path) matches the options")
        } else {
            let more = progress.isCut ? "; there are more: raise --limit to list them" : ""
            cache.say("\(Plain.answers(progress.listed)) in \(cache.path), \(progress.stale) stale\(more)")
        }
    }
}
