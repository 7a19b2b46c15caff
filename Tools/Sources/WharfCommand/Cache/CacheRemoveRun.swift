import Wharf
import WharfCache
import WharfSQLite
import WharfStorage

/// One `wharf cache rm`.
struct CacheRemoveRun {
    enum Choice: Sendable {
        case selected([CacheSelector])
        case account(Account)
        case all
    }

    let cache: OpenCache
    let choice: Choice
    let isJSON: Bool

    func run() async throws -> ProcessStatus {
        switch choice {
        case .selected(let selectors): return try await remove(selectors)
        case .account(let account): return try await remove(accounts: [account])
        case .all: return try await remove(accounts: nil)
        }
    }

    private func remove(_ selectors: [CacheSelector]) async throws -> ProcessStatus {
        // One walk through the file for all of them.
        var found: [CacheEntry] = []
        try await cache.pages { page in
            found += page.filter { entry in selectors.contains { $0.takes(entry) } }
            return true
        }
        let missing = selectors.filter { selector in !found.contains { selector.takes($0) } }
        for selector in missing {
            cache.say("\(cache.path) has no answer for \(selector.shown); see wharf cache ls")
        }
        if found.isEmpty { return .notDone }
        try await CacheRemoval(cache: cache, isJSON: isJSON).remove(found)
        return missing.isEmpty ? .delivered : .notDone
    }

    /// - Parameter accounts: nil for all accounts, and for answers without one.
    private func remove(accounts chosen: [Account?]?) async throws -> ProcessStatus {
        var counts: [Account?: Int] = [:]
        try await cache.pages { page in
            for entry in page { counts[entry.key.account, default: 0] += 1 }
            return true
        }
        // Even without an answer: the bytes of removed ones may be in the file.
        let accounts = chosen ?? Array(Set(counts.keys).union([nil]))
        // The erasure may fail after the answers of an account are gone. Those of the others must
        // go too.
        var failure: StoreError?
        for account in accounts {
            do throws(StoreError) {
                try await cache.store.removeAll(of: account)
            } catch {
                if error.code == .cancelled { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        let removed = accounts.reduce(0) { $0 + (counts[$1] ?? 0) }
        if isJSON {
            var object = JSONObject()
            object.add("removed", removed)
            try cache.write(object.line)
        } else {
            try cache.write(line: "removed \(Plain.answers(removed))")
        }
        return .delivered
    }
}

/// The removal of listed answers, one by one.
struct CacheRemoval {
    let cache: OpenCache
    let isJSON: Bool

    func remove(_ entries: [CacheEntry]) async throws {
        var count = 0
        var bytes: Int64 = 0
        // A failed write to the reader must not stop the removal halfway, so it is thrown at the
        // end.
        var unwritten: (any Error)?
        do {
            for entry in entries {
                try await cache.store.remove(entry.id, under: entry.key)
                count += 1
                bytes += entry.byteCount
                guard isJSON, unwritten == nil else { continue }
                do {
                    try cache.write(entry.removedLine)
                } catch {
                    unwritten = error
                }
            }
        } catch {
            cache.say("removed \(count) of \(Plain.answers(entries.count))")
            throw error
        }
        if let unwritten { throw unwritten }
        if !isJSON { try cache.write(line: "removed \(Plain.answers(count)), \(Plain.bytes(bytes))") }
    }
}

extension CacheEntry {
    /// The JSON line of a removed answer.
    var removedLine: [UInt8] {
        var object = JSONObject()
        object.add("id", Int(id))
        object.add("url", Target.shown(stored: key.target))
        object.add("account", key.account?.name)
        object.add("bytes", Int(byteCount))
        return object.line
    }
}
