#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The Swift compiler of this machine.
struct Toolchain: Sendable {
    /// The path as it was found. Links are not resolved, because the compiler chooses its mode by
    /// its name.
    let compiler: String
    /// Identifies the compiler without running it, which would take a tenth of a second.
    let identity: String

    /// Finds the first `swiftc` on a search path.
    ///
    /// - Throws: ``CheckFailure`` if there is none.
    init(searching path: String) throws(CheckFailure) {
        for folder in path.split(separator: ":") {
            let candidate = "\(folder)/swiftc"
            guard access(candidate, X_OK) == 0, let item = FilePath.item(at: candidate), !item.isFolder else {
                continue
            }
            compiler = candidate
            let times = item.changed.map(String.init).joined(separator: ".")
            identity = "\(FilePath.real(candidate) ?? candidate) \(item.size) \(times)"
            return
        }
        throw CheckFailure(
            "wharf check needs Swift's toolchain to compile your types, but there is no swiftc on PATH; "
                + "see https://www.swift.org/install", .unavailable)
    }
}
