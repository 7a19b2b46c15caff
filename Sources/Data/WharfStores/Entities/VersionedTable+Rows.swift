internal import WharfCore
internal import WharfStorage

extension VersionedTable<EntityRow> {
    /// Returns every row of an account and kind.
    func rows(of account: Account?, _ kind: String) -> [EntityRow] {
        entries(of: account, kind).values.compactMap(\.value)
    }

    func states(of keys: some Sequence<EntityKey>) -> EntityStates {
        var found = EntityStates()
        for key in keys {
            let entry = entry(key)
            found.states[key] = EntityState(row: entry.value, version: entry.version)
            found.versions[key.account] = version(of: key.account)
        }
        return found
    }

    /// Applies the changes of one commit.
    ///
    /// - Returns: the commit's version of each account.
    mutating func apply(_ changes: [EntityChange]) -> [Account?: StoreVersion] {
        guard let first = changes.first else { return [:] }
        let account = first.key.account
        // The usual case: one account, one version, one table.
        if changes.allSatisfy({ $0.key.account == account }) {
            let version = commit(
                changes.lazy.map { change in
                    switch change {
                    case .put(let row): (row.key, row)
                    case .remove(let key): (key, nil)
                    }
                }, of: account)
            return [account: version]
        }
        var versions: [Account?: StoreVersion] = [:]
        for change in changes {
            let key = change.key
            // One version for each account in one commit.
            let version = versions[key.account] ?? draw(for: key.account)
            versions[key.account] = version
            switch change {
            case .put(let row): set(row, for: key, at: version)
            case .remove: set(nil, for: key, at: version)
            }
        }
        return versions
    }
}

extension EntityFeedReaders {
    /// Reports a commit and its versions to the feeds.
    func tell(_ changes: [EntityChange], _ versions: [Account?: StoreVersion]) {
        if isEmpty { return }
        for (account, version) in versions {
            var news: [EntityKey: EntityFeed.Change] = [:]
            for change in changes where change.key.account == account {
                let isRemoval = if case .remove = change { true } else { false }
                news[change.key] = EntityFeed.Change(version: version, isRemoval: isRemoval)
            }
            // A feed that has read up to the version before takes this commit directly. Others read
            // the log.
            tell(.changes(news, reached: version), of: account, since: StoreVersion(version.number - 1))
        }
    }

    /// Reports a purge, or a commit whose changes are unknown.
    func tellAll(of account: Account?, at version: StoreVersion) {
        tell(.everything(reached: version), of: account, since: StoreVersion(version.number - 1))
    }
}
