// README, "An edit survives a restart": an edit over a data file, and its outcome.
#if TestServer && SQLite
import Foundation
import Wharf
import WharfTestServer

struct Note: Identifiable, Codable, Sendable {
    let id: Int
    var text: String
}

let folder =
    FileManager.default.temporaryDirectory.path + "/EditSurvivesRestart.\(ProcessInfo.processInfo.processIdentifier)"
let dataFile = DataLocation.file(folder + "/data.sqlite")
let server = try await TestServer.start()
server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "milk"}"#).etag("\"1\""))
server.route(.put, "/notes/1") { .json(String(decoding: $0.body, as: UTF8.self)).etag("\"2\"") }
let baseURL = server.baseURL

let earlier = try await WharfStack.live(baseURL: baseURL, data: dataFile)
let note = try await earlier.repository(EntityKind<Note>("note", codec: .json), at: "notes").get(id: 1)
await earlier.close()
var changed = note
changed.text += ", bread"

// snippet.edit
let stack = try await WharfStack.live(baseURL: baseURL, data: dataFile)  // in an app: .applicationSupport()
let notes = stack.repository(EntityKind<Note>("note", codec: .json), at: "notes")  // Note is Codable
let receipt = try await notes.edit(changed, basedOn: note)  // on the disk when the call returns
let outcome = await receipt.delivery()  // waits for delivered(_:), conflict(theirs:) or rejected(_:)
// snippet.end

if case .delivered(let current) = outcome { print("delivered:", current?.text ?? "no model") } else { print(outcome) }
await stack.close()
await server.stop()
try FileManager.default.removeItem(atPath: folder)
#endif

// Output:
// delivered: milk, bread
