// Articles A and D: an edit is sent to the service, and does not overwrite the change of another
// client.
import Synchronization
import Wharf

struct Note: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var text: String
}

/// The service's note, and the number of its changes.
let service = Mutex((note: Note(id: 1, text: "milk"), version: 1))

@Sendable func answer() -> Snapshot<Note> {
    let (note, version) = service.withLock { $0 }
    let head = HTTPResponse(status: .ok, headerFields: [.eTag: "\"\(version)\""])
    return Snapshot(kept: .init(value: note, source: .network, asOf: SystemWallClock().now(), response: head))
}

// In an app: `stack.repository(at: "notes", payload: NotePayload.self) { … } payloadOf: { … }`.
let remote = RemoteSource<Note>(get: { _, _ in answer() }).writing { change, _ in
    guard case .edit(let note, _, let validator) = change else { return Snapshot(kept: nil) }
    let isCurrent = service.withLock { service in
        guard validator == "\"\(service.version)\"" else { return false }
        service = (note, service.version + 1)
        return true
    }
    if isCurrent { return answer() }
    let refusal = ReadFailure(
        .status, message: "412 Precondition Failed", response: HTTPResponse(status: .preconditionFailed))
    return Snapshot(kept: nil, error: refusal)
}
let notes = Repository(EntityKind("note", codec: .json), in: MemoryEntityStore(), remote: remote)

var shown = try await notes.get(id: 1)
var note = shown
note.text += ", bread"
print(await (try await notes.edit(note, basedOn: shown)).delivery())
shown = note

// Another device edits the note.
service.withLock { $0 = (Note(id: 1, text: "milk, bread, tea"), $0.version + 1) }
note.text += ", salt"
switch await (try await notes.edit(note, basedOn: shown)).delivery() {
case .conflict(let theirs):
    print("theirs:", theirs.value?.text ?? "none")
    print("shown:", await notes.snapshot(id: 1, policy: .cacheOnly).value?.text ?? "none")
case let outcome: print(outcome)
}

// Output:
// delivered(Optional(EditAndConflict.Note(id: 1, text: "milk, bread")))
// theirs: milk, bread, tea
// shown: milk, bread, tea
