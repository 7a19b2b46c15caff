import Testing
import WharfCore

@testable import WharfRepository

/// The rules for replacing pages of a paged list, tested without tasks.
@Suite struct LoadedPagesTests {
    struct Item: Identifiable, Hashable, Sendable {
        let id: Int
        var text = ""
    }

    typealias Pages = LoadedPages<Item>

    static func answer(_ ids: [Int], next: Int?, asOf: Int64 = 1, _ error: ReadFailure? = nil) -> Snapshot<Page<Item>> {
        let page = Page(ids.map { Item(id: $0) }, next: next.map(PageToken.offset))
        return Snapshot(
            kept: .init(value: page, source: .network, asOf: WallTime(secondsSince1970: asOf)), error: error)
    }

    static func failure(_ code: ReadFailure.Code) -> Snapshot<Page<Item>> {
        Snapshot(kept: nil, error: ReadFailure(code, message: "scripted"))
    }

    /// A list that consists of the given pages.
    private func loaded(_ pages: [[Int]], cap: Int? = nil, limit: Int? = nil) throws -> Pages {
        var loaded = Pages(cap: cap, limit: limit)
        for (index, ids) in pages.enumerated() {
            let request = try loaded.ask(index == 0 ? .refresh : .later)
            loaded.end(Self.answer(ids, next: index + 1), for: request)
        }
        return loaded
    }

    private func ids(_ loaded: Pages) -> [Int] { loaded.items.map(\.id) }

    @Test func repeatedTokenEndsTheList() throws {
        var list = try loaded([[1, 2], [3, 4]])
        let request = try list.ask(.later)
        list.end(Self.answer([5], next: 1), for: request)
        #expect(ids(list) == [1, 2, 3, 4, 5] && !list.hasMore && list.error?.code == .endlessPages)
        #expect(throws: LoadedPages<Item>.Unexpected.self) { try list.ask(.later) }
        // A refresh starts over.
        let refresh = try list.ask(.refresh)
        list.end(Self.answer([9], next: nil), for: refresh)
        #expect(ids(list) == [9] && list.error == nil && !list.isEndless)
    }

    @Test func repeatedTokenEndsARefresh() throws {
        var list = try loaded([[1, 2], [3, 4], [5, 6]])
        let first = try list.ask(.refresh)
        let second = try list.follow(Self.answer([1, 2], next: 7), for: first)
        list.end(Self.answer([3], next: 7), for: second)
        #expect(ids(list) == [1, 2, 3] && list.error?.code == .endlessPages && !list.hasMore)
    }

    @Test func tooManyPagesWithoutNewItemsEndTheList() throws {
        var list = try loaded([[1, 2]])
        var request = list.start(.later)
        var asked = 0
        while let open = request, asked < 50 {
            asked += 1
            request = list.absorb(Self.answer(asked.isMultiple(of: 2) ? [] : [1, 2], next: 100 + asked), for: open)
        }
        #expect(asked == Pages.mostIdlePages + 1)
        #expect(ids(list) == [1, 2] && !list.hasMore && list.error?.code == .endlessPages)
    }

    @Test func anEmptyPageWithATokenIsNotTheEnd() throws {
        var list = Pages()
        let first = try list.ask(.refresh)
        let second = try list.follow(Self.answer([], next: 1), for: first)
        list.end(Self.answer([1], next: 2), for: second)
        let third = try list.ask(.later)
        let fourth = try list.follow(Self.answer([], next: 3), for: third)
        list.end(Self.answer([2], next: nil), for: fourth)
        #expect(ids(list) == [1, 2] && !list.hasMore && list.error == nil)
    }

    @Test func emptyFirstPageIsAnEmptyList() throws {
        var list = Pages()
        let first = try list.ask(.refresh)
        list.end(Self.answer([], next: nil), for: first)
        #expect(list.snapshot.value == PagedItems(items: []) && list.snapshot.fetch == .idle)
    }

    @Test func aListThatHasBecomeShorterIsShorterAfterItsRefresh() throws {
        var list = try loaded([[1, 2], [3, 4], [5, 6]])
        let refresh = try list.ask(.refresh)
        list.end(Self.answer([3], next: nil), for: refresh)
        #expect(ids(list) == [3] && !list.hasMore)
    }

    @Test func keptPageIsShownWithItsErrorExceptByARefresh() throws {
        var list = try loaded([[1, 2]])
        let failure = ReadFailure(.timedOut, message: "scripted")
        let request = try list.ask(.later)
        list.end(Self.answer([3, 4], next: 2, failure), for: request)
        #expect(ids(list) == [1, 2, 3, 4] && list.error == failure && list.hasMore)
        // A refresh does not take an old page for a new one.
        let refresh = try list.ask(.refresh)
        list.end(Self.answer([7, 8], next: 1, failure), for: refresh)
        #expect(ids(list) == [1, 2, 3, 4] && list.error == failure)
    }

    @Test func cancelledPageRequestIsNoFailure() throws {
        var list = try loaded([[1, 2]])
        for kind in [Pages.LoadKind.later, .refresh] {
            let request = try list.ask(kind)
            list.end(Self.failure(.cancelled), for: request)
            #expect(ids(list) == [1, 2] && list.error == nil && !list.isUnderWay(kind))
            let again = try list.ask(kind)
            // A cancelled read answers with the known page.
            list.end(Self.answer([1, 2], next: 1, ReadFailure(.cancelled, message: "scripted")), for: again)
            #expect(ids(list) == [1, 2] && list.error == nil && !list.isUnderWay(kind))
        }
    }

