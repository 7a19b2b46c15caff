import WharfCore
import WharfPresentation

/// The article's list.
struct FilmList: Equatable, Sendable {
    var titles: [String] = []
}

/// What a screen asks of its presenter.
@MainActor protocol FilmListPresenter: Presenter<FilmList> {
    func select(_ row: Int)
}

/// Five items, and two a while after.
@MainActor final class TimedFilms: FilmListPresenter {
    @Presented private(set) var state = FilmList(titles: ["1", "2", "3", "4", "5"])
    var states: StateSequence<FilmList> { $state }
    private(set) var selected: [Int] = []

    func load(after pause: Duration, on clock: some Clock<Duration>) async throws {
        try await clock.sleep(for: pause)
        state = FilmList(titles: ["1", "2"])
    }

    func show(_ titles: String...) { state = FilmList(titles: titles) }
    func add(_ title: String) { state.titles.append(title) }
    func select(_ row: Int) { selected.append(row) }
}
