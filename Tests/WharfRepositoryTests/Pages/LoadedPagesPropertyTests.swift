import Testing
import WharfCore
import WharfTesting

@testable import WharfRepository

/// Any sequence of calls, answers and failures over a service whose list changes in between.
@Suite struct LoadedPagesPropertyTests {
    typealias Model = RepositoryLaws.Model
    typealias Pages = LoadedPages<Model>

    private struct Run {
        var random: SeededGenerator
        let clock = TestClock()
        let origin: PagedOrigin
        let size: Int
        let cap: Int?
        var list: Pages
        /// Asked for, with what the service had then.
        var waiting: [(request: Pages.Request, page: Page<Model>)] = []
        var lastID = 1_000

        init(seed: UInt64, kind: PagedOrigin.Kind) {
            random = SeededGenerator(seed: seed)
            origin = PagedOrigin(
                kind, ids: (0..<Int.random(in: 0...30, using: &random)).map { $0 * 10 }, clock: clock.wall)
            size = Int.random(in: 1...5, using: &random)
            cap = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
            list = Pages(cap: cap)
        }

        mutating func step() throws {
            switch Int.random(in: 0..<11, using: &random) {
            case 0:
                lastID += 1
                origin.put(Model(id: lastID, name: ""))
            case 1: origin.put(Model(id: Int.random(in: 0...300, using: &random), name: ""))
            case 2: if let id = origin.ids.randomElement(using: &random) { origin.remove(id) }
            case 3: ask(.refresh)
            case 4, 5: ask(.later)
            case 6: ask(.earlier)
            case 7: rename()
            default: try answer(failing: Int.random(in: 0..<4, using: &random) == 0)
            }
            try check()
        }

        /// Somebody else has read the pages, and found the same under other names.
        mutating func rename() {
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
            #expect(list.items.map(\.id) == before && list.items.allSatisfy { $0.name == name })
        }

        mutating func ask(_ purpose: Pages.Purpose) {
            // As callers share one request.
            guard !list.isUnderWay(purpose), let request = list.start(purpose) else { return }
            waiting.append((request, origin.page(size, request.token)))
        }

        mutating func answer(failing: Bool) throws {
            guard let index = waiting.indices.randomElement(using: &random) else { return }
            let (request, page) = waiting.remove(at: index)
            let before = list.items.map(\.id)
            clock.advance(by: .seconds(1))
            let next: Pages.Request?
            if failing {
                let codes: [ReadFailure.Code] = [.timedOut, .cancelled, .undecodable]
                let code = codes[Int.random(in: 0..<3, using: &random)]
                next = list.absorb(Snapshot(kept: nil, error: ReadFailure(code, message: "")), for: request)
                #expect(list.items.map(\.id) == before, "a failure has changed the list")
            } else {
                let kept = Snapshot<Page<Model>>.Kept(value: page, source: .network, asOf: clock.wall.now())
                next = list.absorb(Snapshot(kept: kept), for: request)
                if request.purpose == .refresh, list.isUnderWay(.refresh) {
                    #expect(list.items.map(\.id) == before, "the list has changed before its refresh was over")
                }
                if request.purpose == .later, cap == nil {
                    #expect(list.items.map(\.id).starts(with: before), "more at the end has changed what was before it")
                }
            }
            if let next { waiting.append((next, origin.page(size, next.token))) }
        }

        func check() throws {
            let ids = list.items.map(\.id)
            #expect(Set(ids).count == ids.count, "an entity twice")
            var places: [Int: Int] = [:]
            for (place, id) in ids.enumerated() { places[id] = place }
            var seen: Set<Int> = []
            for slot in list.slots {
                let own = slot.kept.value.items.map(\.id).filter { seen.insert($0).inserted }
                let found = own.compactMap { places[$0] }
                #expect(found.count == own.count && found == found.sorted(), "a page lost its order, or an item")
            }
            #expect(ids.count == seen.count, "an item of no page")
            if let cap, list.slots.count > 1 {
                #expect(list.slots.reduce(0) { $0 + $1.kept.value.items.count } <= cap, "more than was asked for")
            }
            #expect(waiting.count <= 3 * 4, "requests pile up")
        }

        /// The service stands still and answers: then the list is the service's.
        mutating func finish() throws {
            while !waiting.isEmpty { try answer(failing: false) }
            ask(.refresh)
            while !waiting.isEmpty { try answer(failing: false) }
            var all = list.items.map(\.id)
            for _ in 0..<500 where list.hasMore {
                ask(.later)
                while !waiting.isEmpty { try answer(failing: false) }
                for id in list.items.map(\.id) where !all.contains(id) { all.append(id) }
            }
            #expect(all == origin.ids && list.error == nil && !list.hasMore)
            if cap == nil { #expect(list.items.map(\.id) == origin.ids) }
            for _ in 0..<500 where !list.dropped.isEmpty {
                ask(.earlier)
                while !waiting.isEmpty { try answer(failing: false) }
            }
            #expect(list.items.map(\.id) == Array(origin.ids.prefix(list.items.count)))
        }
    }

    @Test(arguments: PagedOrigin.Kind.allCases, 0..<100 as Range<UInt64>)
    func nothingComesTwiceOrOutOfOrderOrGetsLost(kind: PagedOrigin.Kind, seed: UInt64) throws {
        var run = Run(seed: seed, kind: kind)
        for _ in 0..<120 { try run.step() }
        try run.finish()
    }
}
