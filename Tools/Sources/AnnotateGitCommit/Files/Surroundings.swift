#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The environment and the arguments of the process, and its output.
enum Surroundings {
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Returns the path by which the tool was called.
    ///
    /// Symbolic links are not resolved, so a link to the newest version stays valid.
    static func toolPath() throws(AnnotationError) -> String {
        let name = CommandLine.arguments[0]
        let candidates =
            name.contains("/")
            ? [name] : (variable("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
        guard let path = candidates.first(where: Files.isExecutable), let folder = Files.currentFolder else {
            throw AnnotationError(
                .unreadable, "the tool can't find its own program '\(name)'; call it by its absolute path")
        }
        return path.hasPrefix("/") ? path : folder + "/" + path
    }

    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes text, and ignores failures: no other channel is left but the exit status.
    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array((text + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
