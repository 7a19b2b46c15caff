#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A point in the life of a machine since its start: nobody sets it, and it goes on while the
/// machine sleeps.
///
/// For what several processes of one machine agree on. After a restart nothing from before is
/// comparable: that is all over.
public struct Uptime: Hashable, Sendable {
    /// Another after each start of the machine.
    public var boot: String
    /// Since the start.
    public var nanoseconds: Int64

    public init(boot: String, nanoseconds: Int64) {
        self.boot = boot
        self.nanoseconds = nanoseconds
    }

    public static func + (time: Self, duration: Duration) -> Self {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        return Self(boot: time.boot, nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// Whether this moment has come by another; also where that is of another start of the machine.
    public func hasCome(by now: Uptime) -> Bool { boot != now.boot || nanoseconds <= now.nanoseconds }
}

/// Tells how long the machine has been running.
public protocol UptimeClock: Sendable {
    func now() -> Uptime
}

public struct SystemUptimeClock: UptimeClock {
    private let boot: String

    public init() { boot = Self.bootID() }

    public func now() -> Uptime {
        var time = timespec()
        #if canImport(Darwin)
        // Counts sleep there, as CLOCK_BOOTTIME does on Linux.
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Uptime(boot: boot, nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Empty where the system does not tell: the time since the start is compared alone then.
    private static func bootID() -> String {
        var buffer = [UInt8](repeating: 0, count: 64)
        #if canImport(Darwin)
        var size = buffer.count
        guard sysctlbyname("kern.bootsessionuuid", &buffer, &size, nil, 0) == 0 else { return "" }
        return String(decoding: buffer[..<size].prefix { $0 != 0 }, as: UTF8.self)
        #else
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let count = read(file, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #endif
    }
}

extension UptimeClock where Self == SystemUptimeClock {
    public static var system: Self { Self() }
}
