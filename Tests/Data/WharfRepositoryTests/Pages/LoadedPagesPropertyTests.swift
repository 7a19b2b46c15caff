import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

@testable import WharfRepository

/// Random sequences of calls, answers and failures over a service whose list changes in between.
@Suite struct LoadedPagesPropertyTests {
    typealias Model = RepositoryLaws.Model
    typealias Pages = LoadedPages<Model>

    private struct Run {
        let clock = TestClock()
        let origin: PagedOrigin
        let size: Int
        let cap: Int?
        var list: Pages
        /// The open requests, each with the page that the service had at the time.
        var waiting: [(request: Pages.Request, page: Page<Model>)] = []
        var lastID = 1_000

        init(_ scenario: PagesScenario, kind: PagedOrigin.Kind) {
            origin = PagedOrigin(kind, ids: (0..<scenario.count).map { $0 * 10 }, clock: clock.wall)
            size = scenario.size
            cap = scenario.cap
            list = Pages(cap: cap)
        }

        mutating func take(_ step: PagesScenario.Step) throws {
            switch step {
            case .putNew:
                lastID += 1
                origin.put(Model(id: lastID, name: ""))
            case .put(let id): origin.put(Model(id: id, name: ""))
            case .remove(let place):
                let ids = origin.ids
                if !ids.isEmpty { origin.remove(ids[place % ids.count]) }
            case .refresh: ask(.refresh)
            case .later: ask(.later)
            case .earlier: ask(.earlier)
            case .rename: try rename()
            case .answer(let place): try answer(at: place)
            case .fail(let place, let code): try answer(at: place, failing: code)
            }
            try check()
        }

        /// Another reader has read the pages, and found the same ids with new names.
        mutating func rename() throws {
            clock.advance(by: .seconds(1))
            let name = "\(clock.now.offset)"
            let pages = list.slots.map { slot in
                let items = slot.kept.value.items.map { Model(id: $0.id, name: name) }
                return (
                    slot.token,
                    Pages.Kept(value: Page(items, next: slot.kept.value.next), source: .memory, asOf: clock.wall.now())
                )
            }
            let before = list.items.map(\.id)
            _ = list.update { token in pages.first { $0.0 == token }?.1 }
            let isRenamed = list.items.map(\.id) == before && list.items.allSatisfy { $0.name == name }
            try require(isRenamed, "\(before) became \(list.items), of which each should be named \(name)")
        }

        mutating func ask(_ kind: Pages.LoadKind) {
            // Callers share one request.
            guard !list.isUnderWay(kind), let request = list.start(kind) else { return }
            waiting.append((request, origin.page(size, request.token)))
        }

        mutating func answer(at place: Int, failing code: ReadFailure.Code? = nil) throws {
            guard !waiting.isEmpty else { return }
            let (request, page) = waiting.remove(at: place % waiting.count)
            let before = list.items.map(\.id)
            clock.advance(by: .seconds(1))
            let next: Pages.Request?
            if let code {
                next = list.absorb(Snapshot(kept: nil, error: ReadFailure(code, message: "")), for: request)
                try require(list.items.map(\.id) == before, "a failure has changed the list")
            } else {
                let kept = Snapshot<Page<Model>>.Kept(value: page, source: .network, asOf: clock.wall.now())
                next = list.absorb(Snapshot(kept: kept), for: request)
                let ids = list.items.map(\.id)
                if request.kind == .refresh, list.isUnderWay(.refresh) {
                    try require(ids == before, "the list has changed before its refresh was over")
                }
                if request.kind == .later, cap == nil {
                    try require(ids.starts(with: before), "more at the end has changed what was before it")
                }
            }
            if let next { waiting.append((next, origin.page(size, next.token))) }
        }

        func check() throws {
            let ids = list.items.map(\.id)
            try require(Set(ids).count == ids.count, "an entity twice: \(ids)")
            var places: [Int: Int] = [:]
            for (place, id) in ids.enumerated() { places[id] = place }
            var seen: Set<Int> = []
            for slot in list.slots {
                let own = slot.kept.value.items.map(\.id).filter { seen.insert($0).inserted }
                let found = own.compactMap { places[$0] }
                try require(found.count == own.count && found == found.sorted(), "a page lost its order, or an item")
            }
            try require(ids.count == seen.count, "an item of no page")
            if let cap, list.slots.count > 1 {
                let count = list.slots.reduce(0) { $0 + $1.kept.value.items.count }
                try require(count <= cap, "\(count) items, more than was asked for")
            }
            try require(waiting.count <= 3 * 4, "requests pile up")
        }

        /// Answers all requests while the service does not change: then the list equals the
        /// service's.
        mutating func finish(_ order: [Int]) throws {
            var order = order[...]
            while !waiting.isEmpty { try answer(at: order.popFirst() ?? 0) }
            ask(.refresh)
            while !waiting.isEmpty { try answer(at: order.popFirst() ?? 0) }
            var all = list.items.map(\.id)
            for _ in 0..<500 where list.hasMore {
                ask(.later)
                while !waiting.isEmpty { try answer(at: order.popFirst() ?? 0) }
                for id in list.items.map(\.id) where !all.contains(id) { all.append(id) }
            }
            try require(
                all == origin.ids && list.error == nil && !list.hasMore,
                "at the end \(all), the service's are \(origin.ids), more: \(list.hasMore)")
            if cap == nil {
                let ids = list.items.map(\.id)
                try require(ids == origin.ids, "at the end \(ids), the service's are \(origin.ids)")
            }
            for _ in 0..<500 where !list.dropped.isEmpty {
                ask(.earlier)
                while !waiting.isEmpty { try answer(at: order.popFirst() ?? 0) }
            }
            let ids = list.items.map(\.id)
            try require(ids == Array(origin.ids.prefix(ids.count)), "back at \(ids), the service's are \(origin.ids)")
        }
    }

    @Test(arguments: PagedOrigin.Kind.allCases)
    func loadedPagesHaveEachItemOnceAndInOrder(kind: PagedOrigin.Kind) async throws {
        try await forAll(PagesScenario.generator) { scenario in
            var run = Run(scenario, kind: kind)
            for step in scenario.steps { try run.take(step) }
            try run.finish(scenario.order)
        }
    }
}
