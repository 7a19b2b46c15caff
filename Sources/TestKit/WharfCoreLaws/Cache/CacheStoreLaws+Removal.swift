internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension CacheStoreLaws {
    private static let other = CacheKey(target: "https://example.com/b")

    static let removal: [Law<Subject>] = [
        Law("removing one variant leaves the others") { subject in
            let store = try await subject.roomy()
            let first = try await put(store, head("de", varying: [.acceptLanguage: "de"]), [1])
            try await put(store, head("en", varying: [.acceptLanguage: "en"]), [2])
            try await store.remove(first, under: key)
            try await store.remove(first, under: key)
            try await requireLabels(store, are: ["en"], "one was removed")
            try require(try await newestBody(store) == [2], "the other's body is gone")
        },
        Law("removing a key removes all its variants, and no other key") { subject in
            let store = try await subject.roomy()
            try await put(store, head("de", varying: [.acceptLanguage: "de"]), [1])
            try await put(store, head("en", varying: [.acceptLanguage: "en"]), [2])
            try await put(store, other, head("other"), [3])
            // The same target for another account.
            try await put(store, CacheKey(account: Account("1"), target: key.target), head("theirs"), [4])
            for _ in 1...2 {
                try await store.removeAll(under: key)
                try await requireLabels(store, are: [], "the key was removed")
            }
            try require(try await newestBody(store, other) == [3], "another key's response is gone")
            let theirs = CacheKey(account: Account("1"), target: key.target)
            try require(try await newestBody(store, theirs) == [4], "another account's response is gone")
        },
        Law("removing a key removes it for each top-level site") { subject in
            let store = try await subject.roomy()
            let sites = [nil, TopLevelSite(""), TopLevelSite("1")]
            for site in sites {
                for other in sites {
                    try await put(store, CacheKey(topLevelSite: other, target: key.target), head("x"), [1])
                }
                try await store.removeAll(under: CacheKey(topLevelSite: site, target: key.target))
                for other in sites {
                    try await requireLabels(
                        store, CacheKey(topLevelSite: other, target: key.target), are: [],
                        "the key was removed for \(String(describing: site))")
                }
            }
        },
        Law("removing an account removes its responses, and nothing else") { subject in
            for account in [nil, Account(""), Account("1")] {
                let store = try await subject.roomy()
                for (index, key) in differentKeys.enumerated() {
                    try await put(store, key, head("\(index)"), [UInt8(index)])
                }
                try await store.removeAll(of: account)
                for key in differentKeys {
                    let isThere = try await !variants(store, key).isEmpty
                    try require(
                        isThere == (key.account != account),
                        "after removing \(String(describing: account)), \(key) was \(isThere ? "there" : "gone")"
                    )
                }
            }
        },
        Law("a writer that began before the removal of its account commits nothing") { subject in
            let account = Account("1")
            let keys = [
                CacheKey(account: account, target: key.target),
                CacheKey(account: account, topLevelSite: TopLevelSite("2"), target: key.target),
                CacheKey(account: Account("2"), target: key.target), key,
            ]
            // A store may write a long body to another place than a short one. It may refuse the
            // late bytes, and accept a commit without them.
            for (length, isAppended) in [(3, true), (3, false), (300_000, true), (300_000, false)] {
                let store = try await subject.roomy()
                var begun: [any CacheWriter] = []
                for key in keys {
                    let writer = try await store.begin(key, head("begun"))
                    try await writer.append(pattern(length))
                    begun.append(writer)
                }
                try await store.removeAll(of: account)
                for (key, writer) in zip(keys, begun) {
                    let refusal = await refusal {
                        if isAppended { try await writer.append([1]) }
                        _ = try await writer.commit()
                    }
                    try require(
                        (refusal != nil) == (key.account == account),
                        "a commit under \(key) " + (refusal.map { "threw \($0)" } ?? "was accepted"))
                    try await requireLabels(store, key, are: refusal == nil ? ["begun"] : [], "the writer ended")
                }
                try await put(store, keys[0], head("later"), [2])
                try await requireLabels(store, keys[0], are: ["later"], "a writer began after the removal")
            }
        },
    ]
}
