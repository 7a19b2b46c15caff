/// One thing that every conformer of a contract keeps, as a value that can be checked against any
/// of them.
///
/// A suite is an array of laws, so one parameterised test covers a conformer:
///
/// ```swift
/// @Test(arguments: CacheStoreLaws.all)
/// func myStoreKeeps(law: Law<CacheStoreLaws.Subject>) async throws {
///     try await law.check(.init { limit in MyStore(byteLimit: limit) })
/// }
/// ```
///
/// The laws of a contract of your own take a ``Conformer`` of it, and what ought to hold for any
/// input takes a ``Generator``:
///
/// ```swift
/// let law = Law<Conformer<any Vehicle>>("a throttle from 0 to 100 is taken", for: .int(in: 0...100)) { conformer, throttle in
///     let vehicle = try await conformer.make()
///     try vehicle.setThrottle(throttle)
/// }
/// ```
public struct Law<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// A sentence that holds: "nothing is visible before the commit".
    public let name: String
    private let body: @Sendable (Subject, _ seed: UInt64?) async throws -> Void

    /// - Parameter body: throws when the law does not hold, by ``require(_:_:)`` or any error.
    public init(_ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.name = name
        self.body = { subject, _ in try await body(subject) }
    }

    /// A law for any input. The smallest for which it does not hold is in the ``LawViolation``.
    ///
    /// - Parameters:
    ///   - runs: how many inputs are tried; `WHARF_RUNS` counts in its place.
    ///   - body: as above, for one input. It runs again for each, so it makes what it examines
    ///     anew.
    public init<Input>(
        _ name: String, for inputs: Generator<Input>, runs: Int = 100,
        _ body: @escaping @Sendable (Subject, Input) async throws -> Void
    ) {
        self.init(name, forEach: { _ in inputs }, runs: runs, body)
    }

    /// A law for any input that the subject says how to make, such as the values of a type that is
    /// the subject.
    public init<Input>(
        _ name: String, forEach inputs: @escaping @Sendable (Subject) -> Generator<Input>, runs: Int = 100,
        _ body: @escaping @Sendable (Subject, Input) async throws -> Void
    ) {
        self.name = name
        self.body = { subject, seed in
            try await forAll(inputs(subject), runs: runs, seed: seed, name: name) { try await body(subject, $0) }
        }
    }

    /// - Parameter seed: of the first input, where the law has inputs. Nil for `WHARF_SEED`, and
    ///   where that is not set for one that follows from the name of the law, so that each run
    ///   tries the same inputs.
    /// - Throws: ``LawViolation`` with the name of the conformer and of the law;
    ///   ``GenerationError`` when there are no inputs; `CancellationError` when the task is
    ///   cancelled before the law is broken.
    public func check(_ subject: Subject, seed: UInt64? = nil) async throws {
        do {
            try await body(subject, seed)
        } catch let error as GenerationError {
            throw error
        } catch let error as Counterexample {
            throw LawViolation(
                conformer: String(describing: subject), law: name, found: error.found, counterexample: error)
        } catch {
            if error is CancellationError { try Task.checkCancellation() }
            throw LawViolation(
                conformer: String(describing: subject), law: name, found: Broken(error).found, counterexample: nil)
        }
    }

    public var description: String { name }
}

/// A law that does not hold for a conformer.
public struct LawViolation: Error, Sendable, CustomStringConvertible {
    public let conformer: String
    public let law: String
    public let found: String
    /// The smallest input that breaks the law, where the law has inputs.
    public let counterexample: Counterexample?

    public var description: String {
        "\(conformer) breaks the law \"\(law)\": \(found)" + (counterexample.map { "\n\($0.details)" } ?? "")
    }
}
