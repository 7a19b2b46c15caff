// A paged list: it shows the loaded pages, loads more while the user scrolls, and works while the
// service is down.
import Synchronization
import Wharf

struct Note: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let text: String
}

struct Unreachable: Error, CustomStringConvertible {
    let description = "the service is gone"
}

/// Ten notes, from an SDK that returns one page at a time.
let isGone = Mutex(false)

@Sendable func page(from start: Int, count: Int) throws -> Page<Note> {
    if isGone.withLock({ $0 }) { throw Unreachable() }
    let notes = (start..<min(start + count, 10)).map { Note(id: $0, text: "note \($0)") }
    return Page(notes, next: start + count < 10 ? .cursor("\(start + count)") : nil)
}

let remote = RemoteSource<Note>(get: { id in Note(id: id, text: "note \(id)") }).paged { question in
    guard case .cursor(let cursor)? = question.token else { return try page(from: 0, count: question.size) }
    return try page(from: Int(cursor) ?? 0, count: question.size)
}
// For a service that pages by `?page=` or by `Link` fields:
// `RemoteSource.http(…).paged(client, by: .number()) { _ in .get("notes") }`.

let store = MemoryEntityStore()
let kind = EntityKind<Note>("note", codec: .json)
let list = Repository(kind, in: store, remote: remote).pages(size: 4)

func show(_ list: PagedList<Note>) {
    let snapshot = list.snapshot
    print(snapshot.value?.items.map(\.id) ?? [], "more:", snapshot.value?.hasMore ?? false)
    if let error = snapshot.error { print(error.message) }
}

await list.refresh()
show(list)

// Call this when a row comes into view. Near the end of the loaded rows it requests the next page.
await list.loadMore(near: 0)
show(list)
await list.loadMore(near: 3)
show(list)

// A second start of the app while the service is down: the loaded pages come back, with the error.
isGone.withLock { $0 = true }
let later = Repository(kind, in: store, remote: remote).pages(size: 4)
for await snapshot in later.observe() where snapshot.error != nil { break }
show(later)
await later.loadMore()
show(later)

// Output:
// [0, 1, 2, 3] more: true
// [0, 1, 2, 3] more: true
// [0, 1, 2, 3, 4, 5, 6, 7] more: true
// [0, 1, 2, 3] more: true
// the source threw: the service is gone
// [0, 1, 2, 3, 4, 5, 6, 7] more: true
// the source threw: the service is gone
