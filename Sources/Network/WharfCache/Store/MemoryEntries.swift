internal import WharfCore
internal import WharfStorage

/// The state of a ``MemoryCacheStore``: an entry of variants per key, and the recency list.
struct MemoryEntries: Sendable {
    /// The variants of one key, the last stored one first. An entry is immutable, and is replaced
    /// as a whole.
    final class KeyEntry: Sendable {
        let key: CacheKey
        let variants: [StoredResponse]
        let bodies: [[UInt8]]
        /// The place of each variant in the recency list.
        let places: [RecencyList.Place]

        init(_ key: CacheKey, variants: [StoredResponse], bodies: [[UInt8]], places: [RecencyList.Place]) {
            self.key = key
            self.variants = variants
            self.bodies = bodies
            self.places = places
        }
    }

    let byteLimit: Int
    // Invariants: `total` is the sum of the costs in `recency`. Each variant has exactly one node,
    // at its place. `total` is at most `byteLimit` after each call.
    private(set) var total = 0
    /// Entries by target: dictionaries with string keys are the fastest, and few keys share a
    /// target.
    private var entries: [String: [KeyEntry]] = [:]
    private(set) var recency = RecencyList()
    private var lastID: StoredResponse.ID = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    func entry(_ key: CacheKey) -> KeyEntry? {
        guard let sameTarget = entries[key.target] else { return nil }
        return sameTarget.first {
            $0.key.method == key.method && $0.key.account == key.account && $0.key.topLevelSite == key.topLevelSite
        }
    }

    private mutating func put(_ entry: KeyEntry?, _ key: CacheKey) {
        var sameTarget = entries[key.target] ?? []
        sameTarget.removeAll { $0.key == key }
        if let entry { sameTarget.append(entry) }
        entries[key.target] = sameTarget.isEmpty ? nil : sameTarget
    }

    mutating func touch(_ place: RecencyList.Place, _ id: StoredResponse.ID) { recency.touch(place, id) }

    mutating func insert(
        _ key: CacheKey, _ head: StoredHead, _ body: [UInt8]
    ) -> (id: StoredResponse.ID, evictions: [CacheEviction]) {
        if let entry = entry(key) {
            // One variant for each set of `Vary` values (RFC 9111 §4.1).
            let replaced = entry.variants.filter { $0.head.varying == head.varying }.map(\.id)
            remove(under: key) { replaced.contains($0) }
        }
        // Ids only grow, so a late `touch`, `update` or `remove` never meets another response.
        lastID += 1
        let stored = StoredResponse(id: lastID, head: head, length: Int64(body.count))
        let cost = Self.cost(key, head) + body.count
        let place = recency.insert(key, stored.id, cost: cost)
        total += cost
        // Read after the removal.
        let rest = entry(key)
        let entry = KeyEntry(
            key, variants: [stored] + (rest?.variants ?? []), bodies: [body] + (rest?.bodies ?? []),
            places: [place] + (rest?.places ?? [])
        )
        put(entry, key)
        return (stored.id, evict())
    }

    mutating func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) -> [CacheEviction] {
        guard let known = entry(key), known.variants.contains(where: { $0.id == id }) else { return [] }
        // The new head may have another Vary and equal the key of another variant.
        let twins = known.variants.filter { $0.id != id && $0.head.varying == head.varying }.map(\.id)
        remove(under: key) { twins.contains($0) }
        // Places and indices have changed by the removal.
        guard let entry = entry(key), let index = entry.variants.firstIndex(where: { $0.id == id }) else { return [] }
        let cost = Self.cost(key, head) + entry.bodies[index].count
        total += cost - recency.setCost(entry.places[index], cost)
        var variants = entry.variants
        variants[index].head = head
        put(KeyEntry(key, variants: variants, bodies: entry.bodies, places: entry.places), key)
        return evict()
    }

    mutating func remove(under key: CacheKey, where gone: (StoredResponse.ID) -> Bool) {
        guard let entry = entry(key) else { return }
        let (removed, left) = entry.variants.indices.reduce(into: ([Int](), [Int]())) { parts, index in
            if gone(entry.variants[index].id) { parts.0.append(index) } else { parts.1.append(index) }
        }
        guard !removed.isEmpty else { return }
        for index in removed { total -= recency.remove(entry.places[index]) }
        guard !left.isEmpty else {
            put(nil, key)
            return
        }
        let rest = KeyEntry(
            key, variants: left.map { entry.variants[$0] }, bodies: left.map { entry.bodies[$0] },
            places: left.map { entry.places[$0] }
        )
        put(rest, key)
    }

    mutating func removeAll(under key: CacheKey) {
        for entry in entries[key.target] ?? [] {
            guard entry.key.method == key.method, entry.key.account == key.account else { continue }
            remove(under: entry.key) { _ in true }
        }
    }

    mutating func removeAll(of account: Account?) {
        // The loop walks a copy, because `remove` changes the dictionary.
        for entry in entries.values.joined() where entry.key.account == account {
            remove(under: entry.key) { _ in true }
        }
    }

    private mutating func evict() -> [CacheEviction] {
        var evictions: [CacheEviction] = []
        while total > byteLimit, let (key, id) = recency.oldest {
            let before = total
            remove(under: key) { $0 == id }
            evictions.append(CacheEviction(key: key, byteCount: Int64(before - total), reason: .byteLimit))
        }
        return evictions
    }

    /// Returns the bytes that a head counts for: its text, and 256 for the surrounding arrays, list
    /// and dictionary.
    static func cost(_ key: CacheKey, _ head: StoredHead) -> Int {
        var cost = 256 + key.target.utf8.count + key.method.utf8.count + (key.account?.name.utf8.count ?? 0)
        cost += key.topLevelSite?.name.utf8.count ?? 0
        for fields in [head.response.headerFields, head.varying] {
            for field in fields { cost += field.name.rawName.utf8.count + field.value.utf8.count }
        }
        return cost
    }
}
