import Testing
import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

struct PublisherLawTests {
    static let conformers: [PublisherLaws.Subject] = [
        .init("snapshots.publisher") { $0.snapshots.publisher().names { $0.value?.name } },
        .init("snapshots.valuePublisher") { $0.snapshots.valuePublisher().names { $0.name } },
        .init("repository.publisher") { $0.publisher(id: 1).names { $0.value?.name } },
        .init("repository.listPublisher") { $0.listPublisher().names { $0.value?.first?.name } },
        .init("repository.valuePublisher") { $0.valuePublisher(id: 1).names { $0.name } },
        .init("repository.listValuePublisher") { $0.listValuePublisher().names { $0.first?.name } },
        .init("erased") { AnyReadableRepository($0).publisher(id: 1).names { $0.value?.name } },
    ]

    @Test(arguments: conformers, PublisherLaws.all)
    func conformerKeepsLaw(conformer: PublisherLaws.Subject, law: Law<PublisherLaws.Subject>) async throws {
        try await law.check(conformer)
    }

    @Test(arguments: PublisherLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<PublisherLaws.Subject>) async throws {
        try await law.prove(by: PublisherMutants.all, in: PublisherLaws.all)
    }
}

extension Publisher {
    fileprivate func names(_ name: @escaping (Output) -> String?) -> PublisherLaws.Names where Failure == Never {
        map { name($0) ?? "none" }.setFailureType(to: ReadFailure.self).eraseToAnyPublisher()
    }

    fileprivate func names(_ name: @escaping (Output) -> String?) -> PublisherLaws.Names where Failure == ReadFailure {
        map { name($0) ?? "none" }.eraseToAnyPublisher()
    }
}
