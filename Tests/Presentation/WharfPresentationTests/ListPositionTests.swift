import Testing
import WharfPresentation

@Suite struct ListPositionTests {
    @Test func positionsSortInListOrder() {
        let shown = [(0, 0), (0, 9), (1, 0), (2, 1)].map { ListPosition(section: $0.0, row: $0.1) }
        #expect(shown.reversed().sorted() == shown)
        #expect("\(shown[3])" == "2.1")
    }
}
