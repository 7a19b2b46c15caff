#if SQLite
internal import GRDB
internal import GRDBSQLite

/// The wait of a connection for the lock of another process.
///
/// It pauses like SQLite's own busy handler. That one goes on after an expiry, and iOS kills a
/// process that is suspended while it holds the lock of an opening.
struct BusyWait: Sendable {
    /// In seconds.
    let longest: Double
    let isExpired: @Sendable () -> Bool

    var mode: Database.BusyMode { .callback { mayTryAgain(after: $0) } }

    /// In milliseconds. The last one is repeated.
    private static let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    /// Pauses.
    ///
    /// - Parameter tries: how often this wait has paused.
    /// - Returns: false if the wait is over.
    private func mayTryAgain(after tries: Int) -> Bool {
        let earlier = Self.pauses.prefix(tries).reduce(0) { $0 + Double($1) }
        let repeated = Double(max(0, tries - Self.pauses.count)) * Double(Self.pauses.last ?? 0)
        let left = longest * 1000 - earlier - repeated
        guard left > 0, !isExpired() else { return false }
        let pause = tries < Self.pauses.count ? Self.pauses[tries] : Self.pauses.last ?? 0
        sqlite3_sleep(Int32(min(Double(pause), left.rounded(.up))))
        return true
    }
}
#endif
