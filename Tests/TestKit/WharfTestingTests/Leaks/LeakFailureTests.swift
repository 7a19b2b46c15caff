import Synchronization
import Testing
import WharfChecks
import WharfFakes

private final class Screen {
    var presenter: Presenter?
    var onClose: () -> Void = {}
}

private final class Presenter {
    let screen = Screen()
}

/// Each test leaks, so each must fail at the line that registers the object.
@Suite struct LeakFailureTests {
    @Test(
        .fails("Presenter to be released after the test", lines: 4),
        .trackingLeaks(within: .seconds(1), clock: HastyClock()))
    func aLeakFailsAtTheLineThatRegisters() {
        let presenter = trackForLeaks(Presenter())
        presenter.screen.presenter = presenter
    }

    @Test(
        .fails("Presenter to be", "Screen to be", lines: 5, 6), .trackingLeaks(within: .seconds(1), clock: HastyClock())
    )
    func eachLeakFailsAtItsOwnLine() {
        let presenter = Presenter()
        trackForLeaks(presenter)
        trackForLeaks(presenter.screen)
        trackForLeaks(Screen())
        presenter.screen.presenter = presenter
    }

    @Test(
        .fails("It holds itself: Presenter.screen → Screen.presenter → Presenter.", lines: 5),
        .trackingLeaks(within: .zero))
    func theMessageNamesThePropertiesThatCloseTheCycle() {
        let presenter = Presenter()
        trackForLeaks(presenter)
        presenter.screen.presenter = presenter
    }

    @Test(.fails("Pair to be", "Pair to be", "Pair to be", lines: 4), .trackingLeaks(within: .zero), arguments: [0])
    func aLoopReportsEachObject(_ first: Int) {
        for _ in first..<3 {
            final class Pair { var other: Pair? }
            let pair = trackForLeaks(Pair())
            pair.other = pair
        }
    }

    @Test func aCallWithoutTheTraitFails() {
        let line = #line + 2
        withKnownIssue {
            trackForLeaks(Screen())
        } matching: { issue in
            "\(issue)".contains("Add the trait .trackingLeaks to the test or its suite")
                && issue.sourceLocation?.line == line
        }
    }

    @Test(.trackingLeaks) func aDetachedTaskDoesNotKnowItsTest() async {
        await Task.detached {
            withKnownIssue {
                trackForLeaks(Screen())
            } matching: {
                "\($0)".contains("a task of it that is not detached")
            }
        }.value
    }

    @Test func aTaskThatOutlivesTheTestCanNotRegister() async throws {
        let gate = Gate()
        let late = Mutex<Task<Void, Never>?>(nil)
        try await LeakTracking.trackingLeaks.provideScope(for: #require(Test.current), testCase: Test.Case.current) {
            let task = Task {
                await gate.pass()
                withKnownIssue {
                    trackForLeaks(Screen())
                } matching: {
                    "\($0)".contains("after its test had ended")
                }
            }
            late.withLock { $0 = task }
        }
        gate.open()
        await late.withLock { $0 }?.value
    }
}
