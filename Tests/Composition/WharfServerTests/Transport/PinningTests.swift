import AsyncHTTPClient
import NIOSSL
import TestCertificates
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

struct PinningTests {
    private static let backup = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let other = "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="

    /// A transport that trusts the test server's certificate.
    private func transport(_ pins: [String: Set<String>]) throws -> AsyncHTTPClientTransport {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try TestCertificate.first.certificate()])
        var configuration = HTTPClient.Configuration.patient
        configuration.tlsConfiguration = tls
        configuration.dnsOverride = ["api.localhost": "127.0.0.1"]
        return AsyncHTTPClientTransport(configuration: configuration, pins: try PublicKeyPins(pins))
    }

    private func get(_ server: TLSServer, host: String = "localhost", scheme: String = "https") -> TransportRequest {
        TransportRequest(
            HTTPRequest(method: .get, scheme: scheme, authority: "\(host):\(server.port)", path: "/"))
    }

    private func body(_ request: TransportRequest, _ transport: AsyncHTTPClientTransport) async throws -> String {
        String(decoding: try await transport.send(request).body.collect(), as: UTF8.self)
    }

    @Test(arguments: ["localhost", "LOCALHOST", "127.0.0.1"])
    func aServerWithAPinnedKeyIsRead(host: String) async throws {
        try await TLSServer.run { server in
            let transport = try transport([host: [Self.backup, TestCertificate.pin]])
            #expect(try await body(get(server, host: host), transport) == "secret")
            #expect(try await body(get(server, host: host), transport) == "secret")
            #expect(server.handshakes == 1, "a connection is checked once, and used again")
            await transport.close()
        }
    }

    @Test(arguments: ["localhost", "LocalHost"])
    func aServerWithAnotherKeyIsSentNothing(host: String) async throws {
        try await TLSServer.run { server in
            let transport = try transport(["localhost": [Self.backup, Self.other]])
            for _ in 0..<2 {
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(get(server, host: host))
                }
                #expect(error?.code == .pinningFailed, "\(error?.message ?? "")")
                let mismatch = try #require(error?.cause as? PublicKeyMismatch)
                #expect(mismatch.expected == [Self.backup, Self.other])
                #expect(mismatch.found == TestCertificate.pin)
                #expect(mismatch.host == "localhost")
                let pins = [Self.backup, Self.other, TestCertificate.pin]
                #expect(pins.allSatisfy { error?.message.contains($0) == true })
                #expect(error?.isTransient == false)
            }
            #expect(server.requests == 0)
            await transport.close()
        }
    }

    @Test func wildcardPinCoversSubdomainsOnly() async throws {
        try await TLSServer.run { server in
            let transport = try transport(["*.localhost": [Self.backup, Self.other]])
            #expect(try await body(get(server), transport) == "secret")
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(get(server, host: "api.localhost"))
            }
            #expect(error?.code == .pinningFailed, "\(error?.message ?? "")")
            await transport.close()
        }
    }

    @Test func aHostWithoutPinsIsVerifiedAsUsual() async throws {
        try await TLSServer.run { server in
            let trusting = try transport(["elsewhere.example": [Self.backup, Self.other]])
            #expect(try await body(get(server), trusting) == "secret")
            await trusting.close()
            let usual = AsyncHTTPClientTransport(
                configuration: .patient, pins: try PublicKeyPins(["elsewhere.example": [Self.backup, Self.other]]))
            let error = await #expect(throws: TransportError.self) { try await usual.send(get(server)) }
            #expect(error?.code == .tlsFailed, "\(error?.message ?? "")")
            await usual.close()
        }
    }

    @Test func aPinDoesNotMakeAnUntrustedCertificateTrusted() async throws {
        try await TLSServer.run { server in
            let transport = AsyncHTTPClientTransport(
                configuration: .patient, pins: try PublicKeyPins(["localhost": [Self.backup, TestCertificate.pin]]))
            let error = await #expect(throws: TransportError.self) { try await transport.send(get(server)) }
            #expect(error?.code == .tlsFailed, "\(error?.message ?? "")")
            #expect(server.requests == 0)
            await transport.close()
        }
    }

    @Test func aPinnedHostIsNotReadOverHTTP() async throws {
        try await TLSServer.run { server in
            let transport = try transport(["localhost": [Self.backup, TestCertificate.pin]])
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(get(server, scheme: "http"))
            }
            #expect(error?.code == .pinningFailed)
            #expect(error?.message.contains("use https") == true)
            await transport.close()
        }
    }

    @Test func percentEncodedHostIsStillPinned() async throws {
        try await TLSServer.run { server in
            let transport = try transport(["localhost": [Self.backup, Self.other]])
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(get(server, host: "user@local%68ost"))
            }
            #expect(error?.code == .pinningFailed, "\(error?.message ?? "")")
            #expect(server.requests == 0)
            await transport.close()
        }
    }
}
