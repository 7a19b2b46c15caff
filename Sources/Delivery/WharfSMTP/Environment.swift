#if os(Linux)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The environment of the process.
enum Environment {
    /// Returns the value of a variable; nil if it is unset or empty.
    static func value(of name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
#endif
