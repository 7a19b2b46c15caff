import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfRepository
import WharfStores

/// `EntityKind.entityTags(by:)`: a service that puts the version of a model into its payload.
struct PayloadTagTests {
    private struct Page: Identifiable, Hashable, Sendable {
        let id: Int
        var title: String
        var text = ""
        var version = 1

        static let codec = Codec<Page>(members: .lines) { page in
            Array("id=\(page.id)\ntitle=\(page.title)\ntext=\(page.text)\nversion=\(page.version)".utf8)
        } decode: { bytes, _ in
            let values = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
                String($0.drop { $0 != "=" }.dropFirst())
            }
            guard values.count == 4, let id = Int(values[0]), let version = Int(values[3]) else {
                throw Unreadable(bytes: bytes)
            }
            return Page(id: id, title: values[1], text: values[2], version: version)
        }
    }

    private struct Unreadable: Error {
        let bytes: [UInt8]
    }

    /// A service that sends no `ETag`, and accepts an edit only with the tag of its current
    /// version.
    private final class Service: Sendable {
        struct State {
            var page = Page(id: 1, title: "one")
            var gets = 0
            var validators: [String?] = []
            var isTerse = false
        }

        let state = Mutex(State())
        let clock = TestClock()

        var source: RemoteSource<Page> {
            RemoteSource(
                get: { [self] _, _ in
                    state.withLock { state in
                        state.gets += 1
                        return answer(state.page)
                    }
                },
                list: { [self] _, _ in answer([state.withLock { $0.page }]) }
            ).writing { [self] change, _ in
                guard case .edit(var page, _, let validator) = change else { return Snapshot(kept: nil) }
                return state.withLock { state in
                    state.validators.append(validator)
                    if let validator, validator != "\"\(state.page.version)\"" {
                        return .init(kept: nil, error: .answer(412))
                    }
                    page.version = state.page.version + 1
                    state.page = page
                    return state.isTerse ? Snapshot(kept: nil) : answer(page)
                }
            }
        }

        private func answer<Value>(_ value: Value) -> Snapshot<Value> {
            Snapshot(kept: .init(value: value, source: .network, asOf: clock.wall.now()))
        }
    }

    private let service = Service()
    private let notes: Repository<Page>

    init() {
        let kind = EntityKind("page", codec: Page.codec).entityTags { "\"\($0.version)\"" }
        notes = Repository(
            kind, in: MemoryEntityStore(), remote: service.source, configuration: .init(clock: service.clock.wall))
    }

    @Test func aRowOfAListIsEditedWithoutARead() async throws {
        let row = try #require(try await notes.list().first)
        var changed = row
        changed.title = "mine"
        let receipt = try await notes.edit(changed, basedOn: row)
        #expect(await receipt.delivery() == .delivered(Page(id: 1, title: "mine", version: 2)))
        try await notes.edit(1) { $0.title = "again" }
        #expect(service.state.withLock { $0.validators } == ["\"1\"", "\"2\""])
        #expect(service.state.withLock { $0.gets } == 0)
    }

    @Test func anotherWritersMemberIsMerged() async throws {
        _ = try await notes.list()
        service.state.withLock { $0.page = Page(id: 1, title: "one", text: "theirs", version: 2) }
        let receipt = try await notes.edit(1) { $0.title = "mine" }
        #expect(await receipt.delivery() == .delivered(Page(id: 1, title: "mine", text: "theirs", version: 3)))
        #expect(service.state.withLock { $0.validators } == ["\"1\"", "\"2\""])
    }

    /// The model that was sent contains the version from before the edit.
    @Test func anAnswerWithoutABodyBringsNoTag() async throws {
        _ = try await notes.list()
        service.state.withLock { $0.isTerse = true }
        try await notes.edit(1) { $0.title = "mine" }
        try await notes.edit(1) { $0.title = "again" }
        #expect(service.state.withLock { $0.validators } == ["\"1\"", "\"2\""])
        #expect(service.state.withLock { $0.gets } == 1)
    }
}
