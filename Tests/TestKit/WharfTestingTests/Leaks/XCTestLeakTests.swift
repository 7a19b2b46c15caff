import Testing
import WharfChecks
import XCTest

/// Real XCTest tests that pass.
final class XCTestLeakTests: XCTestCase {
    private final class Greeter {
        func greet(_ name: String) -> String { "Hello \(name)" }
    }
    private final class Room { var greeter: Greeter? }

    private var sut: Greeter!
    private var room: Room!

    override func setUp() {
        super.setUp()
        sut = Greeter()
        assertNil(sut, after: { self.sut = nil })
        // This action runs first, but both objects are checked after both actions.
        room = Room()
        room.greeter = sut
        assertNil(room, after: { self.room = nil })
    }

    func testAPropertyOfTheTestCase() {
        XCTAssertEqual(sut.greet("Paul"), "Hello Paul")
    }

    func testAnObjectOfTheMethod() {
        let greeter = Greeter()
        assertNilAfterTest(greeter)
        XCTAssertEqual(greeter.greet("Paul"), "Hello Paul")
    }

    func testAnObjectThatATaskHoldsForAWhile() async {
        assertNilAfterTest(Clean.task.make())
        await Task.yield()
    }

    @MainActor func testAnObjectOfTheMainActor() async {
        let greeter = Greeter()
        assertNilAfterTest(greeter)
        XCTAssertEqual(greeter.greet("Paul"), "Hello Paul")
    }
}

#if !canImport(ObjectiveC)
/// XCTest tests that must fail. They run inside a Swift Testing test, and report to it.
@Suite(.serialized) struct XCTestLeakFailureTests {
    /// A test case that records its own failures.
    private final class Case: XCTestCase {
        var failures: [(message: String, line: Int)] = []
        var held: AnyObject?
        var body: (Case) -> Void = { _ in }

        override func setUp() { body(self) }

        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            failures.append((description, lineNumber))
        }
    }

    /// Runs on a separate thread, as XCTest blocks it while it waits.
    private func failures(
        _ body: @escaping @Sendable (Case) -> Void
    ) async -> [(message: String, line: Int)] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let test = Case(name: "leaks") { _ in }
                test.body = body
                test.run()
                continuation.resume(returning: test.failures)
            }
        }
    }

    @Test func aLeakFailsAtTheLineThatRegisters() async {
        let leak = WeakReference<PairHolder>()
        let failures = await failures { test in
            let pair = PairHolder()
            leak.refer(to: pair)
            test.assertNilAfterTest(pair)
        }
        #expect(failures.map(\.line) == [#line - 2])
        let cycle = "It holds itself: PairHolder.partner → Partner.first → PairHolder."
        #expect(failures.first?.message.contains(cycle) == true)
        leak.object?.letGo()
    }

    @Test func objectStillHeldAfterTheActionFails() async {
        let failures = await failures { test in
            let object = NSObject()
            test.held = object
            test.assertNil(object, after: {})
        }
        #expect(failures.map(\.line) == [#line - 2])
    }

    @Test func nothingToCheckIsAFailure() async {
        let failures = await failures { test in
            test.assertNilAfterTest(nil)
            test.assertNil(nil, after: { Issue.record("the action ran") })
        }
        #expect(failures.map(\.line) == [#line - 3, #line - 2])
        #expect(failures.allSatisfy { $0.message.contains("is nil, so there is nothing to check") })
    }
}
#endif
