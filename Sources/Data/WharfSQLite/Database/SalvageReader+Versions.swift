#if SQLite
internal import GRDB
internal import WharfCore

extension SalvageReader {
    /// Gives each account one new version, which becomes its floor and that of its rows.
    ///
    /// It is above all readable versions. Tombstones may be lost, so every earlier expectation is
    /// refused, and every reader of a feed reads everything. A version that no account can reach is
    /// damage, and counts as unreadable.
    func numberAccounts(
        of scopes: [Int64: (account: Account?, kind: String)], in target: Database
    ) throws -> [Account?: StoreVersion] {
        var isWhole = true
        var last: [Int64: Int64] = [:]
        let numbers = scopes.mapValues { VersionTables.id($0.account) }
        // Files of versions 1 and 2 have no such table.
        let hasVersions = try db.integer("SELECT count(*) FROM sqlite_master WHERE name = 'account'") == 1
        if hasVersions { readVersions(numbers, into: &last, &isWhole) }
        // An account without readable versions starts at 0.
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
        // The walks hold `isWhole` while they run.
        var isPlausible = true
        func read(_ version: Int64, of id: Int64) {
            guard Self.plausibleVersions.contains(version) else { return isPlausible = false }
            last[id] = max(last[id] ?? 0, version)
        }
        walk("SELECT id, version FROM account", by: ["ORDER BY id"], &isWhole) { row in
            read(row.integer(1), of: row.integer(0))
        }
        walk("SELECT scope, version FROM entity", by: ["NOT INDEXED ORDER BY id"], &isWhole) { row in
            // A row of an unreadable scope belongs to no known account.
            if let id = numbers[row.integer(0)] { read(row.integer(1), of: id) }
        }
        walk("SELECT account, version FROM change", by: ["ORDER BY account, version, scope, key"], &isWhole) { row in
            read(row.integer(1), of: row.integer(0))
        }
        if !isPlausible { isWhole = false }
    }

    /// A million commits a second take more than 140,000 years to reach the end. A greater version
    /// would leave no room for the step and for later commits.
    private static let plausibleVersions = 0...(Int64(1) << 62)
}
#endif
