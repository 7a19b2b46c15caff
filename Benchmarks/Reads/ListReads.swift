internal import Comparisons
internal import Fixtures
internal import WharfPresentation

/// Reads rows of a list whose type the compiler knows.
///
/// An adapter that is generic over its source does the same.
struct ListReads<List: ListSource<Article>>: Rounds {
    private let list: List
    private let positions: [ListPosition]
    let expected: Int

    init(_ list: List, count: Int, of articles: Int) {
        let rows = (0..<count).map { _ in Int.random(in: 0..<articles) }
        self.list = list
        positions = rows.map { list.position(ofSource: ListPosition(section: 0, row: $0)) }
        expected = rows.reduce(0, +)
    }

    func run() async throws -> Int {
        var sum = 0
        for position in positions { sum += list.row(at: position)?.element?.id ?? 0 }
        return sum
    }

    /// The same reads of a list whose type the compiler does not know.
    var erased: ErasedListReads { ErasedListReads(list: erase(list), positions: positions, expected: expected) }
}

struct ErasedListReads: Rounds {
    let list: any ListSource<Article>
    let positions: [ListPosition]
    let expected: Int

    func run() async throws -> Int {
        var sum = 0
        for position in positions { sum += list.row(at: position)?.element?.id ?? 0 }
        return sum
    }
}

// Inlining is off, so that the compiler can't see the type behind the protocol.
@inline(never)
private func erase(_ list: some ListSource<Article>) -> any ListSource<Article> { list }

/// A list without decorators, and with layers around it.
enum Lists {
    private static let count = 10_000
    private static let articles = RowSource((0..<count).map { Article(id: $0, title: "", text: "text \($0)") })
    private static let old = ListNotice(.stale, "An hour old: no network")

    static func bare(_ timing: Timing) -> ListReads<RowSource<Article>> { reads(articles, timing) }

    static func oneLayer(_ timing: Timing) -> ListReads<some ListSource<Article>> {
        reads(articles.notice(old), timing)
    }

    static func sixLayers(_ timing: Timing) -> ListReads<some ListSource<Article>> {
        let list = articles.sectionHeaders { "\($0)" }.editable { _ in }.placeholder("none").notice(old)
        return reads(list.header("Articles").notice(old), timing)
    }

    private static func reads<List: ListSource<Article>>(_ list: List, _ timing: Timing) -> ListReads<List> {
        ListReads(list, count: timing.operations, of: count)
    }
}
