import Testing
import WharfCore
import WharfPresentation

@Suite struct ListSourceTests {
    private let films = [
        Film(id: 1, title: "Ran", year: 1985), Film(id: 2, title: "Heat", year: 1995),
        Film(id: 3, title: "Brazil", year: 1985), Film(id: 4, title: "Amélie", year: 2001),
        Film(id: 5, title: "Se7en", year: 1995),
    ]

    @Test func rowsAreTheElementsInTheirOrder() {
        let list = RowSource(films)
        #expect(list.sectionCount == 1 && list.rowCount(inSection: 0) == 5)
        #expect((0..<5).map { list.element(at: ListPosition(section: 0, row: $0)) } == films)
        #expect(list.row(at: ListPosition(section: 0, row: 5)) == nil)
    }

    @Test func sectionsComeInTheOrderOfTheirFirstElements() {
        let list = RowSource(films).sections { $0.decade }
        #expect((0..<3).map { list.sectionID($0) } == [.own(1980), .own(1990), .own(2000)])
        #expect(list.listSections().map { $0.elements.compactMap(\.element?.id) } == [[1, 3], [2, 5], [4]])
    }

    @Test func groupingAsksEachElementOnceForItsSection() {
        var asked = 0
        let list = RowSource(0..<10_000).sections { number in
            asked += 1
            return number % 5_000
        }
        #expect(asked == 10_000)
        #expect(list.sectionCount == 5_000)
    }

    @Test func rowsOfASnapshotWithoutValueAreUnknown() {
        #expect(!RowSource(Snapshot<[Film]>.read(nil)).isKnown)
        #expect(!RowSource(Snapshot<[Film]>.read(nil, error: .gone)).sections { $0.decade }.header("Films").isKnown)
        #expect(RowSource(Snapshot<[Film]>.read([], error: .gone)).isKnown)
        #expect(RowSource(films).isKnown && SectionedSource<Int, Film>([]).isKnown)
        #expect(!SectionedSource(Snapshot<[ListSection<Int, Film>]>.read(nil)).isKnown)
        #expect(RowSource(Snapshot.read(films)) == RowSource(films))
    }

    @Test func sectionsThatAreGivenKeepTheirCaptions() {
        let sections = [
            ListSection(id: "new", header: "New", footer: "2 films", elements: Array(films[..<2])),
            ListSection(id: "old", header: nil, footer: nil, elements: []),
        ]
        let shown = SectionedSource(Snapshot.read(sections)).listSections()
        #expect(shown.map(\.id) == [.own("new"), .own("old")])
        #expect(shown.map(\.header) == ["New", nil])
        #expect(shown.map(\.footer) == ["2 films", nil])
        #expect(shown.map { $0.elements.map(\.element) } == sections.map(\.elements))
    }

    @Test func listSectionsHaveNoticesAndCaptions() {
        let sections = RowSource(films).sections { $0.decade }.sectionHeaders { "\($0)s" }
            .notice(ListNotice(.stale, "old")).listSections()
        #expect(sections.map(\.id) == [.notice(.init(.stale)), .own(1980), .own(1990), .own(2000)])
        #expect(sections.map(\.header) == [nil, "1980s", "1990s", "2000s"])
        #expect(sections[0].elements == [.notice(ListNotice(.stale, "old"))])
        #expect(sections[1].elements.map(\.id) == [.own(1), .own(3)])
    }

    @Test func aNoticeWithAnotherTextIsTheSameRow() {
        let rows = ["1 min", "2 min"].map { ListRow<Film>.notice(ListNotice(.stale, $0)) }
        #expect(rows[0] != rows[1])
        #expect(rows[0].id == rows[1].id)
    }
}
