import Testing
import WharfCore
import WharfPresentation

@MainActor @Suite struct PresenterFieldTests {
    struct Draft: Equatable, Sendable {
        var title = ""
        var edits = 0
    }

    /// Accepts titles of at most five characters.
    final class DraftPresenter: Presenter {
        @Presented private(set) var state = Draft()
        var states: StateSequence<Draft> { $state }

        func rename(to title: String) {
            state.edits += 1
            if title.count <= 5 { state.title = title }
        }
    }

    @Test func anEditGoesThroughThePresenter() {
        let presenter = DraftPresenter()
        let title = presenter.field(\.title) { $0.rename(to: $1) }
        title.value = "Heat"
        #expect(presenter.state == Draft(title: "Heat", edits: 1) && title.value == "Heat")
    }

    @Test func anEditThatThePresenterRefusesIsNotShown() {
        let presenter = DraftPresenter()
        let title = presenter.field(\.title) { $0.rename(to: $1) }
        title.value = "too long"
        #expect(presenter.state == Draft(title: "", edits: 1) && title.value == "")
    }

    @Test func fieldReadsTheCurrentState() {
        let presenter = DraftPresenter()
        let title = presenter.field(\.title) { $0.rename(to: $1) }
        presenter.rename(to: "Alien")
        #expect(title.value == "Alien")
    }
}
