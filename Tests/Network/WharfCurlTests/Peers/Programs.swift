#if os(Linux) && TestServer
import Foundation
import Testing

/// The programs that some tests use as peers. CI has them, and another machine may not.
enum Programs {
    static let python = needs("python3")
    static let nghttpd = needs("python3", "nghttpd")

    /// Skips a test if one of the programs is not on the PATH, and names it.
    private static func needs(_ names: String...) -> ConditionTrait {
        .enabled(if: names.allSatisfy(isThere), "needs \(names.joined(separator: " and ")) on the PATH")
    }

    private static func isThere(_ name: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
}
#endif
