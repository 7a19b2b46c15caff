import Testing
import WharfCache
import WharfCore
import WharfFakes

@testable import WharfGateway

struct AdminSwitchTests {
    @Test func offlineSwitchTakesEffectForTheNextRequest() async throws {
        let origin = RecordingTransport(fields: [.contentLength: "2", .cacheControl: "max-age=60"])
        let store = MemoryCacheStore()
        let caching = CachingTransport(
            origin, store: store, configuration: .shared, onIncident: { Issue.record("\($0)") })
        try await withAdmin(over: caching, store: store) { gateway, admin in
            try await RawClient.run(gateway) { client in
                let online = try await client.status(of: "/a", from: gateway)
                #expect(online == 200)
                #expect(try await admin.post("/offline").status == 204)
                #expect(try await admin.state().isOffline)
                #expect(try await client.status(of: "/a", from: gateway) == 200)
                #expect(try await client.status(of: "/b", from: gateway) == 504)
                #expect(try await admin.post("/online").status == 204)
                #expect(try await admin.state().isOffline == false)
                #expect(try await client.status(of: "/b", from: gateway) == 200)
            }
        }
        #expect(origin.requests.map(\.head.path) == ["/a", "/b"])
    }

    @Test func gatewayStartsOfflineByItsControls() async throws {
        let origin = RecordingTransport()
        var configuration = GatewayConfiguration.patient
        configuration.controls = GatewayControls(isOffline: true)
        try await withAdmin(over: origin, configuration) { gateway, admin in
            let state = try await admin.state()
            #expect(state.isOffline)
            #expect(try await gateway.get("/").status == 200)
        }
        // The transport decides: one without a store gets the mode.
        #expect(origin.requests.map(\.cache) == [.storedOnly])
    }

    @Test func faultSwitchChoosesTheTransport() async throws {
        let (plain, faulty) = (RecordingTransport(), RecordingTransport())
        var configuration = GatewayConfiguration.patient
        configuration.controls = GatewayControls(hasFaults: true)
        let switched = SwitchedTransport(plain: plain, faulty: faulty, controls: configuration.controls)
        try await withAdmin(over: switched, configuration) { gateway, admin in
            #expect(try await admin.state().injectsFaults == true)
            _ = try await gateway.get("/1")
            #expect(try await admin.post("/faults/off").status == 204)
            #expect(try await admin.state().injectsFaults == false)
            _ = try await gateway.get("/2")
            #expect(try await admin.post("/faults/on").status == 204)
            _ = try await gateway.get("/3")
        }
        #expect(plain.requests.map(\.head.path) == ["/2"])
        #expect(faulty.requests.map(\.head.path) == ["/1", "/3"])
    }

    @Test(arguments: ["/faults/on", "/faults/off"])
    func faultSwitchWithoutFaultsIsAnError(path: String) async throws {
        let configuration = GatewayConfiguration()
        try await withAdmin(over: RecordingTransport(), configuration) { _, admin in
            let answer = try await admin.post(path)
            #expect(answer.status == 409)
        }
        #expect(!configuration.controls.injectsFaults)
    }
}

extension RawClient {
    fileprivate func status(of path: String, from gateway: Gateway) async throws -> Int {
        try await get(path, of: gateway)
        return try await answer().status
    }
}
