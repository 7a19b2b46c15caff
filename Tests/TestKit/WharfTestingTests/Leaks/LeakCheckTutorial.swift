// The article "Leak checks" quotes parts of this file, by the comments that begin with `snippet`.
import Testing
import WharfChecks
import XCTest

// snippet.presenter
private final class Screen {
    var title = ""
    var onClose: () -> Void = {}
}

private final class Presenter {
    private(set) var isOpen = true
    private let screen: Screen

    init(screen: Screen) {
        self.screen = screen
        screen.onClose = { [weak self] in self?.isOpen = false }
    }

    func greet(_ name: String) { screen.title = "Hello \(name)" }
}
// snippet.end

// snippet.test
@Suite(.trackingLeaks) struct PresenterTests {
    @Test func greetsByName() {
        let screen = Screen()
        let presenter = trackForLeaks(Presenter(screen: screen))
        presenter.greet("Paul")
        #expect(screen.title == "Hello Paul")
    }

    @Test func closesWithItsScreen() {
        let screen = trackForLeaks(Screen())
        let presenter = trackForLeaks(Presenter(screen: screen))
        screen.onClose()
        #expect(!presenter.isOpen)
    }
}
// snippet.end

// snippet.mistake
private final class ForgetfulPresenter {
    private var isOpen = true
    private let screen: Screen

    init(screen: Screen) {
        self.screen = screen
        screen.onClose = { self.isOpen = false }
    }
}
// snippet.end

private let closureMessage =
    // snippet.closureMessage
    """
    expected ForgetfulPresenter to be released after the test, but it is still alive 1.0 seconds later. \
    No visible property leads back to it, but reflection can't look into \
    ForgetfulPresenter.screen → Screen.onClose (a closure). Look there for a strong capture
    """
// snippet.end

// snippet.cycle
private final class Parent {
    var children: [Child] = []
}

private final class Child {
    let parent: Parent
    init(of parent: Parent) { self.parent = parent }
}
// snippet.end

private let cycleMessage =
    // snippet.cycleMessage
    """
    expected Parent to be released after the test, but it is still alive 1.0 seconds later. \
    It holds itself: Parent.children[0] → Child.parent → Parent. Make one of these references weak
    """
// snippet.end

@Suite struct LeakMessageTests {
    @Test(.fails(closureMessage, lines: 3), .trackingLeaks(within: .seconds(1), clock: HastyClock()))
    func leakThroughAClosureNamesTheClosure() {
        let screen = Screen()
        trackForLeaks(ForgetfulPresenter(screen: screen))
    }

    @Test(.fails(cycleMessage, lines: 3), .trackingLeaks(within: .seconds(1), clock: HastyClock()))
    func leakThroughACycleNamesTheCycle() {
        let parent = Parent()
        trackForLeaks(parent)
        parent.children = [Child(of: parent)]
    }
}

// snippet.action
private final class Coordinator {
    private(set) var sheet: Screen?
    func present() { sheet = Screen() }
    func dismiss() { sheet = nil }
}

@Suite struct CoordinatorTests {
    @Test func forgetsASheetThatIsDismissed() async {
        let coordinator = Coordinator()
        coordinator.present()
        await expectRelease(of: coordinator.sheet, after: { coordinator.dismiss() })
    }
}
// snippet.end

// snippet.xctest
final class PresenterXCTests: XCTestCase {
    private var sut: Presenter!

    override func setUp() {
        super.setUp()
        sut = Presenter(screen: Screen())
        assertNil(sut, after: { self.sut = nil })
    }

    func testItIsOpen() {
        XCTAssertTrue(sut.isOpen)
    }

    func testItsScreenIsReleased() {
        let screen = Screen()
        assertNilAfterTest(screen)
        sut = Presenter(screen: screen)
    }
}
// snippet.end
