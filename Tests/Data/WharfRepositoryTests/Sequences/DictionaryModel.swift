import WharfCore

/// A reference model of a stored repository: the rules of ``ReadPolicy`` over dictionaries.
///
/// Values are in two places. Any writer may change the store. The memory of one repository holds
/// values that must not be stored. If both have a value, the one that the origin confirmed later is
/// the known one.
struct DictionaryModel {
    typealias Page = Operation.Page

    struct Held<Value> {
        var value: Value
        var asOf: WallTime
        var staleAt: WallTime?

        func isFresh(at now: WallTime) -> Bool { staleAt.map { now < $0 } ?? false }
    }

    /// The expected result of a read. A single model is a list of one.
    struct Expected: Equatable {
        var models: [String]?
        var asOf: WallTime?
        var isFresh: Bool?
        var isFromNetwork: Bool?
        var error: ReadFailure.Code?
        var requests: Int
    }

    let timeToLive: Duration?
    var now: WallTime
    var isOnline = true
    var service: [Int: String] = [1: "a", 2: "b"]
    var failure: Operation.Failure?
    var forbidsStoring = false

    /// Model names by id: the rows of the store, and the values that only this repository's memory
    /// has.
    private var rows: [Int: Held<String>] = [:]
    private var memory: [Int: Held<String>] = [:]
    /// The ids whose last answer was a 401. The snapshots of their observers may differ from the
    /// known value.
    private(set) var unauthorized: Set<Int> = []
    /// Lists in the store are ids. Lists in memory alone contain their members.
    private var lists: [Page: Held<[Int]>] = [:]
    private var memoryLists: [Page: Held<[Int: String]>] = [:]

    static let lifetime = Duration.seconds(60)

    init(timeToLive: Duration?, now: WallTime) {
        self.timeToLive = timeToLive
        self.now = now
    }

    // MARK: What is known

    func known(_ id: Int) -> Held<String>? { newest(rows[id], memory[id]) }

    func isInMemoryAlone(_ id: Int) -> Bool { memory[id] != nil }

    private func knownText(_ id: Int) -> Held<[String]>? {
        known(id).map { Held(value: ["\(id):\($0.value)"], asOf: $0.asOf, staleAt: $0.staleAt) }
    }

    private func knownText(_ page: Page) -> Held<[String]>? {
        let stored = lists[page].map { list in
            // A member that is missing from the store is missing from the list.
            let members = list.value.compactMap { id in rows[id].map { "\(id):\($0.value)" } }
            return Held(value: members, asOf: list.asOf, staleAt: list.staleAt)
        }
        let inMemory = memoryLists[page].map { list in
            Held(value: text(page.ids(of: list.value), list.value), asOf: list.asOf, staleAt: list.staleAt)
        }
        return newest(stored, inMemory)
    }

    private func newest<Value>(_ a: Held<Value>?, _ b: Held<Value>?) -> Held<Value>? {
        guard let a, let b else { return a ?? b }
        return a.asOf < b.asOf ? b : a
    }

    private func text(_ ids: [Int], _ names: [Int: String]) -> [String] { ids.map { "\($0):\(names[$0] ?? "")" } }

    // MARK: Reads

    mutating func read(_ id: Int, _ policy: ReadPolicy) -> Expected {
        read(policy, knownText(id)) { model in
            if let failure = model.failure {
                if failure.saysGone { model.forget(id) }
                if failure == .unauthorized { model.unauthorized.insert(id) }
                return .failure(failure)
            }
            guard let name = model.service[id] else {
                model.forget(id)
                return .failure(.notFound)
            }
            let held = model.answered(name)
            if model.forbidsStoring { model.memory[id] = held } else { model.store(id, held) }
            model.unauthorized.remove(id)
            return .value(Held(value: ["\(id):\(name)"], asOf: held.asOf, staleAt: held.staleAt))
        }
    }

