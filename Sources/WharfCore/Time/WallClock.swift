#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Tells the time of day. Nothing in Wharf reads the system clock but through a conformer.
public protocol WallClock: Sendable {
    func now() -> WallTime
}

/// The system's real-time clock. It jumps when the user or NTP sets it, which the age arithmetic
/// clamps.
public struct SystemWallClock: WallClock {
    public init() {}

    public func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension WallClock where Self == SystemWallClock {
    public static var system: Self { Self() }
}
