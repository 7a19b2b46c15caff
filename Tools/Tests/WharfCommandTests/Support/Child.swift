import Foundation
import Subprocess
import Testing

/// The built binary as a child process.
final class Child: Sendable {
    struct Result {
        var status: Int32
        var wasSignalled: Bool
        var output: Data
        var error: String
    }

    private let signals: AsyncStream<Int32>.Continuation
    private let running: Task<Result, any Error>

    convenience init(_ arguments: [String], environment: [String: String] = [:]) {
        self.init(executable: Self.binary, arguments, environment)
    }

    func signal(_ number: Int32) { signals.yield(number) }

    /// Waits for the end of the process and of its output.
    func end() async throws -> Result {
        signals.finish()
        return try await running.value
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
        try await Child(arguments, environment: environment).end()
    }

    /// Runs the binary synchronously, for callers that can't suspend.
    ///
    /// - Parameter arguments: arguments without quotes.
    static func runToItsEnd(_ arguments: [String]) throws {
        let words = ([binary.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let child = try #require(popen("exec \(words) > /dev/null", "r"))
        try #require(pclose(child) == 0)
    }

    /// Runs a shell script in which `$WHARF` is the binary.
    static func shell(_ script: String, environment: [String: String] = [:]) async throws -> Result {
        try await started(script, environment: environment).end()
    }

    /// Starts such a script, so that it can get signals.
    static func started(_ script: String, environment: [String: String]) -> Child {
        Child(
            executable: URL(filePath: "/bin/sh"), ["-c", script],
            environment.merging(["WHARF": binary.path]) { mine, _ in mine })
    }

    private init(executable: URL, _ arguments: [String], _ environment: [String: String]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        signals = continuation
        let folder = executable.deletingLastPathComponent().path
        let path = [folder, ProcessInfo.processInfo.environment["PATH"] ?? ""].joined(separator: ":")
        let variables = environment.merging(["PATH": path]) { mine, _ in mine }.map { name, value in
            (Environment.Key(stringLiteral: name), String?.some(value))
        }
        running = Task {
            // By name and PATH, since a path would need a type of swift-system.
            let result = try await Subprocess.run(
                .name(executable.lastPathComponent), arguments: Arguments(arguments),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
                input: .none, output: .bytes(limit: 1 << 24), error: .string(limit: 1 << 20)
            ) { execution in
                for await number in stream { try execution.send(signal: Signal(rawValue: number)) }
            }
            let (status, wasSignalled) =
                switch result.terminationStatus {
                case .exited(let code): (code, false)
                case .signaled(let number): (number, true)
                }
            return Result(
                status: status, wasSignalled: wasSignalled, output: Data(result.standardOutput),
                error: result.standardError)
        }
    }

    /// The binary beside the test bundle.
    private static var binary: URL {
        #if os(macOS)
        Bundle(for: Child.self).bundleURL.deletingLastPathComponent().appending(path: "wharf")
        #else
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "wharf")
        #endif
    }
}
