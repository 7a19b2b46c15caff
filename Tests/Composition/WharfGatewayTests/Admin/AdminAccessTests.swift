import Testing
import WharfFakes

@testable import WharfGateway

/// Pages of other sites, in the browser of an administrator.
struct AdminAccessTests {
    /// `SELF` becomes the authority of the admin page.
    private func offline(_ lines: [String]) async throws -> (status: Int, isOffline: Bool) {
        let configuration = GatewayConfiguration()
        var status = 0
        try await withAdmin(over: RecordingTransport(), configuration) { _, admin in
            let lines = lines.map { $0.replacing("SELF", with: admin.server.authority) }
            status = try await admin.send("POST", "/offline", lines).status
        }
        return (status, configuration.controls.isOffline)
    }

    @Test(arguments: [
        [], ["Sec-Fetch-Site: same-origin", "Origin: http://SELF"], ["Sec-Fetch-Site: none"],
        ["Sec-Fetch-Site: same-origin"], ["Origin: http://SELF"],
    ])
    func ownPageAndProgramsMaySwitch(lines: [String]) async throws {
        #expect(try await offline(lines) == (204, true))
    }

    @Test(arguments: [
        ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
        ["Sec-Fetch-Site: cross-site", "Origin: http://SELF"],
        ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site:"],
        ["Origin: http://evil.test"], ["Origin: null"], ["Origin: https://SELF"], ["Origin: http://SELF.evil.test"],
        ["Origin: http://SELF", "Origin: http://evil.test"], ["Origin:"],
        // The client's own field does not count.
        ["Origin: http://evil.test", "X-Forwarded-Host: evil.test"],
    ])
    func pageOfAnotherSiteMayNotSwitch(lines: [String]) async throws {
        #expect(try await offline(lines) == (403, false))
    }

    /// A DNS name of another site that leads to the address.
    @Test(arguments: ["evil.test", "evil.test:80", "127.0.0.1:1", "localhost"], ["GET", "POST"])
    func anotherHostIsMisdirected(host: String, method: String) async throws {
        let configuration = GatewayConfiguration()
        try await withAdmin(over: RecordingTransport(), configuration) { _, admin in
            let path = method == "GET" ? "/state.json" : "/offline"
            let answer = try await admin.send(method, path, ["Sec-Fetch-Site: same-origin"], host: host)
            #expect(answer.status == 421)
        }
        #expect(!configuration.controls.isOffline)
    }

    @Test func localhostIsItsHost() async throws {
        try await withAdmin(over: RecordingTransport()) { _, admin in
            let answer = try await admin.send("GET", "/healthz", host: "localhost:\(admin.server.port)")
            #expect(answer.status == 200)
        }
    }

    @Test func pageOnAllInterfacesAcceptsAddressesAlone() throws {
        let origin = try Site.origin("http://admin.invalid")
        let site = try Site(origin, listening: (host: "0.0.0.0", port: 80), names: [], acceptsUnknown: false)
        for name in ["192.168.1.7", "[fd00::1]:9090", "localhost:9090", "127.0.0.1"] {
            #expect(site.accepts(try #require(HostName(name))), "\(name)")
        }
        for name in ["evil.test", "evil.test:9090", "1.2.3.test", "1.2.3", "1.2.3.4.5", "+1.2.3.4", "256.1.1.1", "a"] {
            #expect(!site.accepts(try #require(HostName(name))), "\(name)")
        }
    }

    @Test func bodyOfASwitchIsRefused() async throws {
        try await withAdmin(over: RecordingTransport()) { _, admin in
            let answer = try await admin.send("POST", "/offline", ["Content-Length: 1"])
            #expect(answer.status == 413)
        }
    }

    /// There is no origin that could take it.
    @Test func webSocketIsRefused() async throws {
        try await withAdmin(over: RecordingTransport()) { _, admin in
            let answer = try await admin.send(
                "GET", "/", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"])
            #expect(answer.status == 504)
        }
    }

    @Test func takenPortIsAnError() async throws {
        try await withGateway(over: RecordingTransport()) { gateway in
            let error = await #expect(throws: GatewayError.self) {
                try await GatewayAdmin(address: gateway.authority, gateway: gateway, store: nil)
            }
            #expect(error?.code == .portUnavailable)
        }
    }
}
