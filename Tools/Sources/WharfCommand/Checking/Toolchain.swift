#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The Swift compiler of this machine.
struct Toolchain: Sendable {
    /// As it was found: it tells by its name what it is to do.
    let compiler: String
    /// What changes with another compiler, without asking it, which takes a tenth of a second.
    let identity: String

    /// The first `swiftc` on a search path.
    ///
    /// - Throws: ``CheckFailure`` where there is none.
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
            "wharf check compiles your types, which takes Swift's toolchain, but there is no swiftc on PATH; "
                + "see https://www.swift.org/install", .unavailable)
    }
}
