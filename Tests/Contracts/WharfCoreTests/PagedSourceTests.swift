import Testing
import WharfCore

/// Paged sources without HTTP.
@Suite struct PagedSourceTests {
    private struct Item: Identifiable, Hashable, Sendable {
        let id: Int
        let rank: Int
        static let rank = Field<Item, Int>("rank") { $0.rank }
    }

    private let items = (0..<10).map { Item(id: $0, rank: $0 / 3) }

    /// A source that answers complete queries.
    private var source: RemoteSource<Item> {
        RemoteSource(get: { [items] in items[$0] }) { [items] query in
            query.rows.answer(items, id: { "\($0.id)" }, fields: { ["rank": FieldValue(Int64($0.rank))] })
        }
    }

    @Test(arguments: [1, 3, 5, 10, 11])
    func pageStartsAtThePlaceWhereThePreviousOneEnded(size: Int) async throws {
        let page = try #require(source.pagedByPlace([Item.rank.index]) { "\($0)" }.page)
        let query = EntityQuery<Item>().sorted(by: Item.rank, descending: true)
        var ids: [Int] = []
        var token: PageToken?
        repeat {
            let answer = try await page(PageQuery(query, size: size, token: token), .normal).get()
            #expect(answer.items.count <= size)
            ids += answer.items.map(\.id)
            token = answer.next
        } while token != nil && ids.count < 100
        #expect(ids == [9, 6, 7, 8, 3, 4, 5, 0, 1, 2])
    }

    @Test func tokenOfAnotherKindIsRefused() async throws {
        let page = try #require(source.pagedByPlace([]) { "\($0)" }.page)
        #expect(await page(PageQuery(size: 2, token: .offset(2)), .normal).error?.code == .invalidRequest)
    }

    @Test func aSourceWithoutAListHasNoPages() {
        #expect(RemoteSource<Item>(get: { Item(id: $0, rank: 0) }).pagedByPlace([]) { "\($0)" }.page == nil)
    }

    @Test func errorThrownByClosureIsTheFailureOfThePage() async throws {
        let failure = ReadFailure(.timedOut, message: "scripted")
        let page = try #require(source.paged { _ in throw failure }.page)
        #expect(await page(PageQuery(size: 2), .normal).error == failure)
        #expect(await page(PageQuery(size: 2), .storedOnly).error?.code == .nothingKept)
    }
}
