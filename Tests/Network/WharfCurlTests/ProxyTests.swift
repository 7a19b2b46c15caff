#if os(Linux) && TestServer
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfTestServer

@Suite(Programs.python) struct ProxyTests {
    @Test func aProxyGetsTheWholeURL() async throws {
        try await Peer.run(["proxy"]) { proxy in
            try await withTransport(.patient(proxy: .url("http://127.0.0.1:\(proxy.port)"))) { transport in
                let head = HTTPRequest(method: .get, scheme: "http", authority: "origin.invalid:81", path: "/a?b=c")
                let body = try await transport.send(TransportRequest(head)).body.collect()
                #expect(body == Array("by the proxy".utf8))
            }
            #expect(try await proxy.end() == ["GET http://origin.invalid:81/a?b=c"])
        }
    }

    @Test func anHTTPSOriginIsReachedThroughATunnel() async throws {
        try await TestIdentity.run { identity in
            try await Peer.run(["tls", identity.certificate, identity.key]) { origin in
                try await Peer.run(["proxy"]) { proxy in
                    let proxyURL = CurlTransport.Proxy.url("http://127.0.0.1:\(proxy.port)")
                    try await withTransport(.trusting(identity, proxy: proxyURL)) { transport in
                        let response = try await transport.send(origin.request(scheme: "https", host: "localhost"))
                        #expect(response.head.status == .ok, "the proxy's own head is not the answer")
                        #expect(try await response.body.collect() == Array("secret".utf8))
                    }
                    #expect(try await proxy.end() == ["CONNECT localhost:\(origin.port)"])
                }
                #expect(try await origin.end() == ["handshake", "request GET / HTTP/1.1"])
            }
        }
    }

    @Test func aProxyThatRefusesIsConnectionFailed() async throws {
        try await Peer.run(["proxy"]) { proxy in
            try await withTransport(.patient(proxy: .url("http://127.0.0.1:\(proxy.port)"))) { transport in
                let head = HTTPRequest(method: .get, scheme: "https", authority: "forbidden.invalid", path: "/")
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(head))
                }
                #expect(error?.code == .connectionFailed, "\(error?.message ?? "")")
                #expect(error?.message.contains("403") == true, "\(error?.message ?? "")")
            }
        }
    }

    /// libcurl's own messages for these contain the whole URL. If the password has `%00`, libcurl
    /// would send without the proxy.
    @Test(arguments: [
        "http://user:hunter2@127.0.0.1:99999", "ftp://user:hunter2@127.0.0.1:1", "user:hunter2@[",
        "http://user:hunter2%00@127.0.0.1:1",
    ])
    func refusalOfInvalidProxyURLHidesItsPassword(url: String) async throws {
        try await withTransport(.patient(proxy: .url(url))) { transport in
            let head = HTTPRequest(method: .get, scheme: "http", authority: "origin.invalid", path: "/")
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(TransportRequest(head))
            }
            #expect(error?.code == .connectionFailed, "\(error?.message ?? "")")
            #expect(error?.message.contains("proxy") == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("hunter2") == false, "\(error?.message ?? "")")
        }
    }

    @Test func aProxyThatIsNotThereIsConnectionFailed() async throws {
        try await TestServer.run { server in
            await server.stop()
            try await withTransport(.patient(proxy: .url(server.baseURL))) { transport in
                let head = HTTPRequest(method: .get, scheme: "http", authority: "origin.invalid", path: "/")
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(head))
                }
                #expect(error?.code == .connectionFailed, "\(error?.message ?? "")")
            }
        }
    }
}
#endif
