import Observation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPresentation

@MainActor @Suite(.trackingLeaks) struct PresenterTests {
    @Test func delayedLoadReplacesTheShownItems() async throws {
        let presenter = trackForLeaks(TimedFilms())
        let clock = TestClock()
        let loading = Task { try await presenter.load(after: .seconds(5), on: clock) }
        let view = TextView(presenter: presenter)
        #expect(view.body == "1\n2\n3\n4\n5")
        var states = presenter.states.makeAsyncIterator()
        #expect(await states.next(isolation: #isolation)?.titles.count == 5)
        await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        #expect(await states.next(isolation: #isolation)?.titles.count == 2)
        #expect(view.body == "1\n2")
        view.tap(1)
        #expect(presenter.selected == [1])
        try await loading.value
    }

    @Test func observationTracksTheStateThatAViewReads() {
        let presenter = trackForLeaks(TimedFilms())
        let view = TextView(presenter: presenter)
        let changes = Mutex(0)
        func render() -> String {
            withObservationTracking {
                view.body
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        #expect(render() == "1\n2\n3\n4\n5" && changes.withLock { $0 } == 0)
        presenter.show("a")
        presenter.show("b")
        #expect(changes.withLock { $0 } == 1)
        #expect(render() == "b")
        presenter.add("c")
        #expect(changes.withLock { $0 } == 2 && view.body == "b\nc")
    }

    @Test func observersAreNotifiedBeforeTheChange() {
        let presenter = trackForLeaks(TimedFilms())
        presenter.show("before")
        let seen = Mutex<[String]?>(nil)
        withObservationTracking {
            _ = presenter.state
        } onChange: { [weak presenter] in
            MainActor.assumeIsolated { seen.withLock { $0 = presenter?.state.titles } }
        }
        presenter.show("after")
        #expect(seen.withLock { $0 } == ["before"] && presenter.state.titles == ["after"])
    }

    @Test func firstStateIsTheCurrentOne() async {
        let presenter = trackForLeaks(TimedFilms())
        presenter.show("now")
        let states = presenter.states
        presenter.show("later")
        #expect(states.latest.titles == ["later"])
        for _ in 1...2 {
            var iterator = states.makeAsyncIterator()
            #expect(await iterator.next(isolation: #isolation)?.titles == ["later"])
        }
    }

    @Test func stateChangedBetweenReadsIsNotLost() async {
        let presenter = trackForLeaks(TimedFilms())
        var states = presenter.states.makeAsyncIterator()
        _ = await states.next(isolation: #isolation)
        for title in ["a", "b", "c"] { presenter.show(title) }
        #expect(await states.next(isolation: #isolation)?.titles == ["c"])
    }

    @Test func aSlowReaderSkipsToTheNewest() async {
        let presenter = trackForLeaks(TimedFilms())
        var states = presenter.states.makeAsyncIterator()
        for round in 1...3 {
            for number in 1...100 { presenter.show("\(round).\(number)") }
            #expect(await states.next(isolation: #isolation)?.titles == ["\(round).100"])
        }
    }

    @Test func observersDoNotKeepThePresenter() async {
        var presenter: TimedFilms? = TimedFilms()
        let states = presenter?.states
        let changes = Mutex(0)
        withObservationTracking { [weak presenter] in
            _ = presenter?.state
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        let titles = Mutex<[[String]]>([])
        let reading = Task {
            for await state in states! { titles.withLock { $0.append(state.titles) } }
        }
        await waitUntil { titles.withLock { $0.count } == 1 }
        await expectRelease(of: presenter, after: { presenter = nil })
        // The reader's sequence ends too.
        await reading.value
        #expect(titles.withLock { $0 }.count == 1 && states?.latest.titles.count == 5)
    }

    @Test func lastStateIsReadAfterThePresenterIsReleased() async {
        var presenter: TimedFilms? = TimedFilms()
        var states = presenter?.states.makeAsyncIterator()
        presenter?.show("last")
        presenter = nil
        #expect(await states?.next(isolation: #isolation)?.titles == ["last"])
        #expect(await states?.next(isolation: #isolation) == nil)
    }

    @Test func cancelledReaderEnds() async {
        let presenter = trackForLeaks(TimedFilms())
        let read = Gate()
        let reading = Task {
            for await _ in presenter.states { await read.pass() }
        }
        await read.arrivals()
        read.open()
        await letOthersRun()
        reading.cancel()
        await reading.value
    }
}

/// A view that knows its presenter only by the protocol.
@MainActor private struct TextView<P: FilmListPresenter> {
    let presenter: P

    var body: String { presenter.state.titles.joined(separator: "\n") }
    func tap(_ row: Int) { presenter.select(row) }
}
