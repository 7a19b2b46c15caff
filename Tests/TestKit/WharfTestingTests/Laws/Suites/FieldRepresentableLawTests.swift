import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws

@Suite struct FieldRepresentableLawTests {
    private typealias Laws = FieldRepresentableLaws

    private enum Status: String, FieldRepresentable, CaseIterable { case open, done }

    /// Equality ignores case, but the stored field keeps it.
    private struct Tag: FieldRepresentable, Equatable, CustomStringConvertible {
        let description: String

        var fieldValue: FieldValue { FieldValue(description) }

        static func == (a: Self, b: Self) -> Bool { a.description.lowercased() == b.description.lowercased() }
    }

    @Test func typesComparedDirectlyByStoresKeepTheLaws() async throws {
        for law in Laws.all(for: Status.self) { try await law.check(.init("Status", .anyCase())) }
        for law in Laws.all(for: Int8.self) { try await law.check(.init("Int8", .int(in: -3...3))) }
        for law in Laws.all(for: Bool?.self) { try await law.check(.init("Bool?", .optional(.bool))) }
    }

    @Test func typeWithCoarserEqualityThanStorageBreaksTheLaw() async throws {
        let tags = Generator.element(of: ["a", "A", "b", "B"]).map { Tag(description: $0) }
        let violation = try await #require(throws: LawViolation.self) {
            try await Laws.all(for: Tag.self)[0].check(.init("Tag", tags))
        }
        #expect(violation.law == "values that are equal have equal field values")
        #expect(["(a, A)", "(A, a)"].contains(violation.counterexample?.input), "\(violation)")
    }
}