    @Test func laterPageKeepsTheErrorOfTheFailedRefresh() throws {
        var list = try loaded([[1, 2]])
        let refresh = try list.ask(.refresh)
        list.end(Self.failure(.timedOut), for: refresh)
        let page = try list.ask(.later)
        list.end(Self.answer([3], next: nil), for: page)
        #expect(ids(list) == [1, 2, 3] && list.error?.code == .timedOut)
        let next = try list.ask(.refresh)
        let last = try list.follow(Self.answer([1, 2], next: 1), for: next)
        list.end(Self.answer([3], next: nil), for: last)
        #expect(list.error == nil)
    }

    @Test func pageInFlightDoesNotMaskRefusalOfFirstPage() throws {
        var list = try loaded([[1, 2]])
        let page = try list.ask(.later)
        let refresh = try list.ask(.refresh)
        let refusal = ReadFailure(.status, message: "401", response: HTTPResponse(status: .unauthorized))
        list.end(Snapshot(kept: nil, error: refusal), for: refresh)
        _ = list.absorb(Self.answer([3], next: nil), for: page)
        #expect(list.snapshot.kept == nil && list.error == refusal)
    }

    @Test func deletedModelLeavesPageDuringItsRefresh() throws {
        var list = try loaded([[1, 2], [3, 4]])
        var pages: [PageToken?: Pages.Kept] = [:]
        pages[.offset(1)] = list.slots.last?.kept
        let first = try list.ask(.refresh)
        let second = try list.follow(Self.answer([8, 1], next: 1, asOf: 3), for: first)
        pages[nil] = Self.answer([8, 1], next: 1, asOf: 3).kept
        list.update(true) { pages[$0] }
        // 2 has moved to another page, which has not arrived yet.
        #expect(ids(list) == [1, 2, 3, 4])
        _ = list.absorb(Self.failure(.timedOut), for: second)
        pages[nil] = Self.answer([8], next: 1, asOf: 3).kept
        list.update(true) { pages[$0] }
        #expect(ids(list) == [2, 3, 4])
    }

    @Test func pageReplacedByAnotherReadIsShownUnlessByARefresh() throws {
        var list = try loaded([[1, 2], [3, 4]])
        var pages: [PageToken?: Pages.Kept] = [:]
        pages[nil] = Self.answer([2, 9], next: 1, asOf: 2).kept
        pages[.offset(1)] = list.slots.last?.kept
        list.update(true) { pages[$0] }
        #expect(ids(list) == [2, 9, 3, 4])
        list.update(false) { pages[$0] }

        let first = try list.ask(.refresh)
        let second = try list.follow(Self.answer([8, 2], next: 1, asOf: 3), for: first)
        pages[nil] = .init(
            value: Page([Item(id: 8), Item(id: 2, text: "newer")], next: .offset(1)), source: .memory,
            asOf: WallTime(secondsSince1970: 3))
        list.update(true) { pages[$0] }
        // The list keeps its own order, and shows the newer entities.
        #expect(list.items == [Item(id: 2, text: "newer"), Item(id: 9), Item(id: 3), Item(id: 4)])
        _ = list.absorb(Self.failure(.timedOut), for: second)
        _ = list.update { pages[$0] }
        #expect(ids(list) == [2, 9, 3, 4])
        // A later refresh that fails on its first page does not change the order either.
        let third = try list.ask(.refresh)
        _ = list.absorb(Self.failure(.timedOut), for: third)
        _ = list.update { pages[$0] }
        #expect(ids(list) == [2, 9, 3, 4])
    }

    @Test func removedPageIsEmpty() throws {
        var list = try loaded([[1, 2], [3, 4]])
        let second = list.slots.last?.kept
        list.update(true) { $0 == nil ? nil : second }
        #expect(ids(list) == [3, 4] && list.hasMore)
        list.update(false) { $0 == nil ? nil : second }
    }

    @Test func limitCountsItemsDroppedAtTheFront() throws {
        var list = try loaded([[1, 2], [3, 4], [5, 6]], cap: 2, limit: 7)
        #expect(ids(list) == [5, 6] && list.hasMore)
        let request = try list.ask(.later)
        list.end(Self.answer([7, 8], next: 4), for: request)
        #expect(ids(list) == [7] && !list.hasMore && list.snapshot.value?.hasEarlier == true)
    }

    @Test func listHasAgeOfOldestPageAndShortestLifetime() throws {
        var list = Pages()
        var request = try list.ask(.refresh)
        _ = list.absorb(Self.answer([1], next: 1, asOf: 7), for: request)
        request = try list.ask(.later)
        _ = list.absorb(Self.answer([2], next: nil, asOf: 5), for: request)
        #expect(list.snapshot.kept?.asOf == WallTime(secondsSince1970: 5) && list.snapshot.kept?.staleAt == nil)
    }
}

// A mutating call can't stand inside `#expect`.
extension LoadedPages {
    fileprivate struct Unexpected: Error {}

    fileprivate mutating func ask(_ kind: LoadKind) throws -> Request {
        guard let request = start(kind) else { throw Unexpected() }
        return request
    }

    fileprivate mutating func follow(_ answer: Snapshot<Page<Model>>, for request: Request) throws -> Request {
        guard let next = absorb(answer, for: request) else { throw Unexpected() }
        return next
    }

    fileprivate mutating func end(
        _ answer: Snapshot<Page<Model>>, for request: Request, at location: SourceLocation = #_sourceLocation
    ) {
        let next = absorb(answer, for: request)
        #expect(next == nil, sourceLocation: location)
    }

    fileprivate mutating func update(
        _ isExpected: Bool, at location: SourceLocation = #_sourceLocation, _ find: (PageToken?) -> Kept?
    ) {
        let isNews = update(find)
        #expect(isNews == isExpected, sourceLocation: location)
    }
}
