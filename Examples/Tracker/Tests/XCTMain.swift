import Testing
import XCTest

// SwiftPM finds the tests of XCTest by the index on Linux, and fails without one. A file of this
// name replaces that search: the tests here are all of Swift Testing, so a build of them needs no
// index.
@main
struct TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([])
    }
}
