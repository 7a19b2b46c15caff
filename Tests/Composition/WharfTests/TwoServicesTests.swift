import Testing
import Wharf
import WharfTestServer

@Suite struct TwoServicesTests {
    private static let placeholderUser = """
        {"id": 1, "name": "Leanne Graham", "username": "Bret", "email": "leanne@april.biz",
         "address": {"street": "Kulas Light", "suite": "Apt. 556", "city": "Gwenborough", "zipcode": "92998-3874",
                     "geo": {"lat": "-37.3159", "lng": "81.1496"}},
         "phone": "1-770-736-8031 x56442", "website": "hildegard.org", "company": {"name": "Romaguera-Crona"}}
        """

    private static func randomUsers(postcode: String) -> String {
        """
        {"results": [{"gender": "female", "name": {"title": "Ms", "first": "Leanne", "last": "Graham"},
          "location": {"street": {"number": 556, "name": "Kulas Light"}, "city": "Gwenborough", "state": "X",
                       "country": "Y", "postcode": \(postcode), "coordinates": {"latitude": "1", "longitude": "2"}},
          "email": "leanne@april.biz", "login": {"uuid": "0"}, "nat": "GB"}],
         "info": {"seed": "1", "results": 1, "page": 1, "version": "1.4"}}
        """
    }

    /// The app's code: it sees a repository of its own model, and nothing of the service.
    private static func greeting(_ users: any ReadableRepository<DomainUser>) async throws -> String {
        let user = try await users.get(id: 1)
        return "\(user.name), \(user.city)"
    }

    @Test func theSameAppCodeReadsFromEitherService() async throws {
        let greetings = try await TestServer.run { server in
            server.route(.get, "/users/1", .json(Self.placeholderUser))
            server.route(.get, "/api/", .json(Self.randomUsers(postcode: "9299")))
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory()))
            let first = try await Self.greeting(UserService.placeholder(stack))
            let second = try await Self.greeting(UserService.random(stack))
            await stack.close()
            return [first, second]
        }
        #expect(greetings == ["Leanne Graham, Gwenborough", "Leanne Graham, Gwenborough"])
    }

    @Test(arguments: [("9299", "9299"), (#""W1A 1AA""#, "W1A 1AA")])
    func aPostcodeIsReadAsNumberAndAsText(sent: String, read: String) async throws {
        let postcode = try await TestServer.run { server in
            server.route(.get, "/api/", .json(Self.randomUsers(postcode: sent)))
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory()))
            let user = try await UserService.random(stack).get(id: 1)
            await stack.close()
            return user.postcode
        }
        #expect(postcode == read)
    }

    @Test(arguments: [ReadPolicy.standard, .cacheFirst])
    func undecodableFreshAnswerIsFetchedAgain(policy: ReadPolicy) async throws {
        let (first, second) = try await TestServer.run { server in
            server.route(
                .get, "/users/1",
                inOrder: [
                    .text("<html>log in to the café's network</html>").maxAge(86_400), .json(Self.placeholderUser),
                ]
            )
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory()))
            let request = Request<PlaceholderUser>.get("users/1")
            let first = await stack.client.snapshot(request, policy: .networkFirst)
            let second = await stack.client.snapshot(request, policy: policy)
            await stack.close()
            return (first.error?.code, second.value?.name)
        }
        #expect(first == .undecodable)
        #expect(second == "Leanne Graham")
    }

    @Test func undecodableAnswerKeepsTheLastGoodUser() async throws {
        let (answer, requests) = try await TestServer.run { server in
            server.route(
                .get, "/api/",
                inOrder: [.json(Self.randomUsers(postcode: "9299")), .json(Self.randomUsers(postcode: "null"))]
            )
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory()))
            let users = UserService.random(stack)
            _ = try await users.get(id: 1)
            let answer = await users.snapshot(id: 1)
            await stack.close()
            return (answer, server.requests.map(\.target))
        }
        #expect(answer.value?.postcode == "9299")
        #expect(answer.error?.code == .undecodable)
        #expect(requests == ["/api/?seed=1", "/api/?seed=1"])
    }
}
