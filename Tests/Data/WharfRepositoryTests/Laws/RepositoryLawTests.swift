import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

struct RepositoryLawTests {
    static let conformers: [RepositoryLaws.Subject] = [
        .init("Repository over a source") { source, clock in
            Repository(source: source, configuration: .init(clock: clock))
        },
        .init("AnyReadableRepository") { source, clock in
            AnyReadableRepository(Repository(source: source, configuration: .init(clock: clock)))
        },
        .init("Repository over a store") { source, clock in
            Repository(.models, in: MemoryEntityStore(), remote: source, configuration: .init(clock: clock))
        },
        .init("within") { source, clock in
            Repository(source: source, configuration: .init(clock: clock)).within(
                .seconds(1), clock: clock, timer: TestClock())
        },
        .init("orElse") { source, clock in
            let nothing = ScriptedSource<RepositoryLaws.Model>(
                .failure(ReadFailure(.nothingKept, message: "scripted")), clock: clock)
            return Repository(source: source, configuration: .init(clock: clock))
                .orElse(Repository(source: nothing.source, configuration: .init(clock: clock)), named: "nothing")
        },
    ]

    @Test(arguments: conformers, RepositoryLaws.all)
    func conformerKeepsLaw(conformer: RepositoryLaws.Subject, law: Law<RepositoryLaws.Subject>) async throws {
        try await law.check(conformer)
    }

    @Test(arguments: RepositoryLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<RepositoryLaws.Subject>) async throws {
        try await law.prove(by: RepositoryMutants.all, in: RepositoryLaws.all)
    }
}
