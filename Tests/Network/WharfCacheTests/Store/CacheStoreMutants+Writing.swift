import Synchronization
import WharfCache
import WharfChecks
import WharfCore
import WharfStorage

extension CacheStoreMutants {
    static let visibility: [Mutant] = [
        mutant("shows what is short at once", breaks: "a response is invisible before its commit and whole after it") {
            store in
            let texts = store.remembersTexts()
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                var found = try await base.lookup(key, select: select)
                if found.variants.isEmpty, let text = texts.open(key).first(where: { 1...100 ~= $0.bytes.count }) {
                    found.variants = [StoredResponse(id: 0, head: text.head, length: Int64(text.bytes.count))]
                }
                return found
            }
        },
        mutant(
            "hides the old one while a new one is written",
            breaks: "a kept response stays readable until its successor is committed"
        ) { store in
            let texts = store.remembersTexts()
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                let hidden = texts.open(key).map(\.head.varying)
                var found = try await base.lookup(key, select: select)
                found.variants.removeAll { hidden.contains($0.head.varying) }
                return found
            }
        },
        mutant(
            "drops the bytes of a cancelled task",
            breaks: "a commit after a cancelled append stores all bytes before it, or none"
        ) { store in
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                WrongCacheWriter(
                    try await base.begin(key, head), OpenText(key, head),
                    append: { bytes, _ in Task.isCancelled ? [] : bytes })
            }
        },
        mutant(
            "commits what is abandoned", breaks: "an abandoned writer leaves no response and keeps the earlier one"
        ) { store in
            let abandoned = Mutex<[OpenText]>([])
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                WrongCacheWriter(
                    try await base.begin(key, head), OpenText(key, head),
                    abandon: { text in abandoned.withLock { $0.append(text) } })
            }
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                let texts = abandoned.withLock { texts in
                    defer { texts = [] }
                    return texts
                }
                for text in texts where !text.bytes.isEmpty { try await base.put(text.key, text.head, text.bytes) }
                return try await base.lookup(key, select: select)
            }
        },
        mutant("commits what is let go", breaks: "a writer that is released without a commit leaves no response") {
            store in
            let texts = store.remembersTexts()
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                for text in texts.takeLetGo() { try await base.put(text.key, text.head, text.bytes) }
                return try await base.lookup(key, select: select)
            }
        },
        mutant("commits under the head of the beginning", breaks: underAnotherHead) { store in
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                WrongCacheWriter(try await base.begin(key, head), OpenText(key, head), head: { _ in nil })
            }
        },
        mutant("says yes after its end", breaks: "a writer refuses bytes and commits after its end") { store in
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                AgreeableWriter(base: try await base.begin(key, head))
            }
        },
    ]

    private static let underAnotherHead = "a commit under another head has its bytes and no trace of the first head"

    static let bodies: [Mutant] = [
        mutant("counts pieces in a byte", breaks: "a body is given whole and unchanged") { store in
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                WrongCacheWriter(
                    try await base.begin(key, head), OpenText(key, head),
                    append: { bytes, text in text.pieces < 256 ? bytes : [] })
            }
        },
        mutant(
            "joins fields of one name",
            breaks: "fields are kept in their order, doubled ones too, and times to the nanosecond"
        ) { store in
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                var joined = head
                for field in head.response.headerFields {
                    joined.response.headerFields[field.name] = head.response.headerFields[field.name]
                }
                return try await base.begin(key, joined)
            }
        },
        mutant("mixes what two have written", breaks: "concurrent writers leave one whole response") { store in
            let texts = OpenTexts()
            let mixed = Mutex<Set<CacheKey>>([])
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                let writer = WrongCacheWriter(try await base.begin(key, head), OpenText(key, head)) { bytes, _ in
                    mixed.withLock { $0.contains(key) } ? Array(bytes.dropFirst()) : bytes
                }
                texts.add(writer)
                await letOthersRun(chances: 20) { texts.open(key).count > 1 }
                if texts.open(key).count > 1 { mixed.withLock { _ = $0.insert(key) } }
                return writer
            }
        },
    ]
}

extension WrongCacheStore {
    /// Records the responses that are being written.
    fileprivate mutating func remembersTexts() -> OpenTexts {
        let texts = OpenTexts()
        begin = { [base] (key, head) async throws(StoreError) in
            let writer = WrongCacheWriter(try await base.begin(key, head), OpenText(key, head))
            texts.add(writer)
            return writer
        }
        return texts
    }
}

private final class AgreeableWriter: CacheWriter {
    private let base: any CacheWriter
    private let committed = Mutex<StoredResponse.ID?>(nil)

    init(base: any CacheWriter) { self.base = base }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        if committed.withLock({ $0 }) == nil { try await base.append(bytes) }
    }

    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        if let id = committed.withLock({ $0 }) { return id }
        let id = try await base.commit(as: head)
        committed.withLock { $0 = id }
        return id
    }

    func abandon() { base.abandon() }
}
