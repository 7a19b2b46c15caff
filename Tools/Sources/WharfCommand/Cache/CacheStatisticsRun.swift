import Wharf
import WharfCache
import WharfStorage

/// One `wharf cache stats`.
struct CacheStatisticsRun {
    let cache: OpenCache
    let configuration: CacheConfiguration
    let isJSON: Bool

    /// The number of hosts that are shown.
    private static let most = 10

    private struct Count {
        var entries = 0
        var bytes: Int64 = 0
    }

    func run() async throws -> ProcessStatus {
        let now = cache.now
        var all = Count()
        var stale = 0
        var hosts: [String: Count] = [:]
        var accounts: Set<Account> = []
        // Counted in the list, so that the parts add up to the total while another process writes.
        try await cache.pages { page in
            for entry in page {
                all.entries += 1
                all.bytes += entry.byteCount
                if !CacheAssessment(entry.head, by: configuration, at: now).freshness.isFresh { stale += 1 }
                if let account = entry.key.account { accounts.insert(account) }
                hosts[Self.host(of: entry.key.target), default: Count()].entries += 1
                hosts[Self.host(of: entry.key.target), default: Count()].bytes += entry.byteCount
            }
            return true
        }
        // Hosts with equal bytes are in order of their names.
        let largest = hosts.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }.prefix(Self.most)
        if isJSON {
            var object = JSONObject()
            object.add("entries", all.entries)
            object.add("bytes", Int(all.bytes))
            object.add("fresh", all.entries - stale)
            object.add("stale", stale)
            object.add("accounts", accounts.count)
            object.add(
                "hosts",
                largest.map { host, count in
                    var each = JSONObject()
                    each.add("host", host)
                    each.add("entries", count.entries)
                    each.add("bytes", Int(count.bytes))
                    return each
                })
            try cache.write(object.line)
            return .delivered
        }
        var table = TextTable()
        let facts = [
            ["answers", "\(all.entries)"], ["size", Plain.bytes(all.bytes)], ["fresh", "\(all.entries - stale)"],
            ["stale", "\(stale)"], ["accounts", "\(accounts.count)"],
        ]
        var hostTable = TextTable()
        let rows = [["HOST", "ANSWERS", "SIZE"]] + largest.map { [$0, "\($1.entries)", Plain.bytes($1.bytes)] }
        let lines = table.lines(facts) + (largest.isEmpty ? [] : [""] + hostTable.lines(rows))
        for line in lines { try cache.write(line: line) }
        return .delivered
    }

    /// Returns host and port of a target.
    private static func host(of target: String) -> String {
        guard let slashes = target.firstRange(of: "//") else { return target }
        let authority = target[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" }
        // User info may be a password.
        return String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
    }
}
