public import WharfChecks
public import WharfCore
internal import WharfFakes

/// The laws of ``WritableRepository``, for repositories over a `RemoteSource`.
///
/// The repository must be readable too.
///
/// ```swift
/// @Test(arguments: WriteLaws.all)
/// func myRepositoryKeeps(law: Law<WriteLaws.Subject>) async throws {
///     try await law.check(.init("MyRepository") { source, clock in MyRepository(source: source, clock: clock) })
/// }
/// ```
public enum WriteLaws {
    /// The model that the laws write.
    public struct Note: Identifiable, Hashable, Sendable {
        /// The id.
        public let id: Int
        /// The first member that the laws edit.
        public var title: String
        /// The second member that the laws edit.
        public var text: String

        /// Creates a note.
        public init(id: Int, title: String, text: String = "") {
            self.id = id
            self.title = title
            self.text = text
        }
    }

    /// A kind of repository, as a closure that makes a new one for each case.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let keepsUndelivered: Bool
        let make: @Sendable (RemoteSource<Note>, any WallClock) -> any ReadWriteRepository<Note>

        /// Creates a kind of repository.
        ///
        /// - Parameter keepsUndelivered: whether undelivered changes wait in an outbox, for example
        ///   until the user has signed in.
        public init(
            _ name: String, keepsUndelivered: Bool = false,
            make: @escaping @Sendable (RemoteSource<Note>, any WallClock) -> any ReadWriteRepository<Note>
        ) {
            self.description = name
            self.keepsUndelivered = keepsUndelivered
            self.make = make
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = decisions + order + optimistic

    static let one = Note(id: 1, title: "one", text: "first")
    static let two = Note(id: 2, title: "two", text: "second")

    /// A repository over a scripted service, with a clock of its own.
    struct Stage {
        let clock = TestClock()
        let service: ScriptedOrigin<Note>
        let notes: any ReadWriteRepository<Note>

        /// Creates a stage whose repository has read and stored all models.
        init(_ subject: Subject, _ models: [Note] = [one, two]) async {
            service = ScriptedOrigin(models, clock: clock.wall)
            notes = subject.make(service.source, clock.wall)
            for policy in [.networkFirst, .cacheOnly, .cacheOnly] as [ReadPolicy] {
                for model in models { _ = await notes.snapshot(id: model.id, policy: policy) }
            }
        }

        /// Ends the law if a read without the network returns another model.
        func requireKnown(_ id: Int, _ expected: Note?) async throws {
            let known = await notes.snapshot(id: id, policy: .cacheOnly).value
            try require(known == expected, "a read of \(id) gave \(known.map { "\($0)" } ?? "nothing")")
        }
    }
}

extension WriteLaws.Note {
    /// The codec for stores in tests. Each field is a line and a member.
    public static let codec = Codec<Self>(members: members) { note in
        Array("id=\(note.id)\ntitle=\(note.title)\ntext=\(note.text)".utf8)
    } decode: { bytes, _ in
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 != "=" }.dropFirst() }
        guard fields.count == 3, let id = Int(fields[0]) else { throw FailedRequirement(found: "bytes of no note") }
        return Self(id: id, title: String(fields[1]), text: String(fields[2]))
    }

    private static let members = CodecMembers { bytes in
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            .init(String(decoding: line.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self), Array(line))
        }
    } join: { members in
        Array(
            members.map { member -> [UInt8] in
                guard case .value(let line) = member.part else { return [] }
                return line
            }.joined(separator: [UInt8(ascii: "\n")]))
    }
}
