import Synchronization
import WharfDependencies

/// A process that runs an app, with default values of its own and a record of its failures.
final class App: Sendable {
    private let values = DefaultValues()
    private let messages = Mutex<[String]>([])

    var failures: [String] { messages.withLock { $0 } }

    private var reporting: FailureReporting {
        FailureReporting(isTesting: { false }) { [self] message, _ in messages.withLock { $0.append(message) } }
    }

    func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try FailureReporting.local.withValue(reporting) {
            try Dependencies.local.withValue(Dependencies(values: values), operation: operation)
        }
    }

    func run<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        try await FailureReporting.local.withValue(reporting) {
            try await Dependencies.local.withValue(Dependencies(values: values), operation: operation)
        }
    }
}

private let numbers = Atomic(0)

/// A live value that numbers each time it is made.
enum Counted<Name>: LiveDependencyKey {
    static var unimplemented: Int { 0 }
    static var live: Int { numbers.add(1, ordering: .relaxed).newValue }
}

/// Counts how often each value of a key is made. One test reads each.
enum MadeOnce<Name>: LiveDependencyKey, PreviewDependencyKey {
    static var unimplemented: String { made() }
    static var live: String { made() }
    static var preview: String { made() }

    private static func made() -> String { "\(Self.self) \(numbers.add(1, ordering: .relaxed).newValue)" }
}

final class Count: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
}
