// Articles A and D: an edit without a network is on the disk, survives a kill, and arrives once.
import Foundation
import Synchronization
import Wharf
import WharfSQLite
import WharfStorage

struct Note: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var text: String
}

/// The service: its note, its reachability, and the idempotency keys of the requests for changes.
struct Service: Sendable {
    var note = Note(id: 1, text: "milk")
    var version = 1
    var isReachable = true
    var keys: [IdempotencyKey?] = []
}
let service = Mutex(Service())

@Sendable func answer() -> Snapshot<Note> {
    service.withLock { service in
        guard service.isReachable else {
            return Snapshot(kept: nil, error: ReadFailure(.connectionFailed, message: "nobody listens"))
        }
        let head = HTTPResponse(status: .ok, headerFields: [.eTag: "\"\(service.version)\""])
        let now = SystemWallClock().now()
        return Snapshot(kept: .init(value: service.note, source: .network, asOf: now, response: head))
    }
}

let remote = RemoteSource<Note>(get: { _, _ in answer() }).writing { change, key in
    guard case .edit(let note, _, _) = change else { return Snapshot(kept: nil) }
    service.withLock { service in
        service.keys.append(key)
        if service.isReachable { (service.note, service.version) = (note, service.version + 1) }
    }
    return answer()
}

// snippet.start
struct App {
    let file: SQLiteDataFile
    let outbox: OutboxEngine
    let notes: Repository<Note>

    init(at path: String) async throws {
        file = try await SQLiteDataFile.open(at: path)
        let store = SQLiteWriteStore(file)
        outbox = OutboxEngine(store: store)
        notes = Repository(EntityKind("note", codec: .json), in: store, remote: remote, outbox: outbox)
        if let destination = notes.destination { outbox.register(destination) }
    }
}
// snippet.end

let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-\(UUID().uuidString)")
let path = folder.appending(path: "data.sqlite").path

// snippet.offline
let first = try await App(at: path)
_ = try await first.notes.get(id: 1)
service.withLock { $0.isReachable = false }
try await first.notes.edit(1) { $0.text = "milk, bread" }  // on the disk
print("offline:", try await first.outbox.drain().delivered, "delivered")
// snippet.end
try await first.file.close()  // stands for a kill

// snippet.restart
let second = try await App(at: path)
let shown = await second.notes.snapshot(id: 1, policy: .cacheOnly)
print("restarted:", shown.value?.text ?? "nothing", shown.kept?.isPending == true ? "(waiting)" : "")
service.withLock { $0.isReachable = true }
print("online:", try await second.outbox.drain().delivered, "delivered")
// snippet.end

let (text, attempts, keys) = service.withLock { ($0.note.text, $0.keys.count, Set($0.keys).count) }
print("the service has:", text)
print("\(attempts) attempts under \(keys) key")
await second.outbox.close()
try await second.file.close()
try FileManager.default.removeItem(at: folder)

// Output:
// offline: 0 delivered
// restarted: milk, bread (waiting)
// online: 1 delivered
// the service has: milk, bread
// 2 attempts under 1 key
