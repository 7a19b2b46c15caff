import Testing
import WharfCore
import WharfRepository
import WharfStores
import WharfTesting

@Suite(.timeLimit(.minutes(10))) struct RepositoryLawTests {
    static let conformers: [RepositoryLaws.Subject] = [
        .init("RemoteRepository") { source, clock in RemoteRepository(source: source, clock: clock) },
        .init("AnyReadableRepository") { source, clock in
            AnyReadableRepository(RemoteRepository(source: source, clock: clock))
        },
        .init("StoredRepository") { source, clock in
            StoredRepository(.models, in: MemoryEntityStore(), remote: source, clock: clock)
        },
    ]

    @Test(arguments: conformers, RepositoryLaws.all)
    func keeps(conformer: RepositoryLaws.Subject, law: Law<RepositoryLaws.Subject>) async throws {
        try await law.check(conformer)
    }

    /// A law that nothing can break proves nothing.
    @Test(arguments: RepositoryMutant.all)
    func lawCatchesTheConformerThatBreaksIt(mutant: RepositoryMutant) async throws {
        var broken: [String] = []
        for law in RepositoryLaws.all {
            do {
                try await law.check(mutant.subject)
            } catch let violation as LawViolation {
                broken.append(violation.law)
            }
        }
        #expect(broken.contains { $0.contains(mutant.breaks) }, "broken were \(broken)")
    }
}
