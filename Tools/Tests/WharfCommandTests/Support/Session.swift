import Foundation
import Synchronization
import Wharf
import WharfChecks
import WharfFakes

@testable import WharfCommand

/// Runs the program in this process, repeatedly with one cache file and one clock.
final class Session: Sendable {
    /// The output and the exit status of a run.
    struct Result {
        var status: ProcessStatus
        var output: [UInt8]
        var error: String

        var text: String { String(decoding: output, as: UTF8.self) }
        /// The text of standard error without its last line end.
        var line: String { error.hasSuffix("\n") ? String(error.dropLast()) : error }
    }

    let clock = TestClock()
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs `wharf get` with this session's cache.
    func get(
        _ arguments: String..., input: String = "", columns: Int? = nil,
        writing: (@Sendable ([UInt8]) throws -> Void)? = nil
    ) async -> Result {
        await run(["get", "--cache", folder.path("cache.sqlite")] + arguments, input, columns, answer: nil, writing)
    }

    /// - Parameters:
    ///   - answer: the user's answer at a terminal; nil if there is no terminal.
    ///   - asked: called before the answer.
    ///   - pager: the value of `PAGER` if standard output is a terminal; nil for a run without a
    ///     terminal.
    ///   - report: receives the text of standard error when it is written.
    func run(
        _ arguments: [String], _ input: String = "", _ columns: Int? = nil, answer: String? = nil,
        _ writing: (@Sendable ([UInt8]) throws -> Void)? = nil, asked: (@Sendable () throws -> String?)? = nil,
        pager: String? = nil, report: (@Sendable (String) -> Void)? = nil
    ) async -> Result {
        let output = Collector()
        let error = Collector()
        let clock = clock
        let ticks = Ticks()
        var surroundings = Surroundings(
            readInput: { Array(input.utf8) },
            writeOutput: writing ?? { output.add($0) },
            writeError: { text in
                error.add(Array(text.utf8))
                report?(text)
            },
            ticks: { ticks.next() },
            environment: pager.map { ["PAGER": $0, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""] } ?? [:]
        )
        surroundings.readLine = asked ?? { answer }
        surroundings.inputIsTerminal = asked != nil || answer != nil
        surroundings.progressColumns = { columns }
        surroundings.outputIsTerminal = pager != nil
        surroundings.clock = clock.wall
        let status = await Program(surroundings).run(arguments)
        return Result(status: status, output: output.bytes, error: String(decoding: error.bytes, as: UTF8.self))
    }
}

/// A clock that advances by a second per reading, so that a progress bar is always due.
private final class Ticks: Sendable {
    private let now = Mutex(Duration.zero)

    func next() -> Duration {
        now.withLock { now in
            now += .seconds(1)
            return now
        }
    }
}

final class Collector: Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }
    func add(_ bytes: [UInt8]) { collected.withLock { $0 += bytes } }
}

/// A temporary folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = URL.temporaryDirectory.appending(path: "wharf-tools-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            print("left behind: \(url.path): \(error)")
        }
    }

    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    /// Returns the names in the folder, including hidden ones, without those of the cache.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
            .filter { !$0.hasPrefix("cache.sqlite") && !$0.hasPrefix(".cache.sqlite") }.sorted()
    }

    func contents(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }

    func write(_ text: String, to name: String) throws {
        try text.write(to: url.appending(path: name), atomically: false, encoding: .utf8)
    }
}
