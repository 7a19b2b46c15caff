import WharfTesting

/// The names of the laws that a conformer breaks.
func broken<Subject>(_ laws: [Law<Subject>], by subject: Subject) async throws -> [String] {
    var names: [String] = []
    for law in laws {
        do { try await law.check(subject) } catch let violation as LawViolation { names.append(violation.law) }
    }
    return names
}
