import Synchronization
import Wharf

/// A fake service that answers on demand and can be stopped.
final class FilmService: Sendable {
    private struct State {
        var films = [
            Film(id: 1, title: "Ran", year: 1985), Film(id: 2, title: "Heat", year: 1995),
            Film(id: 3, title: "Brazil", year: 1985),
        ]
        var isGone = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The calls of `answer()` for which no request has come yet.
        var answers = 0
    }

    static let lifetime = Duration.seconds(2)

    private let state = Mutex(State())
    private let clock: any WallClock

    init(clock: any WallClock) { self.clock = clock }

    func die() { state.withLock { $0.isGone = true } }

    /// Restarts the service with one more film.
    func comeBack() {
        state.withLock { state in
            state.isGone = false
            state.films.append(Film(id: 4, title: "Amélie", year: 2001))
        }
    }

    /// Answers one request: a waiting one, or else the next.
    func answer() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.answers += 1
            return nil
        }
        next?.resume()
    }

    var source: RemoteSource<Film> {
        RemoteSource(
            get: { _, _ in Snapshot(kept: nil, error: ReadFailure(.unsupported, message: "there are lists only")) },
            list: { [self] _, mode in
                guard mode != .storedOnly else {
                    return Snapshot(kept: nil, error: ReadFailure(.nothingKept, message: "the service keeps nothing"))
                }
                await turn()
                let (films, isGone) = state.withLock { ($0.films, $0.isGone) }
                guard !isGone else {
                    return Snapshot(kept: nil, error: ReadFailure(.connectionFailed, message: "connection refused"))
                }
                let now = clock.now()
                return Snapshot(
                    kept: .init(value: films, source: .network, asOf: now, staleAt: now + Self.lifetime))
            })
    }

    private func turn() async {
        await withCheckedContinuation { continuation in
            let isOn = state.withLock { state in
                guard state.answers == 0 else {
                    state.answers -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isOn { continuation.resume() }
        }
    }
}
