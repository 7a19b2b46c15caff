#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A clock of the time of day. Wharf reads the system clock only through it.
public protocol WallClock: Sendable {
    /// Returns the present time.
    func now() -> WallTime
}

/// The system's real-time clock.
///
/// It jumps when the user or NTP sets it. The calculation of ages clamps the result.
public struct SystemWallClock: WallClock {
    /// Creates a clock.
    public init() {}

    public func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension WallClock where Self == SystemWallClock {
    /// The system's clock.
    public static var system: Self { Self() }
}
