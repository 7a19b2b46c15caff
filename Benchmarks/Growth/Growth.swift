internal import Fixtures
internal import Foundation
internal import WharfCore
internal import WharfJSON
internal import WharfOutbox
internal import WharfSQLite
internal import WharfStorage

/// Reports the growth of peak memory during one decode, and during a drain of an outbox.
///
/// It starts itself once per document and decoder, with the document in a file. So no decode reuses
/// memory that was freed before.
@main
struct Growth {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["drain"] { return try await drain() }
        guard arguments.count == 3 else { return try all() }
        try one(arguments[0], arguments[1], URL(filePath: arguments[2]))
    }

    private static func all() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-growth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("shapes", Documents.shapes(100_000, tagFirst: true)), ("users", Documents.users(10_000)),
        ] {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            for decoder in ["direct", "foundation"] { try start([name, decoder, file.path()]) }
        }
        // Only if the benchmarks of the outbox were asked for.
        if try Journals.fromEnvironment().exists(.drained) { try start(["drain"]) }
    }

    private static func start(_ arguments: [String]) throws {
        let child = Process()
        child.executableURL = URL(filePath: CommandLine.arguments[0])
        child.arguments = arguments
        try child.run()
        child.waitUntilExit()
        guard child.terminationStatus == 0 else { exit(child.terminationStatus) }
    }

    private static func drain() async throws {
        let file = try await Journals.fromEnvironment().openCopy(.drained)
        let outbox = OutboxEngine(store: SQLiteWriteStore(file), destinations: [NoOperation()])
        let before = try resetPeak()
        let report = try await outbox.drain()
        let growth = try resident() - before
        await outbox.close()
        try await file.close()
        guard report.delivered == Pending.drained.count else { throw NothingDrained(delivered: report.delivered) }
        let limit = 20_000_000
        print(
            "memory, outbox, drain of \(Pending.drained.count) in \(Pending.drained.lanes) lanes: growth "
                + "\(megabytes(growth)), target <= \(megabytes(limit)): \(growth <= limit ? "ok" : "falls short")")
    }

    private static func one(_ name: String, _ decoder: String, _ file: URL) throws {
        let data = try Data(contentsOf: file)
        let json = data.withUnsafeBytes { JSONBytes(copying: $0) }
        let growth =
            switch (name, decoder) {
            case ("shapes", "direct"): try peak { try JSON.decode([Shape].self, from: json).count }
            case ("users", "direct"): try peak { try JSON.decode([User].self, from: json).count }
            case ("shapes", _): try peak { try JSONDecoder().decode([Shape].self, from: data).count }
            default: try peak { try JSONDecoder().decode([User].self, from: data).count }
            }
        let ratio = String(format: "%.2f", Double(growth) / Double(data.count))
        print(
            "memory, \(name), \(decoder): payload \(megabytes(data.count)), growth \(megabytes(growth)), ratio \(ratio)"
        )
    }

    private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1_000_000) }

    /// Returns the growth of the peak resident memory during `body`.
    private static func peak(_ body: () throws -> Int) throws -> Int {
        let before = try resetPeak()
        guard try body() > 0 else { throw NothingDecoded() }
        return try resident() - before
    }

    /// On Linux, resets the peak to the current resident memory.
    ///
    /// - Returns: the peak.
    private static func resetPeak() throws -> Int {
        #if os(Linux)
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        #endif
        return try resident()
    }

    /// Returns the peak resident memory in bytes.
    private static func resident() throws -> Int {
        #if os(Linux)
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #endif
    }
}

struct NothingDecoded: Error {}

struct NothingDrained: Error {
    let delivered: Int
}
