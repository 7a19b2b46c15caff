import NIOSSL
import TestCertificates
import Testing
import WharfCore
import WharfFakes
import WharfPrimitives

@testable import WharfGateway

struct TLSTests {
    @Test func requestOverTLSIsServed() async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            #expect(gateway.url == "https://127.0.0.1:\(gateway.port)")
            for protocols in [["http/1.1"], []] {
                try await RawClient.run(gateway, tls: try TestIdentity.client(protocols)) { client in
                    for _ in 0..<2 {
                        try await client.get("/a", of: gateway)
                        #expect(try await client.answer().text == "ok")
                    }
                }
            }
        }
        let fields = try #require(origin.requests.first).head.headerFields
        #expect(origin.requests.count == 4)
        #expect(fields[.via] == "1.1 wharf")
        #expect(fields[.init("X-Forwarded-Proto")!] == "https")
    }

    @Test func forwardedNamesTheSchemeHTTPS() async throws {
        let origin = RecordingTransport()
        var configuration = GatewayConfiguration()
        configuration.forwardingFields = .forwarded
        try await withSecureGateway(over: origin, configuration) { gateway in
            try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"])) { client in
                try await client.get("/", of: gateway)
                #expect(try await client.answer().status == 200)
            }
            let forwarded = origin.requests.first?.head.headerFields[.init("Forwarded")!]
            #expect(forwarded == "for=127.0.0.1;proto=https;host=\"\(gateway.authority)\"")
        }
    }

    @Test func targetWithSchemeHTTPIsMisdirected() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            for (scheme, status) in [("https", 200), ("http", 421)] {
                try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"])) { client in
                    try await client.send("GET \(scheme)://\(gateway.authority)/ HTTP/1.1", "Host: x", "")
                    #expect(try await client.answer().status == status)
                }
            }
        }
    }

    @Test func clientWithoutTLSIsDisconnected() async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                let rest = try await client.restOrReset()
                #expect(!rest.starts(with: Array("HTTP/1.1 200".utf8)))
            }
        }
        #expect(origin.requests.isEmpty)
    }

    /// RFC 8996
    @Test func versionBelowTLS12IsRefused() async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            let old = try TestIdentity.client([]) { configuration in
                configuration.minimumTLSVersion = .tlsv1
                configuration.maximumTLSVersion = .tlsv11
            }
            await #expect(throws: (any Error).self) {
                try await RawClient.run(gateway, tls: old) { client in
                    try await client.get("/", of: gateway)
                    _ = try await client.answer()
                }
            }
        }
        #expect(origin.requests.isEmpty)
    }

    @Test func handshakeThatStallsIsClosed() async throws {
        let clock = TestClock()
        try await withSecureGateway(over: RecordingTransport(), clock: clock) { gateway in
            try await RawClient.run(gateway) { client in
                // The first byte of a record.
                try await client.send([22])
                await clock.untilSleeping()
                clock.advance(by: GatewayConfiguration().clientTimeout)
                #expect(try await client.restOrReset() == [])
            }
        }
    }

    /// A connection in its handshake has no request, and does not delay the shutdown for ever.
    @Test func handshakeIsClosedAtTheDrainLimit() async throws {
        let clock = TestClock()
        try await TestIdentity.withFiles { certificate in
            var configuration = GatewayConfiguration()
            configuration.certificate = certificate
            let gateway = try await Gateway(
                origin: "http://origin.test", transport: RecordingTransport(), configuration: configuration,
                clock: clock)
            let running = Task { try await gateway.run() }
            try await RawClient.run(gateway) { client in
                await clock.untilSleeping()
                gateway.shutDown()
                await clock.untilSleeping(2)
                clock.advance(by: GatewayConfiguration().drainLimit)
                let rest = try await client.restOrReset()
                #expect(rest == [])
            }
            try await running.value
        }
    }

    @Test func idleConnectionOverTLSIsClosedAtAShutdown() async throws {
        try await TestIdentity.withFiles { certificate in
            var configuration = GatewayConfiguration()
            configuration.certificate = certificate
            let gateway = try await Gateway(
                origin: "http://origin.test", transport: RecordingTransport(), configuration: configuration)
            let running = Task { try await gateway.run() }
            try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"])) { client in
                try await client.get("/", of: gateway)
                #expect(try await client.answer().status == 200)
                gateway.shutDown()
                #expect(try await client.rest() == [])
            }
            try await running.value
        }
    }

    /// Without framing the end of the connection is the end of the body. TLS would confirm it.
    @Test func brokenBodyWithoutFramingIsNoOrderlyEnd() async throws {
        let lost = TransportError(.connectionLost, message: "the origin closed the connection")
        let origin = ClosureTransport { _ in
            .stream(
                Pieces { number throws(TransportError) in
                    if number == 1 { throw lost }
                    return Array("half".utf8)
                })
        }
        try await withSecureGateway(over: origin) { gateway in
            await #expect(throws: (any Error).self) {
                try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"])) { client in
                    try await client.send("GET / HTTP/1.0", "")
                    _ = try await client.rest()
                }
            }
        }
    }

    // MARK: Renewal

    /// Calls `body` with the files of the certificate after a renewal.
    private func withRenewed(
        key: String = TestCertificate.renewed.key, _ body: (GatewayCertificate) async throws -> Void
    ) async throws {
        try await TestIdentity.withFiles(chain: TestCertificate.renewed.chain, key: key, body)
    }

    /// Sends a request on a new connection, whose client trusts one certificate.
    private func get(from gateway: Gateway, trusting trusted: TestCertificate) async throws -> Int {
        var status = 0
        try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"], trusting: trusted)) { client in
            try await client.get("/", of: gateway)
            status = try await client.answer().status
        }
        return status
    }

    @Test func renewedCertificateIsServedToNewConnections() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"])) { open in
                try await open.get("/", of: gateway)
                #expect(try await open.answer().status == 200)
                try await withRenewed { files in
                    let expiresAt = try gateway.replaceCertificate(with: files)
                    // 2121-01-01
                    #expect(expiresAt == WallTime(secondsSince1970: 4_765_132_800))
                }
                #expect(try await get(from: gateway, trusting: .renewed) == 200)
                await #expect(throws: (any Error).self) { try await get(from: gateway, trusting: .first) }
                try await open.get("/", of: gateway)
                #expect(try await open.answer().status == 200)
            }
        }
    }

    @Test func oldCertificateStaysIfTheRenewedOneIsUnusable() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            try await withRenewed(key: TestCertificate.first.key) { files in
                let error = #expect(throws: GatewayError.self) { try gateway.replaceCertificate(with: files) }
                #expect(error?.code == .invalidCertificate)
            }
            #expect(try await get(from: gateway, trusting: .first) == 200)
        }
    }

    @Test func gatewayWithoutTLSTakesNoCertificate() async throws {
        try await withGateway(over: RecordingTransport()) { gateway in
            try await withRenewed { files in
                let error = #expect(throws: GatewayError.self) { try gateway.replaceCertificate(with: files) }
                #expect(error?.message.contains("a gateway that serves http; make a new gateway") == true)
            }
        }
    }

    // MARK: Files

    /// Returns the error of a gateway with these files.
    private func error(_ certificate: GatewayCertificate) async -> GatewayError? {
        var configuration = GatewayConfiguration()
        configuration.certificate = certificate
        return await #expect(throws: GatewayError.self) {
            try await Gateway(
                origin: "http://origin.test", transport: RecordingTransport(), configuration: configuration)
        }
    }

    @Test func missingFileIsNamed() async throws {
        try await TestIdentity.withFiles { files in
            for missing in [
                GatewayCertificate(chain: "/nowhere/chain.pem", key: files.key),
                GatewayCertificate(chain: files.chain, key: "/nowhere/key.pem"),
            ] {
                let error = await error(missing)
                let path = missing.key == files.key ? missing.chain : missing.key
                #expect(error?.code == .invalidCertificate)
                #expect(error?.message.contains("in \(path): No such file or directory; ") == true)
            }
        }
    }

    @Test func fileWithoutACertificateIsNamed() async throws {
        for chain in ["", "no certificate", TestCertificate.first.key] {
            try await TestIdentity.withFiles(chain: chain) { files in
                let error = await error(files)
                #expect(error?.code == .invalidCertificate)
                #expect(error?.message.contains("certificate in \(files.chain): it has no certificate") == true)
            }
        }
    }

    @Test func fileWithoutAKeyIsNamed() async throws {
        for key in ["", "no key", TestCertificate.first.chain] {
            try await TestIdentity.withFiles(key: key) { files in
                let error = await error(files)
                #expect(error?.code == .invalidCertificate)
                #expect(error?.message.contains("private key in \(files.key): it is no PEM private key") == true)
            }
        }
    }

    @Test func keyOfAnotherCertificateIsNamed() async throws {
        try await TestIdentity.withFiles(key: TestCertificate.renewed.key) { files in
            let error = await error(files)
            #expect(error?.message.contains("\(files.key): it does not belong to the certificate") == true)
        }
    }

    @Test func missingAuthoritiesAreNamed() async throws {
        var configuration = GatewayConfiguration()
        configuration.webSocketAuthorities = "/nowhere/ca.pem"
        let error = await #expect(throws: GatewayError.self) {
            try await Gateway(
                origin: "https://origin.test", transport: RecordingTransport(), configuration: configuration)
        }
        #expect(error?.message.contains("certificate authorities in /nowhere/ca.pem") == true)
    }
}
