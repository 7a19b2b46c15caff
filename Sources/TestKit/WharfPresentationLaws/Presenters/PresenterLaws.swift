internal import Observation
internal import Synchronization
public import WharfChecks
internal import WharfCore
public import WharfPresentation

/// The laws of every presenter: all ways of observing it show the same states.
///
/// ```swift
/// @Test(arguments: PresenterLaws.all(for: FilmPresenter.self))
/// func myPresenterKeeps(law: Law<PresenterLaws.Subject<FilmPresenter>>) async throws {
///     try await law.check(.init("FilmPresenter") {
///         let presenter = FilmPresenter()
///         return .init(presenter) { presenter.select(0) }
///     })
/// }
/// ```
public enum PresenterLaws {
    /// A kind of presenter under test, as a function that makes presenters.
    public struct Subject<P: Presenter>: Sendable, CustomStringConvertible {
        public let description: String
        let make: @MainActor @Sendable () async throws -> Stage<P>

        /// Creates a subject from a function that makes a presenter.
        ///
        /// - Parameter make: makes a presenter with a change of its state. Called for each law.
        public init(_ name: String, _ make: @escaping @MainActor @Sendable () async throws -> Stage<P>) {
            description = name
            self.make = make
        }
    }

    /// A presenter without other owners, and an action that changes its state.
    @MainActor
    public struct Stage<P: Presenter> {
        let presenter: P
        let change: () async throws -> Void

        /// Creates a stage.
        ///
        /// - Parameter change: changes the state, and returns once it has changed.
        public init(_ presenter: P, change: @escaping () async throws -> Void) {
            self.presenter = presenter
            self.change = change
        }
    }

    /// Returns all laws for a type of presenter.
    public static func all<P: Presenter>(for type: P.Type) -> [Law<Subject<P>>] where P.State: Equatable {
        [
            Law("the states begin with the current one") { try await beginning($0) },
            Law("the states follow the state of the presenter") { try await following($0) },
            Law("an observer is told of a change once, and before it") { try await tracking($0) },
            Law("observers do not keep the presenter") { try await releasing($0) },
        ]
    }

    @MainActor
    private static func beginning<P: Presenter>(_ subject: Subject<P>) async throws where P.State: Equatable {
        let presenter = try await subject.make().presenter
        var states = presenter.states.makeAsyncIterator()
        let first = await states.next(isolation: #isolation)
        try require(first == presenter.state, "the first is \(first.map { "\($0)" } ?? "none"), not \(presenter.state)")
    }

    @MainActor
    private static func following<P: Presenter>(_ subject: Subject<P>) async throws where P.State: Equatable {
        let stage = try await subject.make()
        let (before, states) = (stage.presenter.state, stage.presenter.states)
        try await stage.change()
        try require(stage.presenter.state != before, "a change is no other state")
        try require(
            states.latest == stage.presenter.state, "the newest is \(states.latest), not \(stage.presenter.state)")
    }

    @MainActor
    private static func tracking<P: Presenter>(_ subject: Subject<P>) async throws where P.State: Equatable {
        let stage = try await subject.make()
        let before = stage.presenter.state
        let observed = Mutex<[P.State]>([])
        withObservationTracking {
            _ = stage.presenter.state
        } onChange: { [weak presenter = stage.presenter] in
            // Observation calls this before the change, so the state read here is the old one.
            MainActor.assumeIsolated {
                guard let presenter else { return }
                observed.withLock { $0.append(presenter.state) }
            }
        }
        try await stage.change()
        let seen = observed.withLock { $0 }
        try require(seen == [before], "it was told \(seen.count) times, at \(seen)")
    }

    @MainActor
    private static func releasing<P: Presenter>(_ subject: Subject<P>) async throws {
        var stage: Stage<P>? = try await subject.make()
        weak let presenter = stage?.presenter
        var states = stage?.presenter.states.makeAsyncIterator()
        // Both ways of observing are in use when the last owner leaves.
        _ = await states?.next(isolation: #isolation)
        withObservationTracking { [presenter = stage?.presenter] in
            _ = presenter?.state
        } onChange: {
        }
        stage = nil
        try require(await comesTrue { presenter == nil }, "it is still there when only observers are left")
    }
}
