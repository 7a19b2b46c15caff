#if os(Linux) && TestServer
import TestCertificates
import Testing
import WharfCore
import WharfCurl

@Suite(Programs.python) struct TLSTests {
    private static let backup = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let other = "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="

    /// Runs a TLS origin, and passes it with a transport that trusts its certificate.
    ///
    /// - Returns: the lines that the origin printed.
    private func run(
        _ pins: [String: Set<String>] = [:], isTrusted: Bool = true,
        _ body: @escaping (CurlTransport, (_ host: String, _ scheme: String) -> TransportRequest) async throws -> Void
    ) async throws -> [String] {
        try await TestIdentity.run { identity in
            try await Peer.run(["tls", identity.certificate, identity.key]) { peer in
                let pins = try PublicKeyPins(pins)
                try await withTransport(isTrusted ? .trusting(identity, pins: pins) : .patient(pins: pins)) {
                    transport in
                    try await body(transport) { peer.request(scheme: $1, host: $0) }
                }
                return try await peer.end()
            }
        }
    }

    private func failure(_ request: TransportRequest, _ transport: CurlTransport) async -> TransportError? {
        await #expect(throws: TransportError.self) { try await transport.send(request).body.collect() }
    }

    @Test func aCertificateIsTrustedByItsFile() async throws {
        let seen = try await run { transport, request in
            for host in ["localhost", "127.0.0.1"] {
                let body = try await transport.send(request(host, "https")).body.collect()
                #expect(body == Array("secret".utf8))
            }
        }
        #expect(seen.count { $0.hasPrefix("request") } == 2)
    }

    @Test func hangingRequestBlocksNoOtherRequest() async throws {
        let seen = try await run { transport, request in
            var first = request("localhost", "https")
            first.head.path = "/hang"
            let hanging = Task { [first] in try await transport.send(first).head }
            for _ in 0..<3 {
                let body = try await transport.send(request("localhost", "https")).body.collect()
                #expect(body == Array("secret".utf8))
            }
            hanging.cancel()
            await #expect(throws: TransportError.self) { try await hanging.value }
        }
        #expect(seen.count { $0.hasPrefix("request GET / ") } == 3)
    }

    @Test func aCertificateOfAnUnknownAuthorityIsRefused() async throws {
        let seen = try await run(isTrusted: false) { transport, request in
            let error = await failure(request("localhost", "https"), transport)
            #expect(error?.code == .tlsFailed, "\(error?.message ?? "")")
            #expect(error?.message.contains("SSL_CERT_FILE") == true)
        }
        #expect(seen == [])
    }

    @Test func aCertificateOfAnotherHostIsRefused() async throws {
        let seen = try await run { transport, request in
            let error = await failure(request("127.0.0.2", "https"), transport)
            #expect([.tlsFailed, .connectionFailed].contains(error?.code), "\(error?.message ?? "")")
        }
        #expect(seen.allSatisfy { !$0.hasPrefix("request") })
    }

    @Test(arguments: ["localhost", "LOCALHOST", "127.0.0.1"])
    func aServerWithAPinnedKeyIsRead(host: String) async throws {
        let seen = try await run([host: [Self.backup, TestCertificate.pin]]) { transport, request in
            for _ in 0..<2 {
                let body = try await transport.send(request(host, "https")).body.collect()
                #expect(body == Array("secret".utf8))
            }
        }
        #expect(seen.count { $0 == "handshake" } == 1, "a connection is checked once, and used again")
        #expect(seen.count { $0.hasPrefix("request") } == 2)
    }

    @Test(arguments: ["localhost", "LocalHost", "user@local%68ost"])
    func aServerWithAnotherKeyIsSentNothing(host: String) async throws {
        let seen = try await run(["localhost": [Self.backup, Self.other]]) { transport, request in
            for _ in 0..<2 {
                let error = await failure(request(host, "https"), transport)
                #expect(error?.code == .pinningFailed, "\(error?.message ?? "")")
                let mismatch = try #require(error?.cause as? PublicKeyMismatch, "\(error?.message ?? "")")
                #expect(mismatch.expected == [Self.backup, Self.other])
                #expect(mismatch.found == TestCertificate.pin)
                #expect(mismatch.host == "localhost")
                #expect(error?.isTransient == false)
            }
        }
        #expect(seen.allSatisfy { $0 == "handshake" })
    }

    @Test func aPinDoesNotMakeAnUntrustedCertificateTrusted() async throws {
        let seen = try await run(["localhost": [Self.backup, TestCertificate.pin]], isTrusted: false) {
            transport, request in
            let error = await failure(request("localhost", "https"), transport)
            #expect(error?.code == .tlsFailed, "\(error?.message ?? "")")
        }
        #expect(seen == [])
    }

    @Test func aPinnedHostIsNotReadOverHTTP() async throws {
        let seen = try await run(["localhost": [Self.backup, TestCertificate.pin]]) { transport, request in
            let error = await failure(request("localhost", "http"), transport)
            #expect(error?.code == .pinningFailed)
            #expect(error?.message.contains("use https") == true)
        }
        #expect(seen == [])
    }

    @Test func aHostWithoutPinsIsVerifiedAsUsual() async throws {
        let seen = try await run(["*.localhost": [Self.backup, Self.other]]) { transport, request in
            let body = try await transport.send(request("localhost", "https")).body.collect()
            #expect(body == Array("secret".utf8))
        }
        #expect(seen.count { $0.hasPrefix("request") } == 1)
    }
}
#endif
