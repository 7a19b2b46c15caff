import Testing
import WharfPrimitives
import WharfRandom

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 16 08:49:37 1994", 784_975_777),
            ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777), ("SUN, 06 NOV 1994 08:49:37 GMT", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799), ("Thu, 18 Aug 2050 02:01:18 GMT", 2_544_400_878),
        ] as [(String, Int64)])
    func allThreeDateFormsAreRead(text: String, seconds: Int64) {
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test(
        arguments: [
            "", "0", "-1", "now", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 AEST", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
        ])
    func malformedDateIsRefused(text: String) {
        #expect(HTTPDate.secondsSince1970(text) == nil)
    }

    @Test func writtenDateIsReadBack() {
        #expect(HTTPDate.text(secondsSince1970: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let seconds = Int64.random(in: -9_000_000_000...9_000_000_000, using: &random)
            let text = HTTPDate.text(secondsSince1970: seconds)
            #expect(HTTPDate.secondsSince1970(text) == seconds, "\(text)")
        }
    }

    @Test func consecutiveDaysHaveConsecutiveWeekdays() {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        for day in -800..<800 as Range<Int64> {
            let text = HTTPDate.text(secondsSince1970: day * 86_400)
            #expect(text.hasPrefix(names[Int((day % 7 + 7) % 7)]), "\(text)")
        }
    }
}
