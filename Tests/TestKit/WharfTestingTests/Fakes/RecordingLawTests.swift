import Testing
import WharfCore

@testable import WharfChecks
@testable import WharfCoreLaws
@testable import WharfFakes
@testable import WharfRecording

struct RecordingLawTests {
    @Test(arguments: TransportLaws.all)
    func aRecordingTransportKeeps(law: Law<TransportLaws.Subject>) async throws {
        let folder = try TemporaryFolder()
        try await law.check(
            .overStub("RecordingTransport") { base in
                do throws(RecordingError) {
                    return try RecordingTransport(
                        over: base, into: folder["laws-\(UInt64.random(in: 0 ... .max)).json"])
                } catch {
                    return StubTransport { _ in .failure(TransportError(.recordingFailed, message: error.message)) }
                }
            })
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: BodyProducerLaws.all)
    func recordedBodiesKeep(law: Law<BodyProducerLaws.Subject>) async throws {
        try await law.check(
            .init("SeenStream") { bytes in SeenStream(BodyStream(SlicedBody(bytes, size: 1_000))) { _ in } })
        try await law.check(
            .init("RecordedStream") { bytes in RecordedStream(BodyStream(SlicedBody(bytes, size: 1_000))) { _, _ in } })
    }

    /// The laws, except those about a service that does not answer, as a missing answer is not
    /// recorded.
    static let laws = TransportLaws.all.filter { law in
        !["closes the connection", "after the timeout"].contains { law.name.contains($0) }
    }

    @Test(arguments: laws)
    func aReplayTransportKeeps(law: Law<TransportLaws.Subject>) async throws {
        let folder = try TemporaryFolder()
        var subject =
            TransportLaws.Subject("ReplayTransport") { scene, _, body in
                let file = folder["laws-\(UInt64.random(in: 0 ... .max)).json"]
                try await Self.record(scene, into: file)
                let replay = try ReplayTransport(file, configuration: .init(matchesBody: false))
                let head = HTTPRequest(method: .get, scheme: "http", authority: scene.fakeAuthority, path: "/")
                try await body(
                    TransportLaws.Stage(
                        transport: replay, request: TransportRequest(head),
                        received: {
                            var received: [TransportLaws.Received] = []
                            for request in replay.requests {
                                received.append(await TransportLaws.Received(request))
                            }
                            return received
                        }, arrival: {}, departure: {}))
            }
        // Neither is recorded.
        subject.deliversInterim = false
        subject.deliversTrailers = false
        try await law.check(subject)
        withExtendedLifetime(folder) {}
    }

    /// Records all requests that a law may send.
    private static func record(_ scene: TransportLaws.Scene, into file: String) async throws {
        let recorder = try RecordingTransport(over: StubTransport { _ in StubAnswer(scene) }, into: file)
        for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete] {
            for _ in 0..<(method == .get || method == .head ? 12 : 2) {
                let head = HTTPRequest(method: method, scheme: "http", authority: scene.fakeAuthority, path: "/")
                do { _ = try await recorder.send(TransportRequest(head)).body.collect() } catch { continue }
            }
        }
    }
}
