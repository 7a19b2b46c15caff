public import Wharf

/// A list over a repository whose service dies and comes back.
///
/// The list is loading, then fresh, then stale with a banner, then fresh again.
public struct FilmListDemo: Sendable {
    private let clock: any WallClock
    private let isTerminal: Bool
    private let pause: @Sendable (Duration) async throws -> Void
    private let show: @Sendable (_ event: String, _ lines: [String]) -> Void

    /// - Parameters:
    ///   - pause: lets time pass on the clock.
    ///   - show: gets the name of the event, and the lines of the list.
    public init(
        clock: any WallClock, isTerminal: Bool, pause: @escaping @Sendable (Duration) async throws -> Void,
        show: @escaping @Sendable (_ event: String, _ lines: [String]) -> Void
    ) {
        self.clock = clock
        self.isTerminal = isTerminal
        self.pause = pause
        self.show = show
    }

    /// Runs the demo to its end.
    public func run() async throws {
        let service = FilmService(clock: clock)
        let films = Repository(source: service.source, configuration: .init(clock: clock))
        defer { films.close() }
        let screen = FilmScreen(isTerminal: isTerminal)
        var snapshots = films.observeList().makeAsyncIterator()

        /// Shows each snapshot, up to the first with the status `fetch`.
        func follow(_ event: String, until fetch: FetchStatus) async {
            while let snapshot = await snapshots.next(isolation: #isolation) {
                show(event, screen.lines(snapshot, at: clock.now()))
                if snapshot.fetch == fetch { break }
            }
        }

        await follow("The first read is on its way.", until: .refreshing)
        try await pause(.seconds(1))
        service.answer()
        await follow("The service has answered.", until: .idle)
        try await pause(.seconds(3))

        service.die()
        let failing = Task { await films.refreshObserved() }
        await follow("The service has died, and the list is asked for again.", until: .refreshing)
        try await pause(.seconds(1))
        service.answer()
        await follow("There is no answer.", until: .idle)
        await failing.value
        try await pause(.seconds(3))

        service.comeBack()
        let succeeding = Task { await films.refreshObserved() }
        await follow("The service is back, and asked again.", until: .refreshing)
        try await pause(.seconds(1))
        service.answer()
        await follow("It has answered.", until: .idle)
        await succeeding.value
    }
}
