import Wharf
import WharfCache
import WharfSQLite
import WharfStorage

/// One `wharf cache show`.
struct CacheShowRun {
    enum Form {
        case text
        case json
        /// The body alone.
        case body
    }

    let cache: OpenCache
    let selector: CacheSelector
    let configuration: CacheConfiguration
    let reveals: Bool
    let form: Form

    func run() async throws -> ProcessStatus {
        let entries = try await cache.entries(selector)
        guard let first = entries.first else {
            cache.say("\(cache.path) has no answer for \(selector.shown); see wharf cache ls")
            return .notDone
        }
        let now = cache.now
        let shown = entries.map { ShownCacheEntry($0, by: configuration, at: now, reveals: reveals) }
        switch form {
        case .json:
            for each in shown { try cache.write(each.detailedJSON.line) }
        case .text:
            for (index, each) in shown.enumerated() {
                if index > 0 { try cache.write(line: "") }
                for line in each.details { try cache.write(line: line) }
            }
            if shown.count > 1 {
                let accounts = Set(entries.map(\.key.account)).count
                cache.say(
                    "\(Plain.answers(shown.count)) for \(selector.shown)"
                        + "\(accounts > 1 ? " of \(accounts) accounts" : ""), the most recently used first")
            }
        case .body:
            guard entries.count == 1 else {
                let ids = entries.map { "\($0.id)" }.joined(separator: ", ")
                throw UsageError(
                    "--body: expected one answer for \(selector.shown), found \(entries.count); give one of the ids "
                        + ids)
            }
            return try await writeBody(of: first, coding: shown.first?.coding)
        }
        return .delivered
    }

    private func writeBody(of entry: CacheEntry, coding: String?) async throws -> ProcessStatus {
        guard let body = try await cache.store.body(of: entry) else {
            cache.say("the body of the answer \(entry.id) is damaged or was removed meanwhile")
            return .notDone
        }
        do throws(TransportError) {
            for try await chunk in body {
                do {
                    try cache.write(chunk)
                } catch {
                    throw TransportError(.cancelled, message: "the output failed", cause: error)
                }
            }
        } catch {
            // The cause is the failure of the output, which has its own exit code.
            if let failure = error.cause as? OutputFailure { throw failure }
            if error.code == .cancelled, error.cause == nil { throw error }
            // The store's own message about damage follows. That of the stream says that the entry
            // was removed, which only a writer does.
            let reason = cache.damage.isEmpty ? ": \(error.message)" : ""
            cache.say("the body of the answer \(entry.id) can't be read to its end\(reason)")
            return .notDone
        }
        if let coding { cache.say("the body has the Content-Encoding \(coding)") }
        return .delivered
    }
}
