// Article "Sync": all models in the store, updated by their changes since a token.
// snippet.hide
#if TestServer && SQLite
import Foundation
import Synchronization
import WharfTestServer

let folder = FileManager.default.temporaryDirectory.path + "/Sync.\(ProcessInfo.processInfo.processIdentifier)"
let delta = Mutex(
    #"{"notes": [{"id": 1, "title": "Milk"}, {"id": 2, "title": "Bread"}], "deleted": [], "token": "t1", "more": false}"#
)
let server = try await TestServer.start()
let baseURL = server.baseURL
server.route(.get, "/notes/changes") { request in
    print("  GET /notes/changes" + (request.query.map { "?" + $0 } ?? ""))
    return .json(delta.withLock { $0 })
}
// snippet.show
// snippet.model
import Wharf

struct Note: Identifiable, Codable, Sendable {
    let id: Int
    var title: String

    static let byTitle = Field<Note, String>("title") { $0.title }
}

extension EntityKind<Note> {
    static let notes = EntityKind("note", codec: .json, indexes: [Note.byTitle.index])
}
// snippet.end

// snippet.source
/// The answer to `GET /notes/changes?since=<token>`.
struct Delta: Decodable {
    let notes: [Note]
    let deleted: [Note.ID]
    let token: String
    let more: Bool
}

func source(_ client: APIClient) -> RemoteSource<Note> {
    .http(client, at: "notes").syncing(client) { token in
        .get("notes/changes", query: token.map { ["since": $0] } ?? [])
    } page: { (delta: Delta) in
        SyncPage(changed: delta.notes, removed: delta.deleted, nextToken: delta.token, hasMore: delta.more)
    }
}
// snippet.end

var configuration = WharfStack.Configuration(baseURL: baseURL, cache: .file(folder + "/cache.sqlite"))
configuration.data = .file(folder + "/data.sqlite")
let stack = try await WharfStack.live(configuration)

// snippet.sync
let notes = stack.repository(.notes, source(stack.client))
let all = EntityQuery<Note>().sorted(by: Note.byTitle)

let first = try await notes.sync()
print("came: \(first.changedCount), gone: \(first.removedCount)")
print(await notes.storedListSnapshot(all).value?.map(\.title) ?? [])
// snippet.end

// snippet.hide
delta.withLock {
    $0 = #"{"notes": [{"id": 3, "title": "Butter"}], "deleted": [1], "token": "t2", "more": false}"#
}
// snippet.show
// snippet.again
let second = try await notes.sync()
print("came: \(second.changedCount), gone: \(second.removedCount)")
print(await notes.storedListSnapshot(all).value?.map(\.title) ?? [])
// snippet.end

await server.stop()

// snippet.offline
do {
    try await notes.sync()
} catch {
    print("not synced: \(error.code)")
}
print(await notes.storedListSnapshot(all).value?.map(\.title) ?? [])
// snippet.end
// snippet.hide
await stack.close()
try FileManager.default.removeItem(atPath: folder)
#endif
// snippet.show

// snippet.output
// Output:
//   GET /notes/changes
// came: 2, gone: 0
// ["Bread", "Milk"]
//   GET /notes/changes?since=t1
// came: 1, gone: 1
// ["Bread", "Butter"]
// not synced: connectionFailed
// ["Bread", "Butter"]
