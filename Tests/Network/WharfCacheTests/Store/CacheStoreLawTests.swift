import Testing
import WharfCache
import WharfChecks
import WharfCore
import WharfCoreLaws

struct CacheStoreLawTests {
    @Test(arguments: CacheStoreLaws.all)
    func memoryKeeps(law: Law<CacheStoreLaws.Subject>) async throws {
        try await law.check(.init("MemoryCacheStore") { limit in MemoryCacheStore(byteLimit: limit) })
    }

    @Test(arguments: CacheStoreLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<CacheStoreLaws.Subject>) async throws {
        try await law.prove(by: CacheStoreMutants.all, in: CacheStoreLaws.all)
    }
}
