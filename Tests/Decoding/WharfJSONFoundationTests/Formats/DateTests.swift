import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation
import WharfRandom

@Suite struct DateTests {
    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00Z", -978_307_200), ("2026-11-21T06:30:00Z", 816_935_400),
        ("2026-11-21t06:30:00z", 816_935_400), ("2026-11-21T07:30:00+01:00", 816_935_400),
        ("2026-11-21T07:30:00+0100", 816_935_400), ("2026-11-21T07:30:00+01", 816_935_400),
        ("2026-11-20T23:00:00-07:30", 816_935_400), ("2026-11-21T06:30:00-00:00", 816_935_400),
        ("2026-11-21T06:30:00.5Z", 816_935_400.5), ("2026-11-21T06:30:00.123456789Z", 816_935_400.123456789),
        ("2026-11-21T06:30:00.25000000000000000000001+00:00", 816_935_400.25),
        ("2000-02-29T00:00:00Z", -26_524_800), ("2001-01-01T00:00:00.000000000000000001Z", 1e-18),
        ("0000-01-01T00:00:00Z", -63_145_526_400), ("9999-12-31T23:59:59Z", 252_423_993_599),
        ("0000-01-01T00:01:00+00:01", -63_145_526_400), ("9999-12-31T23:59:59.999Z", 252_423_993_599.999),
        ("2016-12-31T23:59:60Z", 504_921_600), ("2017-01-01T05:29:60.5+05:30", 504_921_600.5),
        ("2001\\u002D01-01T00:00:00Z", 0),
    ])
    func dateTextIsReadAsItsInstant(_ row: (text: String, seconds: Double)) throws {
        let date = try decoded(ISO8601.self, "\"\(row.text)\"")
        #expect(date.timeIntervalSinceReferenceDate == row.seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T06:30Z", "2026-11-21T06:30:00", "2026-11-21 06:30:00Z",
        "2026-11-21T06:30:00.Z", "2026-11-21T06:30:00,5Z", "2026-11-21T06:30:00Z ", " 2026-11-21T06:30:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T06:60:00Z", "2026-11-21T06:30:61Z", "2026-11-21T06:30:60Z",
        "2026-11-21T23:59:60Z", "2026-11-30T23:59:60+01:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z", "2026-11-21T06:30:00+24:00", "2026-11-21T06:30:00+01:60", "2026-11-21T06:30:00+1:00",
        "2026-11-21T06:30:00+01:0", "2026-11-21T06:30:00ZZ", "+2026-11-21T06:30:00Z", "-026-11-21T06:30:00Z",
        "2026-11-21T0\u{0666}:30:00Z", "20261121T063000Z", "2026-W47-6T06:30:00Z", "2026-11-21T06:30:00UTC",
        // Times in the years 10000 and -1 of UTC, which the format can't represent.
        "9999-12-31T23:59:59.999-12", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999999Z",
        "0000-01-01T00:00:00+00:01",
    ])
    func malformedDateIsALocatedError(_ text: String) throws {
        let issue = try issue(ISO8601.self, "\"\(text)\"")
        #expect(issue.code == .invalidValue)
        #expect(issue.expected.contains("RFC 3339"))
        #expect(issue.found.hasPrefix("the string"))
    }

    @Test func otherKindOfValueIsATypeMismatch() throws {
        #expect(try issue(ISO8601.self, "12").code == .typeMismatch)
        #expect(try issue(SecondsSince1970.self, "\"12\"").code == .typeMismatch)
        #expect(try issue(MillisecondsSince1970.self, "null").code == .typeMismatch)
        #expect(try issue(SecondsSince1970.self, "1e999").code == .outOfRange)
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (816_935_400.5, "2026-11-21T06:30:00.500Z"),
        (816_935_400.123456, "2026-11-21T06:30:00.123456Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
        (1e-12, "2001-01-01T00:00:00Z"), (-1e-12, "2001-01-01T00:00:00Z"), (1e-9, "2001-01-01T00:00:00.000000001Z"),
        (-63_145_526_400, "0000-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    ])
    func aDateIsWrittenInUTCByTheFewestDigits(_ row: (seconds: Double, text: String)) throws {
        #expect(try encoded(ISO8601.self, Date(timeIntervalSinceReferenceDate: row.seconds)) == "\"\(row.text)\"")
    }

    @Test(arguments: [-63_145_526_401, 252_423_993_600, .infinity, -.infinity, .nan, 1e300])
    func aDateThatTheFormCannotHoldIsNotWritten(_ seconds: Double) throws {
        let error = #expect(throws: JSONError.self) {
            try encoded(ISO8601.self, Date(timeIntervalSinceReferenceDate: seconds))
        }
        #expect(error?.code == .notEncodable)
    }

    @Test func anyDateIsReadBackAsItWas() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let near = Date(timeIntervalSinceReferenceDate: .random(in: -16_000_000...16_000_000, using: &random))
            let seconds = TimeInterval.random(in: -63_145_526_400..<252_423_993_600, using: &random)
            // Close to 2001 a `Date` is more precise than the written nanoseconds.
            if abs(seconds) > 16_000_000 {
                let date = Date(timeIntervalSinceReferenceDate: seconds)
                #expect(try decoded(ISO8601.self, encoded(ISO8601.self, date)) == date)
            }
            #expect(abs(try decoded(ISO8601.self, encoded(ISO8601.self, near)).timeIntervalSince(near)) <= 1e-9)
        }
    }

    @Test func anyDateSince1970IsReadBackAsItWas() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            let seconds = Date(timeIntervalSince1970: .random(in: -1e11...1e11, using: &random))
            #expect(try decoded(SecondsSince1970.self, encoded(SecondsSince1970.self, seconds)) == seconds)
            let milliseconds = Int.random(in: -100_000_000_000_000...100_000_000_000_000, using: &random)
            let date = try decoded(MillisecondsSince1970.self, "\(milliseconds)")
            #expect(try encoded(MillisecondsSince1970.self, date) == "\(milliseconds)")
            let written = try decoded(MillisecondsSince1970.self, encoded(MillisecondsSince1970.self, seconds))
            #expect(abs(written.timeIntervalSince(seconds)) <= seconds.timeIntervalSince1970.ulp)
        }
        #expect(try encoded(SecondsSince1970.self, Date(timeIntervalSince1970: 1)) == "1")
        #expect(try decoded(SecondsSince1970?.self, "null") == nil)
    }

    @Test func datesAgreeWithFoundation() throws {
        let whole = ISO8601DateFormatter()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            // From the year 1600 on. Foundation's formatter uses the Julian calendar for earlier
            // dates.
            let seconds = Double(Int.random(in: -12_600_000_000..<252_423_993_600, using: &random))
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = whole.string(from: date)
            #expect(try decoded(ISO8601.self, "\"\(text)\"") == date)
            #expect(try encoded(ISO8601.self, date) == "\"\(text)\"")
            whole.timeZone = TimeZone(secondsFromGMT: 900 * Int.random(in: -56...56, using: &random))
            #expect(try decoded(ISO8601.self, "\"\(whole.string(from: date))\"") == date)
            let fraction = "\(text.dropLast()).\(Int.random(in: 100...999, using: &random))Z"
            let ours = try decoded(ISO8601.self, "\"\(fraction)\"")
            #expect(abs(ours.timeIntervalSince(try style.parse(fraction))) < 1e-4)
            whole.timeZone = TimeZone(secondsFromGMT: 0)
        }
    }

    /// Every day of four centuries, by counting.
    @Test func everyDayOfFourCenturiesRoundTrips() throws {
        var day = try decoded(ISO8601.self, "\"1800-01-01T12:00:00Z\"")
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in 1800..<2200 {
            for month in 1...12 {
                let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                for number in 1...(month == 2 && isLeap ? 29 : lengths[month - 1]) {
                    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
                    let text = "\"\(year)-\(two(month))-\(two(number))T12:00:00Z\""
                    #expect(try decoded(ISO8601.self, text) == day)
                    #expect(try encoded(ISO8601.self, day) == text)
                    day += 86_400
                }
            }
        }
    }
}
