package import WharfChecks
internal import WharfCore
internal import WharfStorage

/// Random commits, removals, purges and reads, compared with a dictionary.
package enum EntityStoreModel {
    /// One operation on a store.
    package struct Step: Sendable {
        enum Operation: Sendable {
            case put
            case remove
            /// Several keys in one commit; the first one is removed.
            case several
            /// A commit that expects the version of the last read.
            case expecting
            case purge
            case read
        }

        let deed: Operation
        let account: Account?
        let id: Int
    }

    private static let step = Generator.zip(
        .frequency(
            (4, .just(Step.Operation.put)), (2, .just(.remove)), (2, .just(.several)), (4, .just(.expecting)),
            (1, .just(.purge)), (3, .just(.read))),
        .element(of: [nil, Account("me")]), .int(in: 0...4)
    ).map { Step(deed: $0, account: $1, id: $2) }

    /// The law that every step has the same outcome as in the model.
    ///
    /// It is not in ``EntityStoreLaws/all``, because the mutants of most laws break it too.
    package static let law = Law<EntityStoreLaws.Subject>(
        "commits, removals, purges and reads behave like the model", for: .array(of: step, count: 0...40), runs: 60
    ) { subject, steps in
        let store = try await subject.make()
        var model = try await Model(store)
        for (index, step) in steps.enumerated() { try await model.take(step, index, store) }
        try await model.compare(store, "at the end")
    }

    private struct Model {
        // `versions` has the last commit of each account, and `floors` its last purge. `states` has
        // the keys changed since then. `seen` has the versions that a read gave.
        var versions: [Account?: StoreVersion]
        var floors: [Account?: StoreVersion]
        var states: [EntityKey: EntityState] = [:]
        var seen: [EntityKey: StoreVersion] = [:]
        let start: [Account?: StoreVersion]

        init(_ store: any EntityStore) async throws {
            versions = try await store.states(of: Self.keys(nil) + Self.keys(Account("me"))).versions
            (floors, start) = (versions, versions)
        }

        static func key(_ account: Account?, _ id: Int) -> EntityKey {
            EntityKey(account: account, kind: id % 2 == 0 ? "note" : "draft", id: "\(id)")
        }

        static func keys(_ account: Account?) -> [EntityKey] { (0..<5).map { key(account, $0) } }

        func state(_ key: EntityKey) -> EntityState {
            states[key] ?? EntityState(row: nil, version: floors[key.account] ?? .none)
        }

        mutating func take(_ step: Step, _ index: Int, _ store: any EntityStore) async throws {
            let (account, key) = (step.account, Self.key(step.account, step.id))
            let row = EntityRow(key: key, bytes: [UInt8(index)], asOf: WallTime(nanoseconds: 1))
            switch step.deed {
            case .put: try await commit([.put(row)], [:], store, index)
            case .remove: try await commit([.remove(key)], [:], store, index)
            case .several:
                let others = Self.keys(account).filter { $0 != key }.prefix(2)
                let puts = others.map { EntityChange.put(EntityRow(key: $0, bytes: [UInt8(index)], asOf: row.asOf)) }
                try await commit([.remove(key)] + puts, [:], store, index)
            case .expecting: try await commit([.put(row)], [key: seen[key] ?? state(key).version], store, index)
            case .purge:
                let version = try await store.removeAll(of: account)
                versions[account] = versions[account]?.next
                floors[account] = versions[account]
                for key in Self.keys(account) { states[key] = nil }
                try require(version == versions[account], "step \(index): a purge got \(version)")
            case .read: try await compare(store, "step \(index)")
            }
        }

        private mutating func commit(
            _ changes: [EntityChange], _ expected: [EntityKey: StoreVersion], _ store: any EntityStore, _ index: Int
        ) async throws {
            let refused = expected.filter { state($0.key).version != $0.value }
            let outcome = try await store.commit(changes, expecting: expected)
            guard refused.isEmpty else {
                let states = Dictionary(uniqueKeysWithValues: refused.keys.map { ($0, state($0)) })
                try require(outcome == .refused(states), "step \(index): expecting \(expected) answered \(outcome)")
                // The next expectation is current, or each later one of this key would be refused
                // too.
                for key in refused.keys { seen[key] = nil }
                return
            }
            let account = changes[0].key.account
            let version = (versions[account] ?? .none).next
            versions[account] = version
            for change in changes {
                let row = if case .put(let row) = change { Optional(row) } else { EntityRow?.none }
                states[change.key] = EntityState(row: row, version: version)
            }
            try require(
                outcome == .committed([account: version]), "step \(index): after \(version) it answered \(outcome)")
        }

        mutating func compare(_ store: any EntityStore, _ place: String) async throws {
            let keys = Self.keys(nil) + Self.keys(Account("me"))
            let found = try await store.states(of: keys)
            try require(found.versions == versions, "\(place): versions \(found.versions), expected \(versions)")
            for key in keys {
                try require(
                    found[key] == state(key),
                    "\(place): \(key.id) of \(String(describing: key.account)) was \(String(describing: found[key])), expected \(state(key))"
                )
                seen[key] = state(key).version
            }
            for account in [nil, Account("me")] {
                let rows = states.filter { $0.key.account == account && $0.key.kind == "note" }.values
                let list = try await store.states(RowQuery(), of: account, kind: "note")
                let expected = rows.filter { $0.row != nil }
                try require(Set(list.states) == Set(expected), "\(place): a query answered \(list)")
                let feed = store.changes(of: account, since: floors[account] ?? .none)
                let received = await EntityStoreLaws.next(feed)
                let keys = Set(states.keys.filter { $0.account == account })
                switch received {
                case nil: try require(keys.isEmpty, "\(place): the feed told nothing of \(keys)")
                case .changes(let changes, _)?:
                    try require(Set(changes.keys) == keys, "\(place): the feed told \(changes), expected \(keys)")
                case .everything?:
                    try require(
                        floors[account] == StoreVersion.none, "\(place): the feed told everything since the floor")
                }
            }
        }
    }
}
