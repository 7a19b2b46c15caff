import Testing
import XCTest

#if canImport(WharfDependenciesTests)
@testable import WharfDependenciesTests
#endif
#if canImport(WharfTestingTests)
@testable import WharfTestingTests
#endif

// Elsewhere than on Apple's platforms SwiftPM finds XCTest's tests by the index, and writing the
// index takes a third of a build. A file of this name replaces that search, so `make test` builds
// without an index, and the few tests of XCTest stand here. A test that is missing here does not
// run there.
@main
struct TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain(xcTests)
    }

    /// Empty for a target that `WHARF_ONLY` left out.
    private static var xcTests: [XCTestCaseEntry] {
        var tests: [XCTestCaseEntry] = []
        #if canImport(WharfDependenciesTests)
        tests += [
            testCase([
                (
                    "testAnUnimplementedEndpointFailsTheTestWhereItIsDeclared",
                    XCTestFailureTests.testAnUnimplementedEndpointFailsTheTestWhereItIsDeclared
                ),
                ("testAThrowingEndpointFailsTheTestOnce", XCTestFailureTests.testAThrowingEndpointFailsTheTestOnce),
            ])
        ]
        #endif
        #if canImport(WharfTestingTests)
        tests += [
            testCase([
                ("testAPropertyOfTheTestCase", XCTestLeakTests.testAPropertyOfTheTestCase),
                ("testAnObjectOfTheMethod", XCTestLeakTests.testAnObjectOfTheMethod),
                (
                    "testAnObjectThatATaskHoldsForAWhile",
                    asyncTest(XCTestLeakTests.testAnObjectThatATaskHoldsForAWhile)
                ),
                (
                    "testAnObjectOfTheMainActor",
                    asyncTest { (test: XCTestLeakTests) in
                        // XCTest waits for the method, so no other code has the test case in the
                        // meantime.
                        nonisolated(unsafe) let test = test
                        return { await test.testAnObjectOfTheMainActor() }
                    }
                ),
            ]),
            testCase([
                ("testItIsOpen", PresenterXCTests.testItIsOpen),
                ("testItsScreenIsReleased", PresenterXCTests.testItsScreenIsReleased),
            ]),
        ]
        #endif
        return tests
    }
}
