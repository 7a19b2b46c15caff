import Wharf
import WharfSQLite
import WharfStorage

/// One `wharf cache verify`.
struct CacheVerifyRun {
    let cache: OpenCache
    let isJSON: Bool

    func run() async throws -> ProcessStatus {
        var whole = 0
        var damaged = 0
        try await cache.pages { page in
            for entry in page {
                try Task.checkCancellation()
                if try await isWhole(entry) { whole += 1 }
                damaged += try report()
            }
            // Damaged heads, which no page has.
            damaged += try report()
            return true
        }
        damaged += try report()
        let found = damaged == 0 ? "none is damaged" : "\(Plain.answers(damaged)) damaged and removed"
        cache.say("\(Plain.answers(whole)) in \(cache.path) verified, \(found)")
        return damaged == 0 ? .delivered : .damaged
    }

    /// Reads a body to its end. An answer that was removed meanwhile is neither whole nor damaged.
    private func isWhole(_ entry: CacheEntry) async throws -> Bool {
        guard let body = try await cache.store.body(of: entry) else { return false }
        do throws(TransportError) {
            for try await _ in body {}
            return true
        } catch {
            if error.code == .cancelled { throw error }
            // A large body is verified piece by piece. The store removes it, and says so itself,
            // unless its file can't be read.
            guard cache.damage.isEmpty else { return false }
            cache.damage.add("answer \(entry.id), \(Target.shown(stored: entry.key.target)): \(error.message)")
            return false
        }
    }

    private func report() throws -> Int {
        let messages = cache.damage.take()
        for message in messages {
            if isJSON {
                var object = JSONObject()
                object.add("message", message)
                try cache.write(object.line)
            } else {
                try cache.write(line: Plain.shown(message))
            }
        }
        return messages.count
    }
}
