import Synchronization
import WharfDependencies

/// The surroundings of an app, for a test: live values of its own, and what failed.
final class App: Sendable {
    private let live = LiveValues()
    private let messages = Mutex<[String]>([])

    var failures: [String] { messages.withLock { $0 } }

    private var reporting: FailureReporting {
        FailureReporting(isTesting: { false }) { [self] message, _ in messages.withLock { $0.append(message) } }
    }

    func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try FailureReporting.local.withValue(reporting) {
            try Dependencies.local.withValue(Dependencies(live: live), operation: operation)
        }
    }

    func run<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        try await FailureReporting.local.withValue(reporting) {
            try await Dependencies.local.withValue(Dependencies(live: live), operation: operation)
        }
    }
}

private let numbers = Atomic(0)

/// Each making takes the next number.
enum Counted<Name>: LiveDependencyKey {
    static var unimplemented: Int { 0 }
    static var live: Int { numbers.add(1, ordering: .relaxed).newValue }
}

/// It counts how often it is made; one test reads it.
enum MadeOnce: LiveDependencyKey {
    static let makings = Atomic(0)

    static var unimplemented: Int { 0 }
    static var live: Int { makings.add(1, ordering: .relaxed).newValue }
}
