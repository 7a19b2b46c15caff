import LiveTransport
import WharfCore
import WharfHTTP
import WharfKillHarness
import WharfOutbox
import WharfSQLite
import WharfStorage

/// The life of an app: it opens its file, enqueues entries, and delivers them and earlier ones.
struct DeliverMode {
    private let values: [Substring: Substring]

    init(_ arguments: some Sequence<String>) {
        let pairs = arguments.map { $0.split(separator: "=", maxSplits: 1) }
        values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    private var clock: LaterWall { LaterWall(rounds: number("round")) }
    private var uptime: any UptimeClock {
        values["uptime"] == "still" ? StillUptime() : LaterUptime(rounds: number("round"))
    }

    private func number(_ name: Substring) -> Int { values[name].flatMap { Int($0) } ?? 0 }

    func run() async throws {
        let (file, store, outbox) = try await open()
        outbox.start()
        let (process, lanes, entries) = (number("process"), number("lanes"), number("entries"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for serial in 0..<entries {
                        try await enqueue("\(lane) \(process) \(serial)", "\(lane)", in: outbox)
                    }
                }
            }
            try await group.waitForAll()
        }
        if values["ends"] == "empty" {
            try await deliverAll(outbox)
            for row in try await store.rows(RowQuery(), of: nil, kind: "lane") {
                ProbeProcess.say("row \(String(decoding: row.bytes, as: UTF8.self))")
            }
        } else {
            _ = try await outbox.drain()
        }
        await outbox.close()
        try await file.close()
        ProbeProcess.say("ended")
    }

    func drain() async throws {
        let (file, _, outbox) = try await open()
        ProbeProcess.say("delivered \(try await outbox.drain().delivered)")
        await outbox.close()
        try await file.close()
        ProbeProcess.say("ended")
    }

    private func open() async throws -> (SQLiteDataFile, SQLiteWriteStore, OutboxEngine) {
        let halt = values["halt"]?.split(separator: ":")
        let steps = ProbeProcess.Steps(haltingAt: halt.map { (label: String($0[0]), times: Int($0[1]) ?? 1) })
        let file = try await SQLiteDataFile.open(
            at: String(values["file"] ?? ""), pollInterval: .milliseconds(20),
            probe: SQLiteDataProbe { steps.reached($0.rawValue) })
        ProbeProcess.say("open")
        let store = SQLiteWriteStore(file, uptime: uptime)
        var configuration = OutboxEngine.Configuration(clock: clock, uptime: uptime)
        configuration.retry = OutboxRetry(attempts: nil, time: nil, base: .milliseconds(100), cap: .milliseconds(400))
        // Longer than any machine needs from one process to the next.
        configuration.lease = .seconds(3_600)
        configuration.onIncident = { ProbeProcess.say("incident \($0.message)", to: 2) }
        let outbox = OutboxEngine(
            store: store,
            destinations: [
                HTTPDestination("api", try client("api", steps)),
                Mirror(HTTPDestination("mirror", try client("mirror", steps))),
            ], configuration: configuration)
        return (file, store, outbox)
    }

    private func client(_ destination: String, _ steps: ProbeProcess.Steps) throws -> APIClient {
        var fields = HTTPFields()
        if let sender = HTTPField.Name("Sender") { fields[sender] = "\(number("process"))" }
        return APIClient(
            environment: try APIEnvironment("\(values["origin"] ?? "")/\(destination)", fields: fields),
            transport: WatchedTransport(upstream: liveTransport(), name: destination, steps: steps))
    }

    /// Enqueues an entity and the entry that announces it, in one commit.
    private func enqueue(_ text: String, _ lane: String, in outbox: OutboxEngine) async throws {
        ProbeProcess.say("begins \(text)")
        let now = clock.now()
        let row = EntityRow(
            key: EntityKey(kind: "lane", id: lane), bytes: Array(text.utf8), asOf: now,
            fields: ["text": FieldValue(text)])
        let entry = OutboxRequest(.post, "notes", body: Array(text.utf8))
            .entry(outbox.newID(), lane: lane, to: "api", "mirror", at: now)
        try await outbox.enqueue([entry], changing: [.put(row)])
        ProbeProcess.say("enqueued \(text)")
    }

    private func deliverAll(_ outbox: OutboxEngine) async throws {
        while true {
            let records = try await outbox.store.records(of: nil, after: nil, limit: 100)
            if records.isEmpty { return }
            for record in records {
                let states = try await outbox.outcome(of: record.entry.id) ?? [:]
                for (destination, state) in states where state != .delivered {
                    ProbeProcess.end(1, "\(record.entry.id) is \(state) at \(destination)")
                }
            }
        }
    }
}

/// The uptime after the given number of rounds of 10,000 seconds, so that earlier leases have
/// expired.
private struct LaterUptime: UptimeClock {
    let rounds: Int
    private let system = SystemUptimeClock()

    init(rounds: Int) { self.rounds = rounds }

    func now() -> Uptime { system.now() + .seconds(10_000 * rounds) }
}

/// The same time in each process, so that no lease expires.
private struct StillUptime: UptimeClock {
    func now() -> Uptime { Uptime(boot: "still", nanoseconds: 0) }
}

/// The wall clock for ``LaterUptime``, so that failures of earlier rounds are due.
private struct LaterWall: WallClock {
    let rounds: Int
    private let system = SystemWallClock()

    init(rounds: Int) { self.rounds = rounds }

    func now() -> WallTime { system.now() + .seconds(10_000 * rounds) }
}

/// Prints when a request is sent, and when its answer has arrived.
private struct WatchedTransport: Transport {
    let upstream: any Transport
    let name: String
    let steps: ProbeProcess.Steps

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        steps.reached("sending-\(name)")
        let response = try await upstream.send(request)
        steps.reached("answered-\(name)")
        return response
    }
}
