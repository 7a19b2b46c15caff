// Article A, the repository with a store as the source of truth: a second start of the app still
// answers while the service is down.
import Wharf

struct Note: Identifiable, Codable, Sendable {
    let id: Int
    let text: String
}

extension Note {
    static let byText = Field<Note, String>("text") { $0.text }
}

extension EntityKind<Note> {
    static let notes = EntityKind("note", codec: .json, indexes: [Note.byText.index], timeToLive: .zero)
}

struct Unreachable: Error, CustomStringConvertible {
    let description = "the service is gone"
}

// In an app `SQLiteEntityStore(try await SQLiteDataFile.open(at: path))`.
let store = MemoryEntityStore()

func start(_ service: @escaping @Sendable (Int) throws -> Note) -> Repository<Note> {
    Repository(.notes, in: store, remote: RemoteSource(get: { try service($0) }))
}

let first = start { id in Note(id: id, text: "milk, bread") }
print(try await first.get(id: 1).text)

let second = start { _ in throw Unreachable() }
let snapshot = await second.snapshot(id: 1)
print(snapshot.value?.text ?? "nothing", "from", snapshot.kept?.source ?? "nowhere")
print(snapshot.error?.message ?? "no error")

// A query over the store alone, by fields that the kind declares.
let local = Repository(.notes, in: store)
let found = try await local.list(EntityQuery().filter(Note.byText.hasPrefix("milk")).sorted(by: Note.byText))
print(found.map(\.id))

// Output:
// milk, bread
// milk, bread from store
// the source threw: the service is gone
// [1]
