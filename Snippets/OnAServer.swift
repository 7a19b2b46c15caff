// Article "On a server": two tenants and two processes over one data file, and a paused
// destination.
// snippet.hide
#if SQLite
import Foundation
import Synchronization

// snippet.show
// snippet.tenants
import Wharf
import WharfSQLite
import WharfStorage

/// A process. It opens the data file once, and has an outbox for each tenant.
struct Service {
    let file: SQLiteDataFile
    let outboxes: [Account: OutboxEngine]

    init(at path: String, tenants: [Account], sending destination: any Destination) async throws {
        file = try await SQLiteDataFile.open(at: path)
        let store = SQLiteWriteStore(file)
        outboxes = Dictionary(
            uniqueKeysWithValues: tenants.map { tenant in
                (tenant, OutboxEngine(store: store, account: tenant, destinations: [destination]))
            })
    }

    func close() async throws {
        for outbox in outboxes.values { await outbox.close() }
        try await file.close()
    }
}
// snippet.end

/// A stand-in for the service that receives invoices.
struct Billing: Destination {
    let name = "billing"
    let kinds: Set<String> = ["invoice"]

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        print("  billing:", entry.account?.name ?? "nobody", String(decoding: entry.payload, as: UTF8.self))
        return Delivery(.delivered)
    }
}

func send(_ text: String, of tenant: Account, by outbox: OutboxEngine) async throws {
    var entry = OutboxEntry(
        id: outbox.newID(), lane: "invoices", kind: .init("invoice"), payload: Array(text.utf8),
        targets: .all("billing"), enqueuedAt: SystemWallClock().now())
    entry.account = tenant
    try await outbox.enqueue(entry)
}

let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-\(UUID().uuidString)")
let path = folder.appending(path: "data.sqlite").path
let (acme, globex) = (Account("acme"), Account("globex"))

// Each opened file owns its leases, so two open files behave like two processes.
let web = try await Service(at: path, tenants: [acme, globex], sending: Billing())
let worker = try await Service(at: path, tenants: [acme, globex], sending: Billing())

// snippet.pause
try await worker.outboxes[acme]?.pause("billing", because: "prices are wrong")
// snippet.end
try await send("A-1", of: acme, by: web.outboxes[acme]!)
try await send("G-1", of: globex, by: web.outboxes[globex]!)

for tenant in [acme, globex] {
    let report = try await web.outboxes[tenant]!.drain()
    let waiting = report.paused.values.reduce(0, +)
    print("\(tenant.name): \(report.delivered) delivered, \(waiting) waiting for a paused destination")
}

// snippet.resume
try await web.outboxes[acme]?.resume("billing")
// snippet.end
let report = try await worker.outboxes[acme]!.drain()
print("acme, by the other process: \(report.delivered) delivered")

try await web.close()
try await worker.close()
try FileManager.default.removeItem(at: folder)
#endif

// snippet.output
// Output:
// acme: 0 delivered, 1 waiting for a paused destination
//   billing: globex G-1
// globex: 1 delivered, 0 waiting for a paused destination
//   billing: acme A-1
// acme, by the other process: 1 delivered
