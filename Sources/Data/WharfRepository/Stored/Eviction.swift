internal import WharfCore
internal import WharfPrimitives

/// A plan of the rows to evict so that the remaining rows are within limits.
///
/// A pure value: it reads no store.
struct Eviction {
    private let models: [EntityRow]
    private let lists: [EntityRow]
    private let members: [EntityKey: [UTF8Key]]
    private var protected: Set<UTF8Key> = []
    private var protectedLists: Set<EntityKey> = []

    init(models: [EntityRow], lists: [EntityRow]) {
        self.models = models
        self.lists = lists
        members = Dictionary(lists.map { ($0.key, (ListRow.ids($0) ?? []).map(UTF8Key.init)) }) { first, _ in first }
    }

    /// - Parameter id: the text of a model's id.
    mutating func protect(_ id: String) { protected.insert(UTF8Key(id)) }

    /// Protects a list and its members.
    mutating func protect(list: EntityKey) {
        protectedLists.insert(list)
        protected.formUnion(members[list] ?? [])
    }

    func evict(_ limits: EvictionLimits, at now: WallTime) -> EvictionResult {
        var going = EvictionPlan(models, lists, members)
        // Each row is judged by the remaining counts, so a list that went with its member counts
        // for the rows behind it.
        for (isModel, row) in order() {
            // A row goes if one limit asks for it. `going` counts the rows that are left.
            let isOld = limits.age.map { now - row.asOf > $0 } ?? false
            let isTooMany = isModel && limits.count.map { going.count > $0 } ?? false
            let isTooMuch = limits.bytes.map { going.bytes > $0 } ?? false
            if isOld || isTooMany || isTooMuch { going.take(row, isModel: isModel) }
        }
        return going.evicted
    }

    /// Returns the rows that may be evicted, the earliest `asOf` first.
    ///
    /// At the same `asOf` a list comes before a model, because one request brings the list back.
    private func order() -> [(isModel: Bool, row: EntityRow)] {
        let rows =
            lists.filter { !protectedLists.contains($0.key) }.map { (isModel: false, row: $0) }
            + models.filter { !protected.contains(UTF8Key($0.key.id)) }.map { (isModel: true, row: $0) }
        return rows.sorted { a, b in
            (a.row.asOf, a.isModel ? 1 : 0, a.row.key.id) < (b.row.asOf, b.isModel ? 1 : 0, b.row.key.id)
        }
    }
}

/// The rows evicted so far, with the count and the bytes of those that remain.
private struct EvictionPlan {
    private(set) var count: Int
    private(set) var bytes: Int
    private let lists: [EntityKey: EntityRow]
    /// The lists that contain a model, by the model's id.
    private let listsByMember: [UTF8Key: [EntityKey]]
    private let bytesBefore: Int
    private var models: [EntityKey] = []
    private var gone: [EntityKey] = []
    private var isGone: Set<EntityKey> = []

    init(_ models: [EntityRow], _ lists: [EntityRow], _ members: [EntityKey: [UTF8Key]]) {
        count = models.count
        bytes = (models + lists).reduce(0) { $0 + $1.bytes.count }
        bytesBefore = bytes
        self.lists = Dictionary(lists.map { ($0.key, $0) }) { first, _ in first }
        var listsByMember: [UTF8Key: [EntityKey]] = [:]
        for (list, ids) in members {
            for id in ids { listsByMember[id, default: []].append(list) }
        }
        self.listsByMember = listsByMember
    }

    var evicted: EvictionResult { EvictionResult(models: models, lists: gone, bytes: bytesBefore - bytes) }

    mutating func take(_ row: EntityRow, isModel: Bool) {
        guard isModel else { return take(list: row) }
        count -= 1
        bytes -= row.bytes.count
        models.append(row.key)
        // A list without one of its members would differ from the answer of the source, so it goes
        // too.
        for key in listsByMember[UTF8Key(row.key.id)] ?? [] {
            if let list = lists[key] { take(list: list) }
        }
    }

    private mutating func take(list: EntityRow) {
        // A list has several members. Its bytes count once.
        guard isGone.insert(list.key).inserted else { return }
        bytes -= list.bytes.count
        gone.append(list.key)
    }
}
