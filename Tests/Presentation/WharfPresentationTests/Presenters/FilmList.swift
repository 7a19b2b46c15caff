import WharfCore
import WharfPresentation

/// The list of the article.
struct FilmList: Equatable, Sendable {
    var titles: [String] = []
}

/// The actions of a screen on its presenter.
@MainActor protocol FilmListPresenter: Presenter<FilmList> {
    func select(_ row: Int)
}

/// Has five items at first, and two after a while.
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
