import Testing
import WharfCore
import WharfPresentation

@Suite struct ListDecoratorTests {
    private let tasks = RowSource(["write", "test"])
    private let first = ListPosition(section: 0, row: 0)

    @Test func headersAndFootersAreAddedWithoutTouchingTheRows() {
        let list = tasks.header("Tasks").footer("2 open")
        #expect(list.listHeader == "Tasks" && list.listFooter == "2 open")
        #expect(list.element(at: ListPosition(section: 0, row: 1)) == "test")
        #expect(list.base.base == tasks)
    }

    @Test func layersOfAllKindsStack() {
        let list = tasks.sections { $0.first }.sectionHeaders { $0.map(String.init) }.sectionFooters { _ in "end" }
            .header("Tasks").footer("2 open")
        #expect((0..<2).map { list.header(ofSection: $0) } == ["w", "t"])
        #expect((0..<2).map { list.footer(ofSection: $0) } == ["end", "end"])
        #expect(list.listHeader == "Tasks" && list.listFooter == "2 open")
    }

    @Test func headerClosureReceivesThePreviousHeader() {
        let list = tasks.sections { $0.count }.sectionHeaders { $0 == 4 ? "\($0)" : nil }
            .sectionHeaders { key, before in "\(before ?? "none") of \(key)" }
        #expect((0..<2).map { list.header(ofSection: $0) } == ["none of 5", "4 of 4"])
        let footed = tasks.sectionFooters { "\($0)" }.sectionFooters { _, before in before.map { "\($0)!" } }
        #expect(footed.footer(ofSection: 0) == "0!")
    }

    @Test func outermostHeaderOrFooterWins() {
        #expect(tasks.header("a").footer("b").header("c").listHeader == "c")
        #expect(tasks.header("a").header(nil).listHeader == nil)
        #expect(tasks.footer("a").footer("b").listFooter == "b")
        #expect(tasks.sectionHeaders { _ in "a" }.sectionHeaders { _ in "b" }.header(ofSection: 0) == "b")
        #expect(tasks.sectionHeaders { _ in "a" }.sectionHeaders { _ in nil }.header(ofSection: 0) == nil)
    }

    @Test func captionsAreComputedOnce() {
        var asked: [Int] = []
        let list = RowSource(0..<6).sections { $0 / 2 }.sectionHeaders { key in
            asked.append(key)
            return "\(key)"
        }
        for _ in 0..<3 { _ = list.header("x").header(ofSection: 1) }
        #expect(asked == [0, 1, 2])
    }

    @Test func noticeSectionHasNoCaption() {
        let list = tasks.notice(ListNotice(.stale, "old")).sectionHeaders { _ in "header" }.sectionFooters { _ in
            "footer"
        }
        #expect((0..<2).map { list.header(ofSection: $0) } == [nil, "header"])
        #expect((0..<2).map { list.footer(ofSection: $0) } == [nil, "footer"])
    }

    @Test func positionsMapThroughAllLayersBothWays() {
        let list = RowSource(0..<6).sections { $0 / 2 }.notice(ListNotice(.loading, "a")).header("h")
            .notice(ListNotice(.stale, "b")).placeholder("none").notice(ListNotice(.init("end"), "c"), at: .bottom)
        let source = ListPosition(section: 2, row: 1)
        let shown = ListPosition(section: 4, row: 1)
        #expect(list.position(ofSource: source) == shown)
        #expect(list.sourcePosition(of: shown) == source)
        #expect(list.element(at: shown) == 5)
        #expect([0, 1, 5].map { list.sourcePosition(of: ListPosition(section: $0, row: 0)) } == [nil, nil, nil])
        #expect(list.row(at: first)?.notice?.text == "b")
        #expect(list.row(at: ListPosition(section: 5, row: 0))?.notice?.text == "c")
    }

    @Test func repeatedNoticeIsTwoRowsWithDistinctIDs() {
        let list = tasks.notice(ListNotice(.stale, "inner")).header("h").notice(ListNotice(.loading, "other"))
            .notice(ListNotice(.stale, "outer"))
        let notices = (0..<3).compactMap { list.row(at: ListPosition(section: $0, row: 0))?.notice }
        #expect(notices.map(\.text) == ["outer", "other", "inner"])
        #expect(notices.map(\.id.number) == [2, 1, 0])
        #expect(Set((0..<4).map { list.sectionID($0) }).count == 4)
    }

    /// The text of the notice below does not matter, and neither does its presence.
    @Test func noticeKeepsItsIDWhenOneBelowComesOrGoes() {
        let below = [nil, ListNotice(.stale, "old"), ListNotice(.loading, "wait"), ListNotice(.init("own"), "new")]
        let lists = below.map { tasks.notice($0).header("h").notice(ListNotice(.stale, "a"), at: .bottom) }
        let ids = lists.map { $0.row(at: ListPosition(section: $0.sectionCount - 1, row: 0))?.notice?.id }
        #expect(Set(ids).count == 1)
        let changes = ListChanges(from: lists[0].texts, to: lists[1].texts, id: { $0 }, isEqual: ==)
        let stage = changes.stages.first
        #expect(changes.stages.count == 1 && stage?.insertedSections == [0] && stage?.movedSections == [])
    }

    @Test func nilNoticeLeavesNoTrace() {
        let list = tasks.notice(nil).notice(nil, at: .bottom)
        #expect(list.sectionCount == 1 && list.row(at: first) == tasks.row(at: first))
        #expect(list.listSections() == tasks.listSections())
    }
}

extension ListSource<String> where Self: IdentifiedSections {
    fileprivate var texts: [ListSection<ListID<SectionKey>, String>] {
        listSections().map { section in
            ListSection(id: section.id, elements: section.elements.map { $0.element ?? $0.notice?.text ?? "" })
        }
    }
}
