import Testing
import WharfCache
import WharfCore
import WharfFakes

@Suite struct InvalidationTests {
    private static let fields: HTTPFields = [.cacheControl: "max-age=60"]

    private func rig(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> Rig {
        Rig { request in
            request.head.method == .get
                ? .ok(request.head.path ?? "", fields: Self.fields) : .respond(status, fields: fields)
        }
    }

    @Test(arguments: [(200, true), (204, true), (302, true), (400, false), (404, false), (500, false)])
    func successfulUnsafeRequestInvalidatesTheStoredAnswer(status: Int, isVoid: Bool) async throws {
        for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
            let rig = rig(.init(code: status))
            try await rig.read()
            try await rig.read(get(path: "/b"))
            try await rig.read(get(method: method))
            #expect((try await rig.kept() == nil) == isVoid, "\(method)")
            #expect(try await rig.kept(get(path: "/b")) == "/b")
        }
    }

    @Test func unknownMethodInvalidatesAndSafeMethodDoesNot() async throws {
        for (name, isVoid) in [("FROB", true), ("OPTIONS", false), ("TRACE", false)] {
            let rig = rig(.ok)
            try await rig.read()
            try await rig.read(get(method: try #require(HTTPRequest.Method(name))))
            #expect((try await rig.kept() == nil) == isVoid, "\(name)")
        }
    }

    @Test func locationsOfTheSameOriginAreInvalidatedToo() async throws {
        let rig = rig(.created, [.location: "/b", .contentLocation: "https://EXAMPLE.com:443/c"])
        for path in ["/b", "/c", "/d"] { try await rig.read(get(path: path)) }
        try await rig.read(get(method: .post))
        #expect(try await rig.kept(get(path: "/b")) == nil)
        #expect(try await rig.kept(get(path: "/c")) == nil)
        #expect(try await rig.kept(get(path: "/d")) == "/d")
    }

    @Test func locationsOfAnotherOriginAreLeftAlone() async throws {
        let rig = rig(.created, [.location: "http://example.com/b"])
        let other = TransportRequest(
            HTTPRequest(method: .get, scheme: "http", authority: "example.com", path: "/b")
        )
        try await rig.read(other)
        try await rig.read(get(method: .post))
        #expect(try await rig.kept(other) == "/b")
    }

    @Test func allVariantsAreInvalidatedWithAndWithoutAnAccount() async throws {
        let rig = Rig { request in
            .ok("x", fields: [.cacheControl: "max-age=60", .vary: "Accept"])
        }
        let requests = [get([.accept: "a"]), get([.accept: "b"]), get([.accept: "a"], account: Account("1"))]
        for request in requests { try await rig.read(request) }
        try await rig.read(get(method: .put, account: Account("1")))
        for request in requests { #expect(try await rig.kept(request) == nil) }
    }

    @Test func invalidationReachesTheTopLevelSitesOfTheAccount() async throws {
        let rig = rig(.ok)
        let me = Account("1")
        let requests = [nil, me].flatMap { account in
            [get(account: account), get(account: account, from: "https://a.test"), get(account: account, from: "")]
        }
        for request in requests { try await rig.read(request) }
        try await rig.read(get(account: Account("2"), from: "https://a.test"))
        try await rig.read(get(method: .post, account: me, from: "https://b.test"))
        for request in requests { #expect(try await rig.kept(request) == nil) }
        #expect(try await rig.kept(get(account: Account("2"), from: "https://a.test")) == "/a")
    }

    @Test func answerInFlightIsNotStoredAfterAnInvalidation() async throws {
        let gate = Gate()
        let rig = Rig { request in
            request.head.method == .get
                ? StubAnswer.ok("old", fields: Self.fields).held(by: gate) : .respond(.noContent)
        }
        async let old = rig.text()
        await gate.arrivals()
        try await rig.read(get(method: .post))
        gate.open()
        #expect(try await old == "old", "the read itself is answered")
        #expect(try await rig.kept() == nil)
        try await rig.read()
        #expect(try await rig.kept() == "old", "what is asked for later is kept again")
    }

    @Test func bodyInFlightIsNotStoredAfterAnInvalidation() async throws {
        let rig = Rig { request in
            request.head.method == .get
                ? StubAnswer(head: HTTPResponse(status: .ok, headerFields: Self.fields), chunks: [[1], [2]])
                : .respond(.noContent)
        }
        let body = try await rig.cache.send(get()).body
        var iterator = body.makeAsyncIterator()
        _ = try await iterator.next()
        try await rig.read(get(method: .delete))
        while try await iterator.next() != nil {}
        #expect(try await rig.kept() == nil)
    }

    @Test func storedOnlyNeverSendsAnUnsafeRequest() async throws {
        let rig = rig(.ok)
        #expect(await code { try await rig.read(get(method: .post, cache: .storedOnly)) } == .nothingKept)
        #expect(rig.origin.requests.isEmpty)
    }
}
