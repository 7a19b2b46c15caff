import Testing
import WharfCore
import WharfPresentation

@Suite struct ListNoticeTests {
    private func notices(_ list: some ListSource) -> [String] {
        (0..<list.sectionCount).compactMap { list.row(at: ListPosition(section: $0, row: 0))?.notice?.text }
    }

    @Test func placeholderIsShownWithoutElements() {
        #expect(notices(RowSource([Int]()).placeholder("none")) == ["none"])
        #expect(notices(RowSource([1]).placeholder("none")).isEmpty)
        #expect(notices(RowSource([Int]()).sections { $0 }.placeholder("none")) == ["none"])
        let empty = SectionedSource([ListSection(id: "a", elements: [Int]())])
        #expect(notices(empty.placeholder("none")) == ["none"])
        #expect(empty.placeholder("none").sectionID(1) == .notice(.init(.placeholder)))
    }

    @Test func noticeDoesNotCountAsAnElement() {
        let list = RowSource([Int]()).notice(ListNotice(.stale, "old")).placeholder("none")
        #expect(notices(list) == ["old", "none"])
        #expect(!list.hasElements)
        #expect(RowSource([1]).notice(ListNotice(.stale, "old")).hasElements)
    }

    @Test func placeholderIsHiddenUntilRowsAreKnown() {
        // The same holds for code that does not know that the rows come from a snapshot.
        func decorate(_ list: some ListSource) -> some ListSource { list.header("h").placeholder("none") }
        #expect(notices(decorate(RowSource(Snapshot<[Int]>.read(nil, fetch: .refreshing)))).isEmpty)
        #expect(notices(decorate(RowSource(Snapshot<[Int]>.read(nil, error: .gone)))).isEmpty)
        #expect(notices(decorate(RowSource(Snapshot<[Int]>.read([])))) == ["none"])
    }

    @Test func loadingNoticeIsShownOnlyWhileFetching() {
        let list = RowSource([1])
        #expect(notices(list.loading(.refreshing) { "\($0)" }) == ["refreshing"])
        #expect(notices(list.loading(.paused) { "\($0)" }) == ["paused"])
        #expect(notices(list.loading(.paused) { _ in nil }).isEmpty)
        var isAsked = false
        let idle = list.loading(.idle) { _ in
            isAsked = true
            return "idle"
        }
        #expect(notices(idle).isEmpty && !isAsked)
    }

    @Test(
        arguments: [
            (Snapshot.read([1]), 59, nil),
            (Snapshot.read([1]), 60, "60, none"),
            (Snapshot.read([1], fetch: .refreshing), 61, "61, none"),
            (Snapshot.read([1], error: .gone), 5, "5, connectionFailed"),
            (Snapshot.read([1], error: .gone), 3_600, "3600, connectionFailed"),
            (Snapshot.read(nil, error: .gone), 5, "-1, connectionFailed"),
            (Snapshot.read(nil, fetch: .refreshing), 5, nil),
            (Snapshot(kept: .init(value: [1], source: .network, asOf: noon)), 3_600, nil),
            (Snapshot(kept: .init(value: [1], source: .network, asOf: noon), error: .gone), 9, "9, connectionFailed"),
        ] as [(Snapshot<[Int]>, Int, String?)])
    func staleBannerHasAgeAndError(snapshot: Snapshot<[Int]>, seconds: Int, text: String?) {
        let list = RowSource(snapshot).staleBanner(of: snapshot, at: noon + .seconds(seconds)) { stale in
            "\(stale.age?.components.seconds ?? -1), \(stale.error?.code.name ?? "none")"
        }
        #expect(notices(list) == [text].compactMap(\.self))
    }

    @Test func staleBannerWithoutTextIsHidden() {
        let snapshot = Snapshot.read([1])
        #expect(notices(RowSource(snapshot).staleBanner(of: snapshot, at: .distantFuture) { _ in nil }).isEmpty)
    }
}
