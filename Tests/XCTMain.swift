import Testing
import XCTest

#if canImport(WharfDependenciesTests)
@testable import WharfDependenciesTests
#endif
#if canImport(WharfTestingTests)
@testable import WharfTestingTests
#endif

// Elsewhere than on Apple's platforms SwiftPM finds XCTest's tests by the index, and writing the index takes a third of a
// build. A file of this name replaces that search, so `make test` builds without an index, and the few tests of XCTest stand here.
@main
struct TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([])
    }
}
