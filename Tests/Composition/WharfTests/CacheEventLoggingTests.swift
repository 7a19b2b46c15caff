import Logging
import Synchronization
import Testing
import Wharf
import WharfCache
import WharfFakes

@Suite struct CacheEventLoggingTests {
    private let lines = Lines()

    private var logger: Logger { Logger(label: "test", factory: { [lines] _ in Recorder(lines: lines) }) }

    private func log(_ event: CacheEvent) { event.log(to: logger) }

    private static let levels: [(CacheEvent.Kind, TransportError.Code?, Logger.Level)] = [
        (.hit, nil, .trace), (.miss, nil, .debug), (.stale(.permitted), nil, .debug),
        (.stale(.whileRevalidating), nil, .debug), (.revalidated, nil, .debug), (.collapsed, nil, .debug),
        (.passedOn, nil, .debug), (.stored, nil, .debug), (.notStored(.noStore), nil, .debug),
        (.removed(.invalidated), nil, .debug), (.evicted(.byteLimit), nil, .debug),
        (.revalidatedInBackground(.confirmed), nil, .debug),
        (.stale(.failure), .offline, .warning), (.failed, .offline, .warning),
        (.notStored(.incomplete), .connectionLost, .warning),
        (.revalidatedInBackground(.failed), .timedOut, .warning),
        // Neither is a fault of the network.
        (.failed, .cancelled, .debug), (.failed, .nothingKept, .debug),
    ]

    @Test(arguments: levels.indices)
    func kindDecidesTheLevel(index: Int) {
        let (kind, failure, level) = Self.levels[index]
        log(CacheEvent(kind, target: "https://h/a", failure: failure))
        #expect(lines.all.map(\.level) == [level])
        #expect(lines.all.first?.message == "cache \(kind.name)")
    }

    @Test func lineHasTheFactsOfTheEvent() {
        log(
            CacheEvent(
                .stale(.failure), target: "https://h/a", method: "HEAD", status: 200, byteCount: 5,
                failure: .serverFailed
            ).adding(forward: .stale, forwardStatus: 503, age: .seconds(90)))
        #expect(
            lines.all.first?.metadata == [
                "method": "HEAD", "target": "https://h/a", "reason": "failure", "forward": "stale", "status": "200",
                "forwardStatus": "503", "age": "90", "bytes": "5", "error": "serverFailed",
            ])
        lines.clear()
        log(CacheEvent(.hit, target: "https://h/a"))
        #expect(lines.all.first?.metadata == ["method": "GET", "target": "https://h/a"])
    }

    @Test func stackPassesTheEventsOfItsCacheOn() async throws {
        let network = StubTransport([.ok("1", fields: [.cacheControl: "max-age=86400"])])
        var configuration = WharfStack.Configuration(baseURL: "https://api.example.com", cache: .memory())
        configuration.fields[.cookie] = "id=s3cret"
        configuration.account = Account("s3cret-account")
        configuration.transport = network
        configuration.onCacheEvent = { [logger] event in event.log(to: logger) }
        let stack = try await WharfStack.live(configuration)
        let request = Request<Int>.get("n", query: ["key": "s3cret"])
        for _ in 0..<2 { #expect(await stack.client.snapshot(request).value == 1) }
        await stack.close()
        #expect(lines.all.map(\.message) == ["cache miss", "cache stored", "cache hit"])
        for line in lines.all {
            #expect(line.metadata["target"] == "https://api.example.com/n")
            #expect(!"\(line)".contains("s3cret"), "\(line)")
        }
    }

    @Test func stackPassesTheEvictionsOfItsCacheOn() async throws {
        let text = String(repeating: "a", count: 400)
        let network = StubTransport { _ in .ok(text, fields: [.cacheControl: "max-age=86400"]) }
        // There is room for one response.
        var configuration = WharfStack.Configuration(
            baseURL: "https://api.example.com", cache: .memory(byteLimit: 1_000))
        configuration.transport = network
        configuration.onCacheEvent = { [logger] event in event.log(to: logger) }
        let stack = try await WharfStack.live(configuration)
        for path in ["a", "b"] {
            let request = Request<String>.get(RequestPath(path), decoding: .text)
            #expect(await stack.client.snapshot(request).value == text)
        }
        await stack.close()
        let evicted = lines.all.filter { $0.message == "cache evicted" }
        #expect(evicted.map { $0.metadata["target"] } == ["https://api.example.com/a"])
        #expect(evicted.map { $0.metadata["reason"] } == ["byteLimit"])
    }
}

private final class Lines: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private let log = Mutex<[Line]>([])

    var all: [Line] { log.withLock { $0 } }

    func add(_ line: Line) { log.withLock { $0.append(line) } }
    func clear() { log.withLock { $0 = [] } }
}

private struct Recorder: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
        lines.add(.init(level: event.level, message: "\(event.message)", metadata: metadata))
    }
}
