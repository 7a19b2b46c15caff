/// A requirement of a contract, which can be checked against any conformer.
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
/// A law of your own contract has a ``Conformer`` as its subject. A law for all inputs takes a
/// ``Generator``:
///
/// ```swift
/// let law = Law<Conformer<any Vehicle>>("a throttle from 0 to 100 is taken", for: .int(in: 0...100)) { conformer, throttle in
///     let vehicle = try await conformer.make()
///     try vehicle.setThrottle(throttle)
/// }
/// ```
public struct Law<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// A true sentence, such as "nothing is visible before the commit".
    public let name: String
    private let body: @Sendable (Subject, _ seed: UInt64?) async throws -> Void

    /// Creates a law without inputs.
    ///
    /// - Parameter body: throws if the law does not hold, by ``require(_:_:)`` or with any error.
    public init(_ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.name = name
        self.body = { subject, _ in try await body(subject) }
    }

    /// Creates a law for all inputs of a generator.
    ///
    /// The ``LawViolation`` has the smallest input for which the law does not hold.
    ///
    /// - Parameters:
    ///   - runs: the number of inputs. `WHARF_RUNS` overrides it.
    ///   - body: throws if the law does not hold for the input. It runs once per input, so it makes
    ///     a new instance each time.
    public init<Input>(
        _ name: String, for inputs: Generator<Input>, runs: Int = 100,
        _ body: @escaping @Sendable (Subject, Input) async throws -> Void
    ) {
        self.init(name, forEach: { _ in inputs }, runs: runs, body)
    }

    /// Creates a law for inputs that depend on the subject.
    ///
    /// An example is a law for a type's values, whose subject is the type.
    public init<Input>(
        _ name: String, forEach inputs: @escaping @Sendable (Subject) -> Generator<Input>, runs: Int = 100,
        _ body: @escaping @Sendable (Subject, Input) async throws -> Void
    ) {
        self.name = name
        self.body = { subject, seed in
            try await forAll(inputs(subject), runs: runs, seed: seed, name: name) { try await body(subject, $0) }
        }
    }

    /// Checks the law for a subject.
    ///
    /// - Parameter seed: the seed of the first input, if the law has inputs. If it is nil,
    ///   `WHARF_SEED` is used. Without that, the seed depends on the law's name only, so that each
    ///   run tries the same inputs.
    /// - Throws: ``LawViolation`` with the names of the conformer and the law. ``GenerationError``
    ///   if there are no inputs. `CancellationError` if the task is cancelled before the law is
    ///   broken.
    public func check(_ subject: Subject, seed: UInt64? = nil) async throws {
        do {
            try await body(subject, seed)
        } catch let error as GenerationError {
            throw error
        } catch let error as Counterexample {
            throw LawViolation(
                conformer: String(describing: subject), law: name, found: error.found, counterexample: error)
        } catch {
            // A cancelled test is no violation. An error of this type that the body threw by itself
            // is one.
            if error is CancellationError { try Task.checkCancellation() }
            throw LawViolation(
                conformer: String(describing: subject), law: name, found: FailedRequirement(error).found,
                counterexample: nil)
        }
    }

    public var description: String { name }
}

/// An error that reports that a law does not hold for a conformer.
public struct LawViolation: Error, Sendable, CustomStringConvertible {
    /// The description of the conformer.
    public let conformer: String
    /// The name of the law.
    public let law: String
    /// The result that was found, in place of the one that the law demands.
    public let found: String
    /// The smallest input that breaks the law, if the law has inputs.
    public let counterexample: Counterexample?

    public var description: String {
        "\(conformer) breaks the law \"\(law)\": \(found)" + (counterexample.map { "\n\($0.details)" } ?? "")
    }
}
