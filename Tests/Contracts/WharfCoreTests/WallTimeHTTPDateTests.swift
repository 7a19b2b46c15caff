import Testing
import WharfCore
import WharfRandom

@Suite struct WallTimeHTTPDateTests {
    @Test func httpDateRoundTrips() {
        #expect(WallTime(secondsSince1970: 784_111_777).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(WallTime(nanoseconds: 1_999_999_999).httpDate == "Thu, 01 Jan 1970 00:00:01 GMT")
        #expect(WallTime(httpDate: "Sun, 6 Nov 1994 08:49:37 GMT") == nil)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let time = WallTime(secondsSince1970: Int64.random(in: -9_000_000_000...9_000_000_000, using: &random))
            let text = time.httpDate
            #expect(WallTime(httpDate: text) == time, "\(text)")
        }
    }
}
