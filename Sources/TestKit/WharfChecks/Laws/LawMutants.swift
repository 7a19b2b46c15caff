/// A conformer with one defect, and the law that must detect it.
///
/// ```swift
/// let mutants = [
///     LawMutant(breaks: "an id is never used again", .init("counts from 1 again") { limit in ForgetfulStore(limit) })
/// ]
/// ```
public struct LawMutant<Subject: Sendable>: Sendable {
    /// The name of the law that must fail.
    public let breaks: String
    /// The conformer with the defect.
    public let subject: Subject

    /// Creates a mutant from the name of the law that it breaks.
    public init(breaks law: String, _ subject: Subject) {
        breaks = law
        self.subject = subject
    }
}

extension Law {
    /// Proves that this law can fail: each of its mutants breaks it and no other law.
    ///
    /// ```swift
    /// @Test(arguments: CacheStoreLaws.all)
    /// func failsForItsMutantsAlone(law: Law<CacheStoreLaws.Subject>) async throws {
    ///     try await law.prove(by: mutants, in: CacheStoreLaws.all)
    /// }
    /// ```
    ///
    /// A mutant whose defect is a race is tried several times before it counts as one that breaks
    /// nothing.
    ///
    /// - Parameters:
    ///   - mutants: the mutants of all laws of the suite.
    ///   - suite: all laws, with unique names.
    /// - Throws: ``Unproven`` if this law has no mutant, or if a mutant does not break it or breaks
    ///   another law. It is also thrown if a mutant's law is not in the suite.
    public func prove(by mutants: [LawMutant<Subject>], in suite: [Law]) async throws {
        let names = Dictionary(suite.map { ($0.name, 1) }, uniquingKeysWith: +)
        var found = names.filter { $0.value > 1 }.map { "\($0.value) laws have the name \"\($0.key)\"" }
        found += Set(mutants.map(\.breaks)).subtracting(names.keys).map { "a mutant names an unknown law: \"\($0)\"" }
        let own = mutants.filter { $0.breaks == name }
        if own.isEmpty { found.append("no mutant breaks it") }
        for mutant in own {
            if try await !isBroken(by: mutant.subject) { found.append("\(mutant.subject) does not break it") }
            // A mutant that breaks other laws too would prove nothing about this one.
            found += try await suite.filter { $0.name != name }.violations(by: mutant.subject).map { "\($0)" }
        }
        guard found.isEmpty else { throw Unproven(law: name, found: found.sorted()) }
    }

    /// Only this law stops waiting for an event that does not come. The suite's other laws wait for
    /// the mutant as for any conformer.
    private func isBroken(by mutant: Subject) async throws -> Bool {
        for effort in MutantProof.efforts {
            do {
                try await MutantProof.$effort.withValue(effort) { try await check(mutant) }
            } catch is LawViolation {
                return true
            }
        }
        return false
    }

    /// An error that reports that a law is not proved to fail by itself.
    public struct Unproven: Error, Sendable, CustomStringConvertible {
        /// The name of the law.
        public let law: String
        /// The findings, in place of a mutant that breaks this law alone.
        public let found: [String]

        public var description: String {
            "mutants must break the law \"\(law)\" and no other: " + found.joined(separator: "; ")
        }
    }
}

extension Sequence {
    /// Returns every law that a conformer breaks, in order. It is empty if the conformer keeps all.
    public func violations<Subject>(by subject: Subject) async throws -> [LawViolation] where Element == Law<Subject> {
        var broken: [LawViolation] = []
        for law in self {
            do { try await law.check(subject) } catch let violation as LawViolation { broken.append(violation) }
        }
        return broken
    }
}
