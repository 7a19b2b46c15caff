public import Foundation
public import WharfCore

extension WallTime {
    /// Creates the time of a date, to the microsecond.
    ///
    /// A date outside of the years 1677 to 2262 becomes `distantPast` or `distantFuture`.
    public init(_ date: Date) {
        // Whole seconds and microseconds are converted separately. A Double has 16 digits, and the
        // seconds take 10 of them, so the microseconds of one product would be rounded.
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        let microseconds = ((date.timeIntervalSinceReferenceDate - seconds) * 1e6).rounded()
        guard let whole = Int64(exactly: seconds + Date.timeIntervalBetween1970AndReferenceDate) else {
            self = date.timeIntervalSinceReferenceDate < 0 ? .distantPast : .distantFuture
            return
        }
        self = WallTime(secondsSince1970: whole) + .microseconds(Int64(microseconds))
    }
}

extension Date {
    /// Creates the date of a time, to the microsecond.
    ///
    /// `distantPast` and `distantFuture` become dates of the years 1677 and 2262.
    public init(_ time: WallTime) {
        let seconds = time.secondsSince1970
        let remainder = time.nanoseconds % 1_000_000_000
        // `%` has the sign of the time. `secondsSince1970` is rounded down, so the fraction must be
        // positive.
        let fraction = Double(remainder < 0 ? remainder + 1_000_000_000 : remainder) / 1e9
        let reference = Int64(Date.timeIntervalBetween1970AndReferenceDate)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - reference) + fraction)
    }
}
