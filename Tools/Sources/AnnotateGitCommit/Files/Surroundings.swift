#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the process was started with, and where it writes.
enum Surroundings {
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The path by which the tool was called: not resolved, so that a link to the newest version
    /// stays one.
    static func toolPath() throws(AnnotationError) -> String {
        let name = CommandLine.arguments[0]
        let candidates =
            name.contains("/")
            ? [name] : (variable("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
        guard let path = candidates.first(where: Files.isExecutable), let folder = Files.currentFolder else {
            throw AnnotationError(
                .unreadable, "expected to find the tool itself, found no '\(name)'; call it by its absolute path")
        }
        return path.hasPrefix("/") ? path : folder + "/" + path
    }

    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// What can't be written is for nobody: the exit status tells the rest.
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
