#if os(Linux) && TestServer
import Foundation
import Testing

/// Programs that some tests take for peers. A fresh machine need not have them; CI does.
enum Programs {
    static let python = needs("python3")
    static let nghttpd = needs("python3", "nghttpd")

    /// Skips a test where one of the programs is not on the PATH, and says which.
    private static func needs(_ names: String...) -> ConditionTrait {
        .enabled(if: names.allSatisfy(isThere), "needs \(names.joined(separator: " and ")) on the PATH")
    }

    private static func isThere(_ name: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
}
#endif
