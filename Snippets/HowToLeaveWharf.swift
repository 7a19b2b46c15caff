// Article "How to leave Wharf": an export as JSON, the file read by another SQLite library, and a
// protocol of the app's own.
// snippet.hide
#if SQLite
import Foundation
import GRDB
// snippet.show
// snippet.model
import Wharf
import WharfSQLite
import WharfStorage

struct Note: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let text: String
}

extension EntityKind<Note> {
    static let notes = EntityKind("note", codec: .json)
}
// snippet.end

// snippet.hide
let folder =
    FileManager.default.temporaryDirectory.path + "/HowToLeaveWharf.\(ProcessInfo.processInfo.processIdentifier)"
let path = folder + "/data.sqlite"
let file = try await SQLiteDataFile.open(at: path)
let source = RemoteSource<Note>(
    get: { _ in Note(id: 1, text: "milk, bread") },
    list: { _ in [Note(id: 1, text: "milk, bread"), Note(id: 2, text: "call Ann")] })
let notes = Repository(.notes, in: SQLiteEntityStore(file), account: Account("ann"), remote: source)
_ = try await notes.list()
try await SQLiteKeyValueStore(file).set(Array("dark".utf8), for: "theme")
// snippet.show
// snippet.contract
/// The protocol that the app's screens use. It has no type of Wharf.
protocol NoteShelf: Sendable {
    func note(_ id: Int) async throws -> Note
}

/// Today's conformance: one line for each method.
struct WharfNotes: NoteShelf {
    let notes: any ReadableRepository<Note>

    func note(_ id: Int) async throws -> Note { try await notes.get(id: id) }
}
// snippet.end

// snippet.export
/// Returns all entities of a kind as one JSON array. With a JSON codec the bytes of a row are a
/// JSON document.
func export(_ kind: String, of account: Account?, from store: any EntityStore) async throws -> String {
    let rows = try await store.rows(RowQuery(), of: account, kind: kind)
    return "[" + rows.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: ",\n ") + "]"
}

let json = try await export("note", of: Account("ann"), from: SQLiteEntityStore(file))
print(json)

let values = SQLiteKeyValueStore(file)
for key in try await values.keys(withPrefix: "") {
    print(key, "=", String(decoding: try await values.value(for: key) ?? [], as: UTF8.self))
}
// snippet.end

// snippet.tomorrow
/// Tomorrow's implementation: the same protocol over the exported file, read by Foundation.
struct PlainNotes: NoteShelf {
    let notes: [Note]

    init(_ json: String) throws { notes = try JSONDecoder().decode([Note].self, from: Data(json.utf8)) }

    func note(_ id: Int) async throws -> Note {
        guard let note = notes.first(where: { $0.id == id }) else { throw NoSuchNote() }
        return note
    }
}

struct NoSuchNote: Error {}

let shelves: [any NoteShelf] = [WharfNotes(notes: notes), try PlainNotes(json)]
for shelf in shelves { print(try await shelf.note(1).text) }
// snippet.end

// snippet.hide
notes.close()
// snippet.show
// snippet.sql
try await file.close()

// Any SQLite can read the file: `sqlite3 data.sqlite`, or GRDB as here.
let rows = try DatabaseQueue(path: path).read { db in
    try String.fetchAll(
        db,
        sql: """
            SELECT scope.account || ' ' || scope.kind || ' ' || entity.key || ' ' || CAST(entity.bytes AS TEXT)
            FROM entity JOIN scope ON scope.id = entity.scope
            WHERE scope.kind NOT LIKE '%/list' ORDER BY scope.kind, entity.key
            """)
}
for row in rows { print(row) }
// snippet.end
// snippet.hide
try FileManager.default.removeItem(atPath: folder)
#endif
// snippet.show

// snippet.output
// Output:
// [{"id":1,"text":"milk, bread"},
//  {"id":2,"text":"call Ann"}]
// theme = dark
// milk, bread
// milk, bread
// .ann note 1 {"id":1,"text":"milk, bread"}
// .ann note 2 {"id":2,"text":"call Ann"}
