#if SQLite
internal import GRDB
internal import WharfCore

extension SalvageReader {
    /// Gives each account one new version, which becomes its floor and that of its rows.
    ///
    /// It is above all readable versions. Tombstones may be lost, so every earlier expectation is
    /// refused, and every reader of a feed reads everything.
    func numberAccounts(
        of scopes: [Int64: (account: Account?, kind: String)], in target: Database
    ) throws -> [Account?: StoreVersion] {
        var isWhole = true
        var last: [Int64: Int64] = [:]
        let numbers = scopes.mapValues { VersionTables.id($0.account) }
        let hasVersions = try db.integer("SELECT count(*) FROM sqlite_master WHERE name = 'account'") == 1
        if hasVersions { readVersions(numbers, into: &last, &isWhole) }
        for id in numbers.values where last[id] == nil { last[id] = 0 }
        // The last versions may be lost, and no number may be used twice, so the step is large.
        let step: Int64 = isWhole ? 1 : 1_000_000
        for (id, version) in last {
            let version = StoreVersion(version + step)
            try VersionTables(db: target).setAccount(id, version: version, floor: version)
        }
        var versions: [Account?: StoreVersion] = [:]
        for (account, _) in scopes.values {
            versions[account] = StoreVersion((last[VersionTables.id(account)] ?? 0) + step)
        }
        return versions
    }

    /// - Parameter numbers: the ids of the accounts, by the ids of their scopes.
    private func readVersions(_ numbers: [Int64: Int64], into last: inout [Int64: Int64], _ isWhole: inout Bool) {
        walk("SELECT id, version FROM account", by: ["ORDER BY id"], &isWhole) { last[$0.integer(0)] = $0.integer(1) }
        walk("SELECT scope, version FROM entity", by: ["NOT INDEXED ORDER BY id"], &isWhole) { row in
            guard let id = numbers[row.integer(0)] else { return }
            last[id] = max(last[id] ?? 0, row.integer(1))
        }
        walk("SELECT account, version FROM change", by: ["ORDER BY account, version, scope, key"], &isWhole) { row in
            last[row.integer(0)] = max(last[row.integer(0)] ?? 0, row.integer(1))
        }
    }
}
#endif
