/// The pauses after which a store that failed is asked again, each twice as long as the one before.
struct StorePauses {
    private var next = Duration.milliseconds(100)

    /// - Returns: false for who is cancelled.
    mutating func rest(on timer: any Clock<Duration>) async -> Bool {
        let pause = next
        next = min(next * 2, .seconds(30))
        do { try await timer.sleep(for: pause) } catch { return false }
        return true
    }
}
