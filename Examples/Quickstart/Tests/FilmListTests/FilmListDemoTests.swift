import FilmList
import Synchronization
import Testing
import Wharf

@Suite struct FilmListDemoTests {
    /// A clock that advances only by the demo's pauses.
    private final class ManualClock: WallClock {
        private let time = Mutex(WallTime(secondsSince1970: 1_000_000_000))

        func now() -> WallTime { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
    }

    private final class Output: Sendable {
        private let lines = Mutex<[String]>([])

        var text: String { lines.withLock { $0.joined(separator: "\n") } }
        func append(_ new: [String]) { lines.withLock { $0 += new } }
    }

    @Test func listGoesFromLoadingToStaleAndFreshAgain() async throws {
        let (clock, output) = (ManualClock(), Output())
        let demo = FilmListDemo(
            clock: clock, isTerminal: false, pause: { clock.pass($0) },
            show: { event, lines in output.append(["# \(event)"] + lines) })
        try await demo.run()
        #expect(
            output.text == """
                # The first read is on its way.
                Films
                  Loading ...
                # The service has answered.
                Films
                  The 1980s
                    1985  Ran
                    1985  Brazil
                  The 1990s
                    1995  Heat
                3 films
                # The service has died, and the list is asked for again.
                Films
                  Loading ...
                  The 1980s
                    1985  Ran
                    1985  Brazil
                  The 1990s
                    1995  Heat
                3 films
                # There is no answer.
                Films
                ! 4 s old, not refreshed: connection refused
                  The 1980s
                    1985  Ran
                    1985  Brazil
                  The 1990s
                    1995  Heat
                3 films
                # The service is back, and asked again.
                Films
                ! 7 s old, not refreshed: connection refused
                  Loading ...
                  The 1980s
                    1985  Ran
                    1985  Brazil
                  The 1990s
                    1995  Heat
                3 films
                # It has answered.
                Films
                  The 1980s
                    1985  Ran
                    1985  Brazil
                  The 1990s
                    1995  Heat
                  The 2000s
                    2001  Amélie
                4 films
                """)
    }

    @Test func bannerIsReversedOnATerminal() async throws {
        let (clock, output) = (ManualClock(), Output())
        let demo = FilmListDemo(
            clock: clock, isTerminal: true, pause: { clock.pass($0) }, show: { _, lines in output.append(lines) })
        try await demo.run()
        #expect(output.text.contains("\u{1B}[7m 4 s old, not refreshed: connection refused \u{1B}[0m"))
    }
}
