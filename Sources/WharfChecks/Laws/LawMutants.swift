/// A conformer that is wrong in one way, and the law that must notice.
///
/// ```swift
/// let mutants = [
///     LawMutant(breaks: "an id is never used again", .init("counts from 1 again") { limit in ForgetfulStore(limit) })
/// ]
/// ```
public struct LawMutant<Subject: Sendable>: Sendable {
    /// The name of the law.
    public let breaks: String
    public let subject: Subject

    public init(breaks law: String, _ subject: Subject) {
        breaks = law
        self.subject = subject
    }
}

extension Law {
    /// Proves that this law can fail, and fails for what it says: each mutant of it breaks it, and
    /// no other law of its suite.
    ///
    /// ```swift
    /// @Test(arguments: CacheStoreLaws.all)
    /// func failsForItsMutantsAlone(law: Law<CacheStoreLaws.Subject>) async throws {
    ///     try await law.prove(by: mutants, in: CacheStoreLaws.all)
    /// }
    /// ```
    ///
    /// A mutant that is wrong by a race is tried several times before it counts as one that breaks
    /// nothing.
    ///
    /// - Parameters:
    ///   - mutants: those of all laws of the suite.
    ///   - suite: all laws, each under a name of its own.
    /// - Throws: ``Unproven`` when this law has no mutant, when one does not break it or breaks
    ///   another, and when one is of a law that is not in the suite.
    public func prove(by mutants: [LawMutant<Subject>], in suite: [Law]) async throws {
        let names = Dictionary(suite.map { ($0.name, 1) }, uniquingKeysWith: +)
        var found = names.filter { $0.value > 1 }.map { "\($0.value) laws have the name \"\($0.key)\"" }
        found += Set(mutants.map(\.breaks)).subtracting(names.keys).map { "a mutant is of no law: \"\($0)\"" }
        let own = mutants.filter { $0.breaks == name }
        if own.isEmpty { found.append("no mutant breaks it") }
        for mutant in own {
            if try await !isBroken(by: mutant.subject) { found.append("\(mutant.subject) does not break it") }
            found += try await suite.filter { $0.name != name }.violations(by: mutant.subject).map { "\($0)" }
        }
        guard found.isEmpty else { throw Unproven(law: name, found: found.sorted()) }
    }

    /// Only here a law gives up on what does not come; the other laws of the suite wait for the
    /// mutant as for any conformer.
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

    /// A law of which it is not shown that it can fail by itself.
    public struct Unproven: Error, Sendable, CustomStringConvertible {
        public let law: String
        /// What was seen in place of a mutant that breaks this law alone.
        public let found: [String]

        public var description: String {
            "expected mutants that break the law \"\(law)\" and no other, found: " + found.joined(separator: "; ")
        }
    }
}

extension Sequence {
    /// Every law that a conformer breaks, in their order. Empty for one that keeps them.
    public func violations<Subject>(by subject: Subject) async throws -> [LawViolation] where Element == Law<Subject> {
        var broken: [LawViolation] = []
        for law in self {
            do { try await law.check(subject) } catch let violation as LawViolation { broken.append(violation) }
        }
        return broken
    }
}
