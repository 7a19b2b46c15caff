// Article "Offline in ten minutes": two files on disk, and a service that dies. A second start
// still answers, and an edit waits for the service.
// snippet.hide
#if TestServer && SQLite
import Foundation
import WharfTestServer

let folder =
    FileManager.default.temporaryDirectory.path + "/OfflineInTenMinutes.\(ProcessInfo.processInfo.processIdentifier)"

/// The service's clock, two hours behind, so that the output shows an age.
struct TwoHoursBehind: WallClock {
    func now() -> WallTime { SystemWallClock().now() - .seconds(2 * 3_600) }
}

let server = try await TestServer.start(clock: TwoHoursBehind())
server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "milk, bread"}"#))
let baseURL = server.baseURL
// snippet.show
// snippet.model
import Wharf

struct Note: Identifiable, Codable, Sendable {
    let id: Int
    var text: String
}

extension EntityKind<Note> {
    static let notes = EntityKind("note", codec: .json)
}
// snippet.end

// snippet.start
/// Runs the app once, from opening its files to closing them.
func start(_ use: (Repository<Note>) async throws -> Void) async throws {
    var configuration = WharfStack.Configuration(baseURL: baseURL, cache: .file(folder + "/cache.sqlite"))
    configuration.data = .file(folder + "/data.sqlite")
    let stack = try await WharfStack.live(configuration)
    try await use(stack.repository(.notes, at: "notes"))
    await stack.close()
}
// snippet.end

// snippet.line
/// Returns a line that a screen could show about a snapshot.
func line(_ snapshot: Snapshot<Note>) -> String {
    guard let kept = snapshot.kept else { return "nothing yet: \(snapshot.error?.message ?? "no error")" }
    let minutes = kept.age(at: SystemWallClock().now()).components.seconds / 60
    let age = "\(kept.value.text) (from \(kept.source), \(minutes) min old)"
    return snapshot.error.map { "\(age), not refreshed: \($0.code)" } ?? age
}
// snippet.end

// snippet.twice
try await start { notes in
    print(line(await notes.snapshot(id: 1)))
}

await server.stop()

try await start { notes in
    print(line(await notes.snapshot(id: 1)))
    print(line(await notes.snapshot(id: 1, policy: .cacheOnly)))
}
// snippet.end

// snippet.edit
try await start { notes in
    try await notes.edit(1) { $0.text += ", butter" }  // on the disk when the call returns
    print(line(await notes.snapshot(id: 1, policy: .cacheOnly)))
}
// snippet.end

// snippet.hide
let back = try await TestServer.start(port: server.port)
back.route(.get, "/notes/1", .json(#"{"id": 1, "text": "milk, bread"}"#).etag("\"1\""))
back.route(.put, "/notes/1") { .json(String(decoding: $0.body, as: UTF8.self)).etag("\"2\"") }
// snippet.show
// snippet.arrival
try await start { notes in
    for await waiting in notes.observePending() where waiting.isEmpty { break }  // as soon as the service is back
    print(line(await notes.snapshot(id: 1, policy: .cacheOnly)))
}
// snippet.end
// snippet.hide
await back.stop()
try FileManager.default.removeItem(atPath: folder)
#endif
// snippet.show

// snippet.output
// Output:
// milk, bread (from network, 120 min old)
// milk, bread (from store, 120 min old), not refreshed: connectionFailed
// milk, bread (from memory, 120 min old)
// milk, bread, butter (from store, 120 min old)
// milk, bread, butter (from store, 0 min old)
