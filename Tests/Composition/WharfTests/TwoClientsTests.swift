import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfCoreLaws
import WharfFakes
import WharfJSON
import WharfJSONFakes
import WharfRandom
import WharfTestServer

/// Two clients and a third writer edit the same notes over real sockets. The service checks each
/// edit that it accepts for a lost update.
///
/// `make simulate SEEDS=1-1000` runs it with other seeds.
struct TwoClientsTests {
    @Test(arguments: TwoClientsRun.Way.all)
    func noEditOverwritesAnUnseenChange(way: TwoClientsRun.Way) async throws {
        var taken = 0
        var conflicts = 0
        for seed in ChosenSeeds.chosen(otherwise: 1...8) {
            let result = try await TwoClientsRun(seed: seed, way).play()
            for violation in result.violations { Issue.record("\(way), seed \(seed): \(violation)") }
            (taken, conflicts) = (taken + result.taken, conflicts + result.conflicts)
        }
        #expect(taken > 0 && conflicts > 0)
    }
}

/// One run: ann edits with an outbox, bob without.
final class TwoClientsRun: Sendable {
    struct Way: Sendable, CustomTestStringConvertible {
        let method: EditMethod
        let hasTags: Bool

        static let all: [Way] = [.put, .patch(.mergePatch), .patch(.jsonPatch)].flatMap { method in
            [true, false].map { Way(method: method, hasTags: $0) }
        }

        var testDescription: String { "\(method)\(hasTags ? " with tags" : "")" }

        /// Whether the service refuses an edit that comes between a read and a write. Without
        /// entity tags only the `test` operations of a JSON Patch can do that.
        var refusesRaces: Bool { hasTags || method == .patch(.jsonPatch) }
    }

    struct Result: Sendable {
        var violations: [String] = []
        var taken = 0
        var conflicts = 0
    }

    struct Place: Codable, Sendable, Equatable {
        var city: String
        var street: String
    }

    struct Item: Codable, Sendable, Equatable {
        let id: Int
        var text: String
    }

    struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        var title: String
        var text: String
        var place: Place
        var items: [Item]

        init(id: Int) {
            (self.id, title, text) = (id, "title \(id)", "text \(id)")
            place = Place(city: "city \(id)", street: "street \(id)")
            items = [Item(id: 1, text: "item \(id) 1"), Item(id: 2, text: "item \(id) 2")]
        }

        /// The values, by the path to each.
        var values: [String: String] {
            var values = ["title": title, "text": text, "place.city": place.city, "place.street": place.street]
            for item in items { values["items.\(item.id)"] = item.text }
            return values
        }

