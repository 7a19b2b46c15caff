import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfFakes

@testable import WharfURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLSessionExchangeTests {
    @Test func exchangeThatEndsBeforeItsStartIsNotWatched() async throws {
        let url = try #require(URL(string: "http://localhost/"))
        let exchange = URLSessionExchange(
            URLSession.shared.dataTask(with: url),
            request: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/"),
            bufferLimit: 1 << 20)
        let clock = TestClock()
        // As by `close()` of the transport, right after the exchange was added.
        exchange.cancel()
        exchange.start(Deadline(after: .seconds(5), on: clock))
        await letOthersRun { clock.sleepers > 0 }
        #expect(clock.sleepers == 0)
    }
}
