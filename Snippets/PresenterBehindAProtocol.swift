// Article A, "Using protocols, ObservableObject and @Published": a view that is generic over its
// presenter. Five items become two after a while, by a clock that the program moves.

// snippet.hide
import WharfCore
import WharfFakes
import WharfPresentation

// snippet.show
// snippet.presenter
struct FilmList: Sendable {
    var titles: [String] = []
}

@MainActor protocol FilmListPresenter: Presenter<FilmList> {
    func select(_ row: Int)
}

@MainActor final class TimedFilms: FilmListPresenter {
    @Presented private(set) var state = FilmList(titles: ["Alien", "Heat", "Jaws", "Ran", "Tron"])
    var states: StateSequence<FilmList> { $state }

    func load(on clock: some Clock<Duration>) async throws {
        try await clock.sleep(for: .seconds(5))
        state = FilmList(titles: ["Heat", "Ran"])
    }

    func select(_ row: Int) { state.titles[row] += " *" }
}

// The view depends on the protocol alone, and holds no object except the presenter.
@MainActor struct TerminalView<P: FilmListPresenter> {
    let presenter: P

    func show() { print(presenter.state.titles.joined(separator: ", ")) }
    func tap(_ row: Int) { presenter.select(row) }
}
// snippet.end

// snippet.hide
let clock = TestClock()

// snippet.show
let presenter = TimedFilms()
let view = TerminalView(presenter: presenter)
let loading = Task { try await presenter.load(on: clock) }
await clock.untilSleeping()

// The sequence yields the current state, then each newer one. Observing does not keep the presenter
// alive.
for await state in presenter.states {
    view.show()
    if state.titles.count == 2 { break }
    clock.advance(by: .seconds(5))
}

view.tap(1)
view.show()
try await loading.value

// snippet.hide
// Output:
// Alien, Heat, Jaws, Ran, Tron
// Heat, Ran
// Heat, Ran *