        subscript(path: String) -> String? {
            get { values[path] }
            set {
                guard let newValue else { return }
                switch path {
                case "title": title = newValue
                case "text": text = newValue
                case "place.city": place.city = newValue
                case "place.street": place.street = newValue
                default:
                    guard let id = Int(path.dropFirst("items.".count)) else { return }
                    if let index = items.firstIndex(where: { $0.id == id }) {
                        items[index].text = newValue
                    } else {
                        items.append(Item(id: id, text: newValue))
                    }
                }
            }
        }
    }

    private struct State {
        var random: SeededGenerator
        var result = Result()
        var count = 2
        var history = EditHistory()
        var notes: [Int: (note: Note, version: Int)]
        var isOnline = true
    }

    private static let ids = [1, 2]
    private static let kind = EntityKind<Note>(
        "note", codec: .json(merging: [.members(of: "place"), .elements(of: "items", by: "id")]))

    private let state: Mutex<State>
    private let way: Way

    init(seed: UInt64, _ way: Way) {
        self.way = way
        let notes = Dictionary(uniqueKeysWithValues: Self.ids.map { ($0, (Note(id: $0), 1)) })
        state = Mutex(State(random: SeededGenerator(seed: seed), notes: notes))
    }

    private func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

    func play() async throws -> Result {
        try await TestServer.run { server in
            serve(server)
            let outbox = OutboxEngine(store: MemoryWriteStore())
            let ann = try await client("ann", server, outbox)
            let bob = try await client("bob", server, nil)
            // If the service refuses races, both edits are in flight at the same time.
            if way.refusesRaces {
                async let one: Void = edit(as: "ann", ann.notes, outbox)
                async let other: Void = edit(as: "bob", bob.notes, nil)
                _ = try await (one, other)
            } else {
                for _ in 0..<8 {
                    try await edit(as: "ann", ann.notes, outbox, steps: 3)
                    try await edit(as: "bob", bob.notes, nil, steps: 3)
                }
            }
            state.withLock { $0.isOnline = true }
            _ = try await outbox.drain()
            let left = try await ann.notes.conflicts().count
            state.withLock { $0.result.conflicts += left }
            await ann.stack.close()
            await bob.stack.close()
            await outbox.close()
        }
        return state.withLock { $0.result }
    }

    private func client(
        _ name: String, _ server: TestServer, _ outbox: OutboxEngine?
    ) async throws -> (stack: WharfStack, notes: Repository<Note>) {
        var configuration = WharfStack.Configuration(
            baseURL: server.baseURL, cache: .memory(), entities: MemoryEntityStore(), retry: .never)
        configuration.fields = [.userAgent: name]
        configuration.outbox = outbox
        let stack = try await WharfStack.live(configuration)
        let notes = stack.repository(Self.kind, at: "notes", editing: way.method, payload: Note.self) {
            $0
        } payloadOf: {
            $0
        }
        return (stack, notes)
    }

    // MARK: The people

    private func edit(
        as name: String, _ notes: Repository<Note>, _ outbox: OutboxEngine?, steps: Int = 12
    ) async throws {
        var forms: [Int: Note] = [:]
        for _ in 0..<steps {
            let id = Self.ids[random(0..<Self.ids.count)]
            switch random(0..<10) {
            case 0...1: forms[id] = await notes.snapshot(id: id, policy: .networkFirst).value ?? forms[id]
            case 2:
                let listed = await notes.listSnapshot(policy: .networkFirst).value ?? []
                forms[id] = listed.first { $0.id == id } ?? forms[id]
            case 3 where outbox != nil: state.withLock { $0.isOnline.toggle() }
            case 4: writeElsewhere(id)
            case 5 where outbox != nil: try await resolve(in: notes)
            case 6...7:
                let (path, value) = (newPath(), newValue())
                let mode: WriteMode = outbox != nil && random(0..<2) == 0 ? .optimistic : .confirmed
                let receipt = try? await notes.edit(id, mode) { [self] note in change(&note, path, value, by: name) }
                try await settle(receipt, outbox)
            default:
                guard let shown = forms[id] else { continue }
                var changed = shown
                change(&changed, newPath(), newValue(), by: name)
                try await settle(try? await notes.edit(changed, basedOn: shown), outbox)
            }
        }
    }

    private func settle(_ receipt: WriteReceipt<Note>?, _ outbox: OutboxEngine?) async throws {
        _ = try await outbox?.drain()
        guard outbox == nil, case .conflict? = await receipt?.delivery() else { return }
        state.withLock { $0.result.conflicts += 1 }
    }

    private func resolve(in notes: Repository<Note>) async throws {
        guard let conflict = try await notes.conflicts().first else { return }
        state.withLock { $0.result.conflicts += 1 }
        guard let mine = conflict.mine, let theirs = conflict.theirs, random(0..<3) > 0 else {
            return try await notes.resolve(conflict, with: .theirs)
        }
        state.withLock { state in
            for (path, value) in mine.values {
                guard let shown = theirs[path], shown != value else { continue }
                state.history.intend(value, over: shown, by: "ann")
            }
        }
        try? await notes.resolve(conflict, with: .mine)
    }

    private func newPath() -> String {
        // One member is drawn often, so that conflicts occur.
        let paths = [
            "title", "title", "title", "text", "place.city", "place.street", "items.1", "items.2", "items.new",
        ]
        let path = paths[random(0..<paths.count)]
        guard path == "items.new" else { return path }
        return state.withLock { state in
            state.count += 1
            return "items.\(state.count)"
        }
    }

    private func newValue() -> String {
        state.withLock { state in
            state.count += 1
            return "value \(state.count)"
        }
    }

    private func change(_ note: inout Note, _ path: String, _ value: String, by writer: String) {
        let shown = note[path]
        note[path] = value
        state.withLock { $0.history.intend(value, over: shown ?? "nothing", by: writer) }
    }

    /// Changes a note at the service, on behalf of a third writer.
    private func writeElsewhere(_ id: Int) {
        let (path, value) = (newPath(), newValue())
        state.withLock { state in
            guard case (var note, let version)? = state.notes[id] else { return }
            note[path] = value
            state.history.wrote(value, by: "elsewhere")
            state.notes[id] = (note, version + 1)
        }
    }

    // MARK: The service

    private func serve(_ server: TestServer) {
        server.route(.get, "/notes") { [self] request in
            guard isReached(request) else { return .raw([]) }
            let notes = state.withLock { state in Self.ids.compactMap { state.notes[$0]?.note } }
            return Self.json(notes)
        }
        server.route(.get, "/notes/:id") { [self] request in
            guard isReached(request) else { return .raw([]) }
            guard let id = request.id, let found = state.withLock({ $0.notes[id] }) else { return .status(.notFound) }
            if way.refusesRaces, random(0..<4) == 0 { writeElsewhere(id) }
            return answer(found)
        }
        for method in [HTTPRequest.Method.put, .patch] {
            server.route(method, "/notes/:id") { [self] request in
                guard isReached(request), let id = request.id else { return .raw([]) }
                let taken = state.withLock { take(request, id, &$0) }
                if random(0..<4) == 0 { writeElsewhere(id) }
                // The answer is lost.
                return random(0..<8) == 0 ? .raw([]) : taken
            }
        }
    }

    private func isReached(_ request: TestRequest) -> Bool {
        request.fields[.userAgent]?.hasPrefix("ann") != true || state.withLock { $0.isOnline }
    }

    private func take(_ request: TestRequest, _ id: Int, _ state: inout State) -> TestResponse {
        guard let (before, version) = state.notes[id] else { return .status(.notFound) }
        if let tag = request.fields[.ifMatch], tag != "\"\(version)\"" { return .status(.preconditionFailed) }
        do {
            guard let after = try made(request, of: before) else { return .status(.conflict) }
            judge(before, after, request.fields[.userAgent]?.hasPrefix("ann") == true ? "ann" : "bob", &state)
            state.notes[id] = (after, version + 1)
            return answer((after, version + 1))
        } catch {
            state.result.violations.append(
                "\(request.method) with \(String(decoding: request.body, as: UTF8.self)): \(error)")
            return .status(.badRequest)
        }
    }

    /// Applies the request's change, or returns nil if a `test` operation fails.
    private func made(_ request: TestRequest, of before: Note) throws -> Note? {
        let sent = try JSON.decode(JSONValue.self, from: JSONBytes(request.body))
        let old = try JSON.decode(JSONValue.self, from: JSONBytes(CodableJSONEncoder().encode(before)))
        var new: JSONValue? = sent
        switch request.fields[.contentType] {
        case "application/merge-patch+json": new = old.applying(mergePatch: sent)
        case "application/json-patch+json": new = old.applying(jsonPatch: sent)
        default: break
        }
        guard let new else { return nil }
        return try CodableJSONDecoder().decode(Note.self, from: JSONBytes(JSON.encode(new)))
    }

    private func answer(_ found: (note: Note, version: Int)) -> TestResponse {
        let answer = Self.json(found.note)
        return way.hasTags ? answer.etag("\"\(found.version)\"") : answer
    }

    private static func json(_ value: some Encodable) -> TestResponse {
        guard let bytes = try? CodableJSONEncoder().encode(value) else { return .status(.internalServerError) }
        return .json(String(decoding: bytes, as: UTF8.self))
    }

    /// Checks that each member that an edit changed had a value that the editor has seen, or a
    /// value written by the same client.
    private func judge(_ old: Note, _ new: Note, _ client: String, _ state: inout State) {
        if old == new { return }
        state.result.taken += 1
        let after = new.values
        for (path, was) in old.values where after[path] != was {
            guard let now = after[path] else {
                state.result.violations.append("\(client) has removed \(path) with \(was)")
                continue
            }
            if !state.history.mayPut(now, over: was, by: client) {
                state.result.violations.append("\(client) has put \(now) over \(was)")
            }
        }
        for (path, now) in after where old[path] != now { state.history.wrote(now, by: client) }
    }
}

extension TestRequest {
    fileprivate var id: Int? { parameters["id"].flatMap { Int($0) } }
}
