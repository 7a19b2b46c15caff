import Demo
import Foundation
import Synchronization
import Testing
import Wharf

@Suite struct DemoTests {
    @Test func readsReportTheirSourceAfterTheServiceIsKilled() async throws {
        var (report, requests, time) = try await Self.run()
        // The first answer is fresh for three seconds of real time. On a machine that takes longer
        // for two reads, the second one would not come from the cache, so the test tries again.
        while time >= .seconds(1) { (report, requests, time) = try await Self.run() }

        let answered = (report.before + report.after).filter { $0.source == .network || $0.source == .revalidated }
        #expect(answered.count == 1)
        // The edit arrives once, and the user is requested again only after it.
        #expect(requests == ["GET /users/1", "PUT /users/1", "GET /users/1"])

        #expect(report.before.map(\.source) == [.network, .httpCache])
        #expect(report.before.allSatisfy { $0.error == nil && $0.isFresh })
        let byRead = Dictionary(uniqueKeysWithValues: report.after.map { ($0.read, $0) })
        for read in ["standard", "cache-first", "cache-only", "network-first", "observe, 1"] {
            let line = try #require(byRead[read])
            #expect(line.value == "Leanne Graham, Gwenborough")
            #expect(line.age.map { $0 >= .seconds(3) } == true && !line.isFresh)
        }
        for read in ["standard", "network-first", "network-only", "observe, 1"] {
            #expect(byRead[read]?.error?.code == .connectionFailed)
        }
        for read in ["cache-first", "cache-only"] {
            #expect(byRead[read]?.error == nil)
        }
        #expect(byRead["network-only"]?.value == nil)

        #expect(report.edited.map(\.event) == ["edited", "app restarted", "delivered", "asked again"])
        #expect(report.edited.allSatisfy { $0.value == "Leanne Graham, Berlin" })
        #expect(report.edited.map(\.isPending) == [true, true, false, false])
        #expect(report.edited.last?.source == .network)
    }

    /// - Returns: the report, the requests to the service, and the duration of both reads while it
    ///   was alive.
    private static func run() async throws -> (report: Demo.Report, requests: [String], time: Duration) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let log = folder.appending(path: "requests.log")
        let reads = Mutex<(start: ContinuousClock.Instant?, end: ContinuousClock.Instant?)>((nil, nil))
        let demo = Demo(
            origin: builtProducts.appending(path: "Origin").path(percentEncoded: false),
            log: log.path(percentEncoded: false),
            cache: .file(folder.appending(path: "cache.sqlite").path(percentEncoded: false)),
            data: folder.appending(path: "data.sqlite").path(percentEncoded: false)
        ) { line in
            let now = ContinuousClock.now
            reads.withLock { reads in
                if reads.start == nil, line.contains("source"), line.contains("age") { reads.start = now }
                if reads.end == nil, line.contains("second read") { reads.end = now }
            }
        }
        let report = try await demo.run { report in
            #expect(report.processID > 0)
            // Signal 0 tests whether the process exists.
            #expect(kill(report.processID, 0) == -1 && errno == ESRCH)
        }
        let requests = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
        let (start, end) = reads.withLock { $0 }
        return (report, requests, try #require(start).duration(to: try #require(end)))
    }

    /// The folder with the built executables, whether the tests run in a bundle (macOS) or as an
    /// executable (Linux).
    private static var builtProducts: URL {
        #if os(macOS)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return Bundle.main.bundleURL
    }
}
