internal import Synchronization
internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension CacheStoreLaws {
    private static let german: HTTPFields = [.acceptLanguage: "de"]
    private static let english: HTTPFields = [.acceptLanguage: "en"]

    static let variants: [Law<Subject>] = [
        Law("a commit replaces the variant with the same varying, and no other") { subject in
            let store = try await subject.roomy()
            try await put(store, head("de1", varying: german), [1])
            try await put(store, head("en1", varying: english), [2])
            try await put(store, head("none"), [3])
            try await put(store, head("empty", varying: [.acceptLanguage: ""]), [4])
            try await requireLabels(store, are: ["empty", "none", "en1", "de1"], "variants with different varying")
            try await put(store, head("de2", varying: german), [5])
            try await requireLabels(store, are: ["de2", "empty", "none", "en1"], "after a second German one")
        },
        Law("variants are listed with the most recently stored first") { subject in
            let store = try await subject.roomy()
            try await put(store, head("de1", varying: german), [1])
            try await put(store, head("en1", varying: english), [2])
            // A lookup counts as a use, but must not change the order of the list.
            _ = try await newestBody(store)
            let oldest = try require(try await variants(store).last, "a variant is gone")
            try require(oldest.head.varying == german, "the oldest came before the newest")
            _ = try await body(store, oldest.id)
            try await requireLabels(store, are: ["en1", "de1"], "a look changed the order")
            try await put(store, head("de2", varying: german), [3])
            try await requireLabels(store, are: ["de2", "en1"], "one was stored anew")
        },
        Law("a lookup gives the body of the selected variant, and asks once") { subject in
            let store = try await subject.roomy()
            let ids = [
                try await put(store, head("de", varying: german), pattern(5_000, seed: 1)),
                try await put(store, head("en", varying: english), pattern(7_000, seed: 2)),
            ]
            for (id, expected) in zip(ids, [pattern(5_000, seed: 1), pattern(7_000, seed: 2)]) {
                let calls = Mutex(0)
                let found = try await store.lookup(key) { _ in
                    calls.withLock { $0 += 1 }
                    return CacheSelection(id: id)
                }
                try require(calls.withLock { $0 } == 1, "it asked \(calls.withLock { $0 }) times")
                try require(try await found.body?.collect() == expected, "the body belongs to another variant")
            }
            let none = try await store.lookup(key) { _ in nil }
            try require(none.body == nil, "a body came when none was selected")
            let unknown = try await store.lookup(key) { CacheSelection(id: ($0.map(\.id).max() ?? 0) + 1_000) }
            try require(unknown.body == nil, "a body came for an id that is not kept")
        },
        Law("keys that differ in account, site, method or target are separate") { subject in
            let store = try await subject.roomy()
            let keys = differentKeys
            for (index, key) in keys.enumerated() {
                try await put(store, key, head("\(index)"), [UInt8(index)])
            }
            for (index, key) in keys.enumerated() {
                try await requireLabels(store, key, are: ["\(index)"], "other keys were stored")
                try require(try await newestBody(store, key) == [UInt8(index)], "\(key) holds another's body")
            }
        },
        Law("an id is never used again") { subject in
            let store = try await subject.roomy()
            var seen: Set<StoredResponse.ID> = []
            // After each way to remove, since a store that counts rows would start again there.
            for round in 0..<6 {
                for varying in [german, english] {
                    let id = try await put(store, head("\(round)", varying: varying), [UInt8(round)])
                    try require(seen.insert(id).inserted, "\(id) was given a second time")
                }
                switch round % 3 {
                case 0: try await store.removeAll(under: key)
                case 1: try await store.removeAll(of: nil)
                default: for variant in try await variants(store) { try await store.remove(variant.id, under: key) }
                }
            }
        },
        Law("an update changes the head and keeps the body, the id and the others") { subject in
            let store = try await subject.roomy()
            let id = try await put(store, head("de1", varying: german), [1, 2, 3])
            try await put(store, head("en", varying: english), [4])
            var changed = head("de2", varying: german)
            changed.respondedAt = WallTime(nanoseconds: 77)
            try await store.update(id, under: key, to: changed)
            let updated = try require(try await variants(store).first { $0.id == id }, "the response is gone")
            try require(updated.head == changed, "the head is \(updated.head)")
            try require(updated.length == 3, "its length became \(updated.length)")
            try require(try await body(store, id) == [1, 2, 3], "its body changed")
            try require(Set(try await labels(store)) == ["de2", "en"], "another variant changed")
        },
        Law("an update takes the place of a variant with the same varying") { subject in
            let store = try await subject.roomy()
            let id = try await put(store, head("old", varying: german), [1])
            try await put(store, head("twin", varying: english), [2])
            // Now its varying equals that of the twin. Two would be selected by the same request.
            try await store.update(id, under: key, to: head("new", varying: english))
            try await requireLabels(store, are: ["new"], "two variants have the same varying")
            try require(try await body(store, id) == [1], "its body changed")
        },
        Law("an update of a response that is gone does nothing") { subject in
            let store = try await subject.roomy()
            let gone = try await put(store, head("gone"), [1])
            try await store.remove(gone, under: key)
            try await store.update(gone, under: key, to: head("back"))
            try await requireLabels(store, are: [], "it was updated after its end")
            try await put(store, head("other"), [2])
            try await store.update(gone, under: key, to: head("back"))
            try await requireLabels(store, are: ["other"], "it changed another response")
        },
    ]

    static let differentKeys: [CacheKey] = [
        CacheKey(target: "https://example.com/a"),
        CacheKey(account: Account(""), target: "https://example.com/a"),
        CacheKey(account: Account("1"), target: "https://example.com/a"),
        CacheKey(account: Account("2"), target: "https://example.com/a"),
        CacheKey(topLevelSite: TopLevelSite(""), target: "https://example.com/a"),
        CacheKey(topLevelSite: TopLevelSite("1"), target: "https://example.com/a"),
        CacheKey(topLevelSite: TopLevelSite("2"), target: "https://example.com/a"),
        CacheKey(account: Account("1"), topLevelSite: TopLevelSite("2"), target: "https://example.com/a"),
        CacheKey(account: Account("12"), topLevelSite: TopLevelSite(""), target: "https://example.com/a"),
        CacheKey(account: Account("1.2"), target: "https://example.com/a"),
        CacheKey(method: "HEAD", target: "https://example.com/a"),
        CacheKey(method: "get", target: "https://example.com/a"),
        CacheKey(target: "https://example.com/a?"),
        CacheKey(target: "https://example.com/A"),
        CacheKey(target: "https://example.com/a\u{301}"),
        CacheKey(target: "https://example.com/%"),
        CacheKey(target: "http://example.com/a"),
    ]
}
