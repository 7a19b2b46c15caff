import Testing
import XCTest

// On Linux SwiftPM finds XCTest tests by the index, and fails without one. A file of this name
// replaces that search. The tests here all use Swift Testing, so their build needs no index.
@main
struct TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([])
    }
}
