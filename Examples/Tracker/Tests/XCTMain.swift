import Testing
import XCTest

// On Linux, SwiftPM finds tests of XCTest through the index, and fails without one. A file of this
// name replaces that search. All tests here use Swift Testing, so the build needs no index.
@main
struct TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([])
    }
}
