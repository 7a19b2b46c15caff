/// The progress of a body, as a value that decides when and how to draw the bar.
struct ProgressBar {
    /// The number of bytes below which no bar is shown.
    static let threshold: Int64 = 1_000_000
    private static let interval = Duration.milliseconds(100)
    /// For a shorter transfer the bar would only flicker.
    private static let patience = Duration.milliseconds(300)

    private let total: Int64?
    private let started: Duration
    private var received: Int64 = 0
    private var drawn: Duration?

    /// - Parameters:
    ///   - total: nil if it is not known.
    ///   - now: the time of a monotonic clock.
    init(total: Int64?, at now: Duration) {
        self.total = total
        self.started = now
    }

    /// Counts bytes; returns true if the bar is to be drawn, at most ten times a second.
    mutating func advance(by count: Int, at now: Duration) -> Bool {
        received += Int64(count)
        guard max(total ?? 0, received) > Self.threshold, now - started >= Self.patience else { return false }
        if let drawn, now - drawn < Self.interval { return false }
        drawn = now
        return true
    }

    /// Returns the bar in at most `columns` characters; parts that do not fit are left out.
    func text(at now: Duration, columns: Int) -> String {
        let seconds = Double((now - started) / .seconds(1))
        let rate = seconds > 0 ? Double(received) / seconds : 0
        var figures = total.map { "\(Plain.bytes(received)) of \(Plain.bytes($0))" } ?? Plain.bytes(received)
        if rate >= 1 { figures += ", \(Plain.bytes(Int64(min(rate, 1e15))))/s" }
        guard let total, total > 0 else { return String(figures.prefix(max(0, columns - 1))) }
        let share = min(1, Double(received) / Double(total))
        if rate >= 1, share < 1 {
            figures += ", \(Plain.duration(.seconds(min(1e9, Double(total - received) / rate).rounded(.up)))) left"
        }
        let percent = Int(share * 100)
        let shown = String(repeating: " ", count: 3 - String(percent).count) + "\(percent)%"
        // The last column stays empty, because a terminal may wrap when it is filled.
        let room = columns - 1 - shown.count - figures.count - 4
        guard room >= 10 else { return String("\(shown)  \(figures)".prefix(max(0, columns - 1))) }
        let width = min(room, 40)
        let filled = Int(share * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "\(shown) [\(bar)] \(figures)"
    }
}
