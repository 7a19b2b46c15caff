internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension CacheStoreLaws {
    private static func key(_ name: String) -> CacheKey { CacheKey(target: "https://example.com/\(name)") }

    /// The laws of ``InspectableCacheStore``. A store that can't be listed keeps them.
    static let inspection: [Law<Subject>] = [
        Law("a list names each committed response once, in the order of use") { subject in
            guard let store = try await subject.roomy() as? any InspectableCacheStore else { return }
            try require(try await listed(store).isEmpty, "an empty store lists entries")
            try await put(store, key("a"), head("old"), [1])
            let other = CacheKey(account: Account("ada"), method: "QUERY", target: key("b").target)
            try await put(store, other, head("b"), [1, 2])
            try await put(store, key("a"), head("a"), [1, 2, 3])
            try await put(store, key("a"), head("sv", varying: [.acceptLanguage: "sv"]), [])
            try await put(store, key("c"), head("c"), [1])
            // An open writer is not listed.
            let open = try await store.begin(key("d"), head("d"))
            try await open.append([1])
            _ = try await store.lookup(key("a")) { all in
                all.first { $0.head.varying.isEmpty }.map { CacheSelection(id: $0.id) }
            }
            let found = try await listed(store)
            let labels = found.map { $0.head.response.headerFields[.eTag] ?? "" }
            try require(labels == ["a", "c", "sv", "b"], "expected a, c, sv and b, found \(labels)")
            try require(found.map(\.bodyLength) == [3, 1, 0, 2], "the lengths are \(found.map(\.bodyLength))")
            try require(found[3].key == other, "the key is \(found[3].key)")
            for entry in found {
                let variant = try await variants(store, entry.key).first { $0.id == entry.id }
                try require(variant?.head == entry.head, "the head of \(entry.id) is that of another response")
            }
            open.abandon()
        },
        Law("pages of a list leave no gap and repeat nothing") { subject in
            guard let store = try await subject.roomy() as? any InspectableCacheStore else { return }
            for index in 0..<7 { try await put(store, key("\(index)"), head("\(index)"), [1]) }
            let whole = try await listed(store).map(\.id)
            for size in [1, 2, 3, 7, 8] {
                var ids: [StoredResponse.ID] = []
                var page = try await store.entries(usedBefore: nil, limit: size)
                while let last = page.last, ids.count <= whole.count {
                    try require(page.count <= size, "a page of \(size) has \(page.count) entries")
                    ids += page.map(\.id)
                    page = try await store.entries(usedBefore: last.lastUse, limit: size)
                }
                try require(ids == whole, "pages of \(size): expected \(whole), found \(ids)")
            }
            let first = try await store.entries(usedBefore: nil, limit: 3)
            try await store.removeAll(under: key("4"))
            let next = try await store.entries(usedBefore: first.last?.lastUse, limit: 4).map(\.id)
            try require(next == Array(whole.dropFirst(3)), "the page after a removed entry: \(next)")
        },
        Law("to list a response and to read a listed body is no use") { subject in
            guard let store = try await subject.make(100_000) as? any InspectableCacheStore else { return }
            for name in ["a", "b", "c"] { try await put(store, key(name), head(name), pattern(30_000)) }
            let before = try await listed(store)
            let oldest = try require(before.last, "nothing is listed")
            _ = try await store.body(of: oldest)?.collect()
            let after = try await listed(store)
            try require(after.map(\.id) == before.map(\.id), "the order became \(after.map(\.id))")
            try await put(store, key("d"), head("d"), pattern(30_000))
            try require(try await variants(store, key("a")).isEmpty, "the least recently used entry was not evicted")
        },
        Law("a listed body is complete, and nil when its response is gone") { subject in
            guard let store = try await subject.roomy() as? any InspectableCacheStore else { return }
            let bytes = pattern(300_000)
            try await put(store, key("a"), head("a"), bytes, inPiecesOf: 9_973)
            try await put(store, key("a"), head("sv", varying: [.acceptLanguage: "sv"]), [1])
            let entry = try require(try await listed(store).last, "nothing is listed")
            try require(try await store.body(of: entry)?.collect() == bytes, "the body differs")
            try await store.remove(entry.id, under: entry.key)
            try require(try await store.body(of: entry) == nil, "a removed response has a body")
        },
        Law("the statistics count what is listed") { subject in
            guard let store = try await subject.make(1 << 20) as? any InspectableCacheStore else { return }
            for index in 0..<5 { try await put(store, key("\(index)"), head("\(index)"), pattern(index * 1000)) }
            try await store.removeAll(under: key("3"))
            let entries = try await listed(store)
            let found = try await store.statistics()
            try require(found.entryCount == 4, "expected 4 entries, found \(found.entryCount)")
            let bytes = entries.reduce(0) { $0 + $1.byteCount }
            try require(found.byteCount == bytes, "expected \(bytes) bytes, found \(found.byteCount)")
            try require(found.byteLimit == 1 << 20, "the limit is \(String(describing: found.byteLimit))")
            for entry in entries {
                try require(entry.byteCount > entry.bodyLength, "the head of \(entry.id) counts no byte")
            }
        },
    ]

    private static func listed(_ store: any InspectableCacheStore) async throws -> [CacheEntry] {
        try await store.entries(usedBefore: nil, limit: .max)
    }
}
