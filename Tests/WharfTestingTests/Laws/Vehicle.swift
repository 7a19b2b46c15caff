// snippet.contract
/// Whatever can be driven.
protocol Vehicle: AnyObject, Sendable {
    /// What was set last, from 0 to 100; at first 0.
    var throttle: Int { get }

    /// - Parameter throttle: from 0 to 100.
    /// - Throws: ``VehicleError`` when it is outside of these, and nothing else. Then the throttle stays as it is.
    func setThrottle(_ throttle: Int) throws
}

enum VehicleError: Error { case outOfBounds }
// snippet.end
