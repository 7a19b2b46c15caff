public import WharfChecks
public import WharfCore
internal import WharfFakes

/// The laws of ``ReadableRepository``, for repositories over a `RemoteSource`.
///
/// ```swift
/// @Test(arguments: RepositoryLaws.all)
/// func myRepositoryKeeps(law: Law<RepositoryLaws.Subject>) async throws {
///     try await law.check(.init("MyRepository") { source, clock in MyRepository(source: source, clock: clock) })
/// }
/// ```
public enum RepositoryLaws {
    /// The model that the laws read.
    public struct Model: Identifiable, Hashable, Sendable {
        /// The id.
        public let id: Int
        /// The only other member.
        public let name: String

        /// Creates a model.
        public init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A kind of repository, as a closure that makes a new one for each case.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable (RemoteSource<Model>, any WallClock) -> any ReadableRepository<Model>

        /// Creates a kind of repository.
        ///
        /// - Parameter name: the name in the message of a violation.
        public init(
            _ name: String,
            make: @escaping @Sendable (RemoteSource<Model>, any WallClock) -> any ReadableRepository<Model>
        ) {
            self.description = name
            self.make = make
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] =
        RepositoryPolicyLaws.all + [
            undecodableAnswerLeavesTheLastGood, unreachableServiceLeavesTheLastGood, goneIsGone,
            sequenceStartsWithWhatIsKnown, sequenceSurvivesFailures, everySequenceSettles,
            networkOnlyObserversSeeNoKeptValue, readsReachObservers,
            sameReadsShareOneRequest, oneCancelledReaderLeavesTheOthers, listsFollowTheSamePolicies,
        ]

    static let old = Model(id: 1, name: "old")
    static let new = Model(id: 1, name: "new")
    static let unreachable = ReadFailure(.connectionFailed, message: "scripted: nobody listens")

    /// A repository over a scripted source, with a clock of its own.
    struct Stage {
        let clock = TestClock()
        let source: ScriptedSource<Model>
        let repository: any ReadableRepository<Model>

        init(_ subject: Subject, _ network: ScriptedSource<Model>.Network) {
            source = ScriptedSource(network, clock: clock.wall)
            repository = subject.make(source.source, clock.wall)
        }
    }

    static let undecodableAnswerLeavesTheLastGood = Law<Subject>(
        "an undecodable answer leaves the last good value in place, with the error beside it"
    ) { subject in
        for code in [ReadFailure.Code.undecodable, .unmappable, .tooLarge] {
            let stage = Stage(subject, .models([new]))
            _ = await stage.repository.snapshot(id: 1, policy: .networkFirst)
            stage.source.answer(.failure(ReadFailure(code, message: "scripted")))
            let answer = await stage.repository.snapshot(id: 1, policy: .networkFirst)
            try require(answer.value == new, "after \(code) the value is \(String(describing: answer.value))")
            try require(answer.error?.code == code, "after \(code) the error is \(String(describing: answer.error))")
            let kept = await stage.repository.snapshot(id: 1, policy: .cacheOnly)
            try require(kept.value == new, "after \(code) cacheOnly gives \(String(describing: kept.value))")
        }
    }

    static let unreachableServiceLeavesTheLastGood = Law<Subject>(
        "a value that no cache keeps survives an unreachable service while the repository lives"
    ) { subject in
        let stage = Stage(subject, .models([new]))
        _ = await stage.repository.snapshot(id: 1, policy: .networkFirst)
        stage.source.answer(.failure(unreachable))
        // The value is stale by now in every store that has it.
        stage.clock.advance(by: .seconds(3_600))
        let answer = await stage.repository.snapshot(id: 1, policy: .standard)
        try require(answer.value == new, "the value is \(String(describing: answer.value))")
        try require(answer.error == unreachable, "the error is \(String(describing: answer.error))")
        try require(answer.kept?.source != .network, "the value claims to come from the network")
    }

    static let goneIsGone = Law<Subject>("a deleted model does not come back with the next failure") {
        subject in
        let stage = Stage(subject, .models([new]))
        _ = await stage.repository.snapshot(id: 1, policy: .networkFirst)
        // The network says that it is gone (404). No cache may contradict that later.
        stage.source.answer(.models([]))
        let gone = await stage.repository.snapshot(id: 1, policy: .networkFirst)
        try require(gone.kept == nil, "a 404 is masked by \(String(describing: gone.value))")
        stage.source.answer(.failure(unreachable))
        let after = await stage.repository.snapshot(id: 1, policy: .networkFirst)
        try require(after.kept == nil, "after the 404 a failure brought back \(String(describing: after.value))")
    }

    static let sameReadsShareOneRequest = Law<Subject>("concurrent equal reads share one request") {
        subject in
        let stage = Stage(subject, .models([new]))
        let gate = Gate()
        stage.source.answer(.models([new]), gate: gate)
        let repository = stage.repository
        let crowd = CallersOnOneActor()
        try await withThrowingTaskGroup(of: Snapshot<Model>.self) { group in
            for _ in 0..<20 {
                group.addTask { await crowd.call { await repository.snapshot(id: 1, policy: .networkFirst) } }
            }
            // All twenty are inside their call, and the gate holds the first request.
            await crowd.inside(20)
            // A caller that leaves its actor must reach the gate too.
            await letOthersRun()
            gate.open()
            for try await answer in group {
                try require(answer.value == new, "a caller got \(String(describing: answer.value))")
            }
        }
        try require(stage.source.requests == 1, "\(stage.source.requests) requests for 20 callers")
    }

    static let oneCancelledReaderLeavesTheOthers = Law<Subject>(
        "a cancelled read ends at once, and other reads of the same model get their value"
    ) { subject in
        let stage = Stage(subject, .models([new]))
        let gate = Gate()
        stage.source.answer(.models([new]), gate: gate)
        let repository = stage.repository
        let crowd = CallersOnOneActor()
        let leaving = Task { await crowd.call { await repository.snapshot(id: 1, policy: .networkOnly) } }
        let staying = Task { await crowd.call { await repository.snapshot(id: 1, policy: .networkOnly) } }
        await crowd.inside(2)
        // Both share one request. The cancellation must end one reader, and not the request.
        leaving.cancel()
        let left = await leaving.value
        try require(left.error?.code == .cancelled, "the cancelled reader got \(String(describing: left.error))")
        gate.open()
        let stayed = await staying.value
        try require(stayed.value == new, "the other reader got \(String(describing: stayed.error))")
    }

    static let listsFollowTheSamePolicies = Law<Subject>("a list is kept and falls back as a single model does") {
        subject in
        let stage = Stage(subject, .models([old, Model(id: 2, name: "two")]))
        let first = await stage.repository.listSnapshot(policy: .standard)
        try require(first.value?.map(\.id) == [1, 2], "the list is \(String(describing: first.value))")
        stage.source.answer(.failure(unreachable))
        let second = await stage.repository.listSnapshot(policy: .networkFirst)
        try require(second.value?.map(\.id) == [1, 2], "without a network it is \(String(describing: second.value))")
        try require(second.error == unreachable, "the error is \(String(describing: second.error))")
        let only = await stage.repository.listSnapshot(policy: .networkOnly)
        try require(only.kept == nil, "networkOnly fell back on a kept list")
    }
}
