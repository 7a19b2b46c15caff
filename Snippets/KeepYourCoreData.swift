// Article "Keep your Core Data": the app keeps its own objects, and a repository reads through
// them.
// snippet.hide
import Synchronization
// snippet.show
// snippet.model
import Wharf
import WharfChecks
import WharfCoreLaws
import WharfStorage

struct Memo: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var text: String
}

extension EntityKind<Memo> {
    static let memos = EntityKind("memo", codec: .json)
}
// snippet.end

// snippet.stack
/// A stand-in for Core Data: objects with attributes, in a context that is saved as a whole or not
/// at all.
final class ObjectStack: Sendable {
    /// The entity that the app's screens fetch and show.
    struct MemoObject {
        let id: Int
        var text: String
        // New attributes, all of them optional in the data model.
        var account: String?
        var asOf: Int64 = 0
        var staleAt: Int64?
        var validator: String?
    }

    struct Context {
        var memos: [MemoObject] = []
        /// A new entity for the repository's other rows, such as the order of a list.
        var rows: [EntityKey: EntityRow] = [:]
    }

    private let saved = Mutex(Context())

    func perform<Result: Sendable>(_ body: (inout Context) throws -> Result) throws -> Result {
        try saved.withLock { saved in
            var context = saved
            let result = try body(&context)
            saved = context
            return result
        }
    }
}
// snippet.end

// snippet.rows
extension ObjectStack.MemoObject {
    init(_ row: EntityRow) throws {
        let memo = try EntityKind.memos.model(row)
        self.init(
            id: memo.id, text: memo.text, account: row.key.account?.name, asOf: row.asOf.nanoseconds,
            staleAt: row.staleAt?.nanoseconds, validator: row.validator)
    }

    func row() throws -> EntityRow {
        try EntityKind.memos.row(
            Memo(id: id, text: text), of: account.map { Account($0) }, asOf: WallTime(nanoseconds: asOf),
            staleAt: staleAt.map(WallTime.init(nanoseconds:)), validator: validator)
    }
}

extension ObjectStack.Context {
    mutating func apply(_ change: EntityChange) throws {
        let key = change.key
        guard key.kind == EntityKind.memos.name else {
            if case .put(let row) = change { rows[key] = row } else { rows[key] = nil }
            return
        }
        memos.removeAll { $0.account == key.account?.name && String($0.id) == key.id }
        if case .put(let row) = change { memos.append(try .init(row)) }
    }
}
// snippet.end

// snippet.store
extension ObjectStack {
    func entities(_ reporter: EntityChangeReporter = EntityChangeReporter()) -> ClosureEntityStore {
        ClosureEntityStore(reporter: reporter) { account, kind in
            try self.perform { context in
                guard kind == EntityKind.memos.name else {
                    return context.rows.values.filter { $0.key.account == account && $0.key.kind == kind }
                }
                return try context.memos.filter { $0.account == account?.name }.map { try $0.row() }
            }
        } commit: { changes in
            try self.perform { context in
                for change in changes { try context.apply(change) }
            }
        } removeAll: { account in
            try self.perform { context in
                context.memos.removeAll { $0.account == account?.name }
                context.rows = context.rows.filter { $0.key.account != account }
            }
        }
    }
}
// snippet.end

// snippet.hide
struct Unreachable: Error, CustomStringConvertible {
    let description = "the service is gone"
}
let isAlive = Mutex(true)
let source = RemoteSource<Memo>(get: { id in
    guard isAlive.withLock({ $0 }) else { throw Unreachable() }
    return Memo(id: id, text: "milk, bread")
})
// snippet.show
// snippet.use
let stack = ObjectStack()
let reporter = EntityChangeReporter()
let memos = Repository(.memos, in: stack.entities(reporter), remote: source)

_ = try await memos.get(id: 1)
print("an object:", try stack.perform { $0.memos.map(\.text) })

// snippet.hide
isAlive.withLock { $0 = false }
// snippet.show
// The service is down. A screen without Wharf changes its object and saves.
try stack.perform { $0.memos[0].text = "milk, bread, tea" }
reporter.tellAll { _ in true }  // by NSManagedObjectContextDidSave

let snapshot = await memos.snapshot(id: 1)
print("read:", snapshot.value?.text ?? "nothing", "from", snapshot.kept?.source ?? "nowhere")
print("error:", snapshot.error?.message ?? "none")
// snippet.end

// snippet.laws
for law in EntityStoreLaws.all {
    try await law.check(.init("the store over objects") { ObjectStack().entities() })
}
print("the store keeps its laws")
// snippet.end

// snippet.output
// Output:
// an object: ["milk, bread"]
// read: milk, bread, tea from store
// error: the source threw: the service is gone
// the store keeps its laws
