import Foundation
import Synchronization

/// The built binary as a process of its own.
final class Child: Sendable {
    struct Result {
        var status: Int32
        var wasSignalled: Bool
        var output: Data
        var error: String
    }

    private let process = Process()
    private let ended: AsyncStream<Void>
    private let output: Task<Data, Never>
    private let error: Task<Data, Never>

    var identifier: Int32 { process.processIdentifier }

    convenience init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(executable: Self.binary, arguments, environment)
    }

    func signal(_ number: Int32) { kill(identifier, number) }

    func end() async -> Result {
        for await _ in ended {}
        return Result(
            status: process.terminationStatus, wasSignalled: process.terminationReason == .uncaughtSignal,
            output: await output.value, error: String(decoding: await error.value, as: UTF8.self))
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
        try await Child(arguments, environment: environment).end()
    }

    /// A shell script that finds the binary as `$WHARF`.
    static func shell(_ script: String) async throws -> Result {
        try await Child(shell: script).end()
    }

    private convenience init(shell script: String) throws {
        try self.init(executable: URL(filePath: "/bin/sh"), ["-c", script], ["WHARF": Self.binary.path])
    }

    private init(executable: URL, _ arguments: [String], _ environment: [String: String]) throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.terminationHandler = { _ in continuation.finish() }
        output = Self.reading(out)
        error = Self.reading(err)
        try process.run()
    }

    private static func reading(_ pipe: Pipe) -> Task<Data, Never> {
        let handle = pipe.fileHandleForReading
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        Thread.detachNewThread {
            // A read that fails gives what came, which the test then finds too short.
            continuation.yield((try? handle.readToEnd()) ?? Data())
            continuation.finish()
        }
        return Task {
            var all = Data()
            for await piece in stream { all += piece }
            return all
        }
    }

    /// It stands beside the test bundle.
    private static var binary: URL {
        #if os(macOS)
        Bundle(for: Child.self).bundleURL.deletingLastPathComponent().appending(path: "wharf")
        #else
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "wharf")
        #endif
    }
}
