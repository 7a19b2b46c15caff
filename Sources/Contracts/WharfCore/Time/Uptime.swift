#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A time since the start of the machine.
///
/// It can't be set, and it goes on while the machine sleeps. Processes of one machine can agree on
/// it. Uptimes of different boots are not comparable: after a restart, all earlier times are over.
public struct Uptime: Hashable, Sendable {
    /// The id of the boot, which changes with each start of the machine.
    public var boot: String
    /// The nanoseconds since the start.
    public var nanoseconds: Int64

    /// Creates an uptime.
    public init(boot: String, nanoseconds: Int64) {
        self.boot = boot
        self.nanoseconds = nanoseconds
    }

    /// Returns a later time of the same boot. It saturates at the ends of the range.
    public static func + (time: Self, duration: Duration) -> Self {
        // An endless duration ends never, and must not crash.
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        return Self(boot: time.boot, nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// Returns whether this time is over by `now`. Times of other boots are over.
    public func hasCome(by now: Uptime) -> Bool { boot != now.boot || nanoseconds <= now.nanoseconds }
}

/// A clock of the time since the start of the machine.
public protocol UptimeClock: Sendable {
    /// Returns the present uptime.
    func now() -> Uptime
}

/// The system's clock of the time since the start, which includes sleep.
public struct SystemUptimeClock: UptimeClock {
    private let boot: String

    /// Creates a clock. It reads the id of the boot.
    public init() { boot = Self.bootID() }

    public func now() -> Uptime {
        var time = timespec()
        #if canImport(Darwin)
        // On Darwin this clock counts sleep, as CLOCK_BOOTTIME does on Linux.
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Uptime(boot: boot, nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the id of the boot, or an empty text if the system has none.
    ///
    /// With an empty id, only the times since the start are compared.
    private static func bootID() -> String {
        var buffer = [UInt8](repeating: 0, count: 64)
        #if canImport(Darwin)
        var size = buffer.count
        guard sysctlbyname("kern.bootsessionuuid", &buffer, &size, nil, 0) == 0 else { return "" }
        return String(decoding: buffer[..<size].prefix { $0 != 0 }, as: UTF8.self)
        #else
        // `O_CLOEXEC`: a child process must not inherit the file.
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let count = read(file, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #endif
    }
}

extension UptimeClock where Self == SystemUptimeClock {
    /// The system's clock.
    public static var system: Self { Self() }
}
