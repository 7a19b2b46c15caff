internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension CacheStoreLaws {
    private static func key(_ name: String) -> CacheKey { CacheKey(target: "https://example.com/\(name)") }

    /// Three bodies of this size and their heads are below the limit; four are not.
    private static let size = 30_000
    private static let limit = 100_000

    static let limits: [Law<Subject>] = [
        Law("the least recently used response is evicted first when the limit is passed") { subject in
            let store = try await subject.make(limit)
            for name in ["a", "b", "c"] { try await put(store, key(name), head(name), pattern(size)) }
            for name in ["a", "b", "c"] {
                try require(try await newestBody(store, key(name)) == pattern(size), "\(name) went below the limit")
            }
            // Now "b" is the one that was looked up longest ago, though "a" was stored before it.
            _ = try await newestBody(store, key("a"))
            try await put(store, key("d"), head("d"), pattern(size, seed: 4))
            try require(try await variants(store, key("b")).isEmpty, "the one that was looked up longest ago stayed")
            try require(try await newestBody(store, key("a")) == pattern(size), "one that was looked up since went")
            try require(try await newestBody(store, key("d")) == pattern(size, seed: 4), "the newest went")
        },
        Law("the kept responses stay below the limit") { subject in
            let store = try await subject.make(limit)
            for index in 0..<60 {
                let body = pattern(1 + index * 977 % 40_000)
                try await put(store, key("\(index % 23)"), head("\(index)"), body)
                try require(
                    try await newestBody(store, key("\(index % 23)")) == body, "a response that fits was not kept"
                )
            }
            var total: Int64 = 0
            for index in 0..<23 { total += try await variants(store, key("\(index)")).reduce(0) { $0 + $1.length } }
            try require(total <= Int64(limit), "bodies of \(total) bytes are kept under a limit of \(limit)")
        },
        Law("bodies without a byte count toward the limit by their heads") { subject in
            let store = try await subject.make(limit / 5)
            for index in 0..<800 { try await put(store, key("\(index)"), head("\(index)"), []) }
            var kept = 0
            for index in 0..<800 { kept += try await variants(store, key("\(index)")).count }
            // A head and its key take at least the length of their texts.
            try require(kept <= 400, "\(kept) heads are kept under a limit of \(limit / 5) bytes")
            try await requireLabels(store, key("799"), are: ["799"], "the newest went")
        },
        Law("a response beyond the limit is refused and takes nothing away") { subject in
            let store = try await subject.make(limit)
            for name in ["a", "b"] { try await put(store, key(name), head(name), pattern(size)) }
            let refused = await refusal {
                try await put(store, key("c"), head("c"), pattern(limit + 1), inPiecesOf: 10_000)
            }
            try require((refused as? StoreError)?.code == .tooLarge, "it answered \(String(describing: refused))")
            try require(try await variants(store, key("c")).isEmpty, "a response beyond the limit is kept")
            for name in ["a", "b"] {
                try require(try await newestBody(store, key(name)) == pattern(size), "\(name) was taken away for it")
            }
            let replaced = await refusal { try await put(store, key("a"), head("a2"), pattern(limit + 1)) }
            try require(replaced != nil, "it was kept in place of another")
            try await requireLabels(store, key("a"), are: ["a"], "a refused response replaced one that is kept")
        },
        Law("replaced and removed responses free their room") { subject in
            let store = try await subject.make(limit)
            try await put(store, key("a"), head("a"), pattern(size))
            for seed in UInt8(1)...20 { try await put(store, key("b"), head("b"), pattern(size, seed: seed)) }
            try require(try await newestBody(store, key("a")) == pattern(size), "replacing took another's room")
            // Twenty times the size of one response: a store that does not give back room evicts
            // "a".
            for _ in 1...20 {
                let id = try await put(store, key("c"), head("c"), pattern(size))
                try await store.remove(id, under: key("c"))
                try await put(store, key("c"), head("c"), pattern(size))
                try await store.removeAll(under: key("c"))
            }
            try require(try await newestBody(store, key("a")) == pattern(size), "what was removed still took room")
        },
    ]

    static let durability: [Law<Subject>] = [
        Law("committed responses survive reopening, and nothing else does") { subject in
            guard let reopen = subject.reopen else { return }
            var store = try await subject.roomy()
            let id = try await put(store, key("a"), head("a"), pattern(300_000), inPiecesOf: 9_973)
            try await put(store, key("b"), head("b"), [1])
            try await store.removeAll(under: key("b"))
            // Still open when the store is reopened, as after a kill.
            let open = try await store.begin(key("c"), head("c"))
            try await open.append(pattern(100_000))
            store = try await reopen(store)
            try require(try await variants(store, key("a")).map(\.id) == [id], "a committed response is gone")
            try require(try await variants(store, key("a")).first?.head == head("a"), "its head changed")
            try require(try await newestBody(store, key("a")) == pattern(300_000), "its body changed")
            try require(try await variants(store, key("b")).isEmpty, "a removed response came back")
            try require(try await variants(store, key("c")).isEmpty, "a response came back that was never committed")
            open.abandon()
        },
        Law("an id is never used again, also after reopening") { subject in
            guard let reopen = subject.reopen else { return }
            var store = try await subject.roomy()
            let first = try await put(store, key("a"), head("a"), [1])
            try await store.removeAll(of: nil)
            store = try await reopen(store)
            let second = try await put(store, key("a"), head("a"), [1])
            try require(first != second, "\(first) was given a second time")
        },
    ]
}
