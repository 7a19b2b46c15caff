// Article "Search": a query with a parameter of the service, and the same search over the stored
// models while the service is down.
// snippet.hide
#if TestServer && SQLite
import Foundation
import WharfTestServer

let folder = FileManager.default.temporaryDirectory.path + "/Search.\(ProcessInfo.processInfo.processIdentifier)"
let server = try await TestServer.start()
let baseURL = server.baseURL
server.route(.get, "/notes") { request in
    let notes = [
        #"{"id": 1, "title": "Café crème", "text": "milk"}"#, #"{"id": 2, "title": "Bread", "text": "with butter"}"#,
        #"{"id": 3, "title": "Milk rice", "text": "and cinnamon"}"#,
    ]
    let isSearch = request.query == "q=milk"
    return .json("[" + (isSearch ? [notes[0], notes[2]] : notes).joined(separator: ",") + "]")
}
// snippet.show
// snippet.model
import Wharf

struct Note: Identifiable, Codable, Sendable {
    let id: Int
    var title: String
    var text: String

    /// The searchable text.
    static let words = Field<Note, String>("words") { "\($0.title)\n\($0.text)" }
}

extension EntityKind<Note> {
    static let notes = EntityKind("note", codec: .json, indexes: [Note.words.index])
}
// snippet.end

var configuration = WharfStack.Configuration(baseURL: baseURL, cache: .file(folder + "/cache.sqlite"))
configuration.data = .file(folder + "/data.sqlite")
let stack = try await WharfStack.live(configuration)
let notes = stack.repository(.notes, at: "notes")

// snippet.service
func search(_ text: String) -> EntityQuery<Note> {
    EntityQuery().parameter("q", text, matching: Note.words.hasWords(text))
}

let found = try await notes.list(search("milk"))  // GET /notes?q=milk
print("the service:", found.map(\.title))
// snippet.end
_ = try await notes.list()

await server.stop()

// snippet.offline
let again = await notes.listSnapshot(search("milk"), policy: .networkFirst)
print("the same search:", again.value?.map(\.title) ?? [], again.error?.code ?? "")

let stored = await notes.storedListSnapshot(search("crem mil"))
print("what is stored:", stored.value?.map(\.title) ?? [])
// snippet.end

// snippet.pending
try await notes.edit(2) { $0.text += ", and milk" }
print("with the edit:", await notes.storedListSnapshot(search("milk")).value?.map(\.title) ?? [])
// snippet.end
// snippet.hide
await stack.close()
try FileManager.default.removeItem(atPath: folder)
#endif
// snippet.show

// snippet.output
// Output:
// the service: ["Café crème", "Milk rice"]
// the same search: ["Café crème", "Milk rice"] connectionFailed
// what is stored: ["Café crème"]
// with the edit: ["Café crème", "Bread", "Milk rice"]
