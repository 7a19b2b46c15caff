import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws

@testable import WharfCache

@Suite struct JoinedBodyTests {
    @Test(arguments: BodyProducerLaws.all)
    func joinedBodyKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
        try await law.check(
            .init("JoinedBody") { bytes in
                let (middle, end) = (Int64(bytes.count / 2), Int64(bytes.count))
                return JoinedBody(
                    BodyStream(MemoryPart(bytes, 0..<middle)), of: middle,
                    BodyStream(MemoryPart(bytes, middle..<end)), of: end - middle)
            })
    }

    @Test func secondCancellationIsNoEnd() async throws {
        let body = JoinedBody(BodyStream([1]), of: 1, BodyStream([2]), of: 1)
        body.cancel()
        body.cancel()
        #expect(await code { _ = try await body.next() } == .cancelled)
    }

    @Test(arguments: [(0, 1), (2, 1), (1, 0), (1, 2)])
    func partOfAnotherLengthIsAnError(first: Int64, second: Int64) async throws {
        let body = JoinedBody(BodyStream([1]), of: first, BodyStream([2]), of: second)
        #expect(await code { while try await body.next() != nil {} } == .connectionLost)
        #expect(await code { _ = try await body.next() } == .connectionLost)
    }
}