    mutating func read(_ page: Page, _ policy: ReadPolicy) -> Expected {
        read(policy, knownText(page)) { model in
            if let failure = model.failure {
                if failure.saysGone { (model.lists[page], model.memoryLists[page]) = (nil, nil) }
                return .failure(failure)
            }
            let ids = page.ids(of: model.service)
            let names = model.service.filter { ids.contains($0.key) }
            if model.forbidsStoring {
                model.memoryLists[page] = model.answered(names)
            } else {
                for (id, name) in names { model.store(id, model.answered(name)) }
                (model.lists[page], model.memoryLists[page]) = (model.answered(ids), nil)
            }
            return .value(model.answered(model.text(ids, names)))
        }
    }

    private enum Answer {
        case value(Held<[String]>)
        case failure(Operation.Failure)
    }

    /// Applies the table of ``ReadPolicy``.
    private mutating func read(
        _ policy: ReadPolicy, _ known: Held<[String]>?, ask: (inout Self) -> Answer
    ) -> Expected {
        let isFresh = known?.isFresh(at: now) == true
        if policy == .cacheOnly { return expected(known, known == nil ? .nothingKept : nil) }
        if known != nil, policy == .cacheFirst { return expected(known) }
        if isFresh, policy == .standard { return expected(known) }
        let fallback = policy == .networkOnly ? nil : known
        guard isOnline else { return expected(fallback, .offline) }
        switch ask(&self) {
        case .value(let held): return expected(held, isFromNetwork: true, requests: 1)
        case .failure(let failure):
            return expected(failure.isAnswer ? nil : fallback, failure.failure.code, requests: 1)
        }
    }

    private func expected(
        _ held: Held<[String]>?, _ error: ReadFailure.Code? = nil, isFromNetwork: Bool = false, requests: Int = 0
    ) -> Expected {
        Expected(
            models: held?.value, asOf: held?.asOf, isFresh: held?.isFresh(at: now),
            isFromNetwork: held.map { _ in isFromNetwork }, error: error, requests: requests)
    }

    private func answered<Value>(_ value: Value) -> Held<Value> {
        Held(value: value, asOf: now, staleAt: now + (timeToLive ?? Self.lifetime))
    }

    // MARK: Writes

    /// A newer value stays in memory.
    private mutating func store(_ id: Int, _ held: Held<String>) {
        rows[id] = held
        if let older = memory[id], older.asOf <= held.asOf { memory[id] = nil }
        if memory[id] == nil { unauthorized.remove(id) }
    }

    private mutating func forget(_ id: Int) { (rows[id], memory[id]) = (nil, nil) }

    mutating func anotherCommits(_ id: Int, _ name: String, asOf: WallTime, staleAt: WallTime?) {
        store(id, Held(value: name, asOf: asOf, staleAt: staleAt))
    }

    /// Removes a row. An undecodable row has the same effect as a missing one.
    mutating func anotherRemoves(_ id: Int) { rows[id] = nil }

    mutating func receive(_ id: Int, _ name: String, asOf: WallTime) {
        if let row = rows[id], row.asOf > asOf { return }
        store(id, Held(value: name, asOf: asOf, staleAt: timeToLive.map { asOf + $0 }))
    }

    mutating func invalidate(_ target: Operation.Target) {
        func covers(_ id: Int, _ name: String) -> Bool {
            switch target {
            case .id(let invalid): id == invalid
            case .name(let invalid): name == invalid
            case .tag(let tag): Operation.tag(of: id) == tag
            case .lists: false
            case .all: true
            }
        }
        let isAboutAllLists: Bool
        var ids = Set(rows.filter { covers($0.key, $0.value.value) }.keys)
        switch target {
        case .lists, .all: isAboutAllLists = true
        case .id(let id):
            isAboutAllLists = false
            ids.insert(id)
        default: isAboutAllLists = false
        }
        for id in ids { rows[id]?.staleAt = .distantPast }
        for (id, held) in memory where ids.contains(id) || covers(id, held.value) {
            memory[id]?.staleAt = .distantPast
        }
        for page in Page.allCases {
            let isStored = lists[page].map { $0.value.contains(where: ids.contains) } ?? false
            let isHeld = memoryLists[page]?.value.contains { covers($0.key, $0.value) } ?? false
            if isAboutAllLists || isStored { lists[page]?.staleAt = .distantPast }
            if isAboutAllLists || isStored || isHeld { memoryLists[page]?.staleAt = .distantPast }
        }
    }

    mutating func restart() { (memory, memoryLists) = ([:], [:]) }
}
